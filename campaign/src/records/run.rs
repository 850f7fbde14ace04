//! A finished run: the input of the report and the content of the store.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use inverter::solve::Choices;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use tiff_harness::Picture;

use super::baseline::ClientState;
use super::cause::{Cause, Convention, Standing};
use super::client_id::ClientId;
use super::edges::EdgeSummary;
use super::fold::heads;
use super::outcome_example::OutcomeExample;
use super::predicted::Predicted;
use super::refused::RefusedVariant;
use super::row::{ExecutionResults, GIVEN, Omission};
use crate::oracle::Outcome;
use crate::settings::{About, Settings};
use clients::{Client, Facts};
use equivalents::subject::Subject;

/// The results of one client in a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClientSummary {
    /// Its name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// The reason why the version is unknown, although there is a command for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version_unknown: Option<String>,
    /// A short description of the program.
    pub summary: String,
    /// Facts for its maintainer. Older stores lack them.
    #[serde(default)]
    pub facts: Facts,
    /// Its command line, with `{in}` for the file.
    pub command: Option<String>,
    /// The dimensions that the client applies by itself.
    pub applies: Vec<String>,
    /// The dimensions that were not varied for it.
    pub ignores: Vec<String>,
    /// Its confinement besides the limits: a sandbox, or
    /// [`LIMITS_ONLY`](clients::sandbox::LIMITS_ONLY). `None` for a client inside this
    /// process, and in older stores, which do not record it.
    #[serde(default)]
    pub confinement: Option<String>,
    /// Its baseline, or the reason why it cannot be judged.
    pub state: ClientState,
    /// The reason why the client was not used to the end.
    pub dropped: Option<String>,
    /// The reasons why variants were skipped because the client hangs, each with the number of variants.
    #[serde(rename = "left")]
    pub skipped: Vec<(String, usize)>,
    /// The number of variants for each outcome, by [`Outcome::rank`]. In older stores it counts the seed file as well.
    #[serde(deserialize_with = "counts")]
    pub outcomes: [usize; Outcome::COUNT],
    /// An example of a hang and one of an exhausted resource, for each of these outcomes that no cause has. Older
    /// stores lack them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<OutcomeExample>,
    /// The outcome of the seed file, if that is a variant.
    #[serde(default)]
    pub on_seed: Option<Outcome>,
    /// The number of variants that the client refused and that have the choices of one of its limits. Older stores
    /// lack it.
    #[serde(default)]
    pub beyond_limits: usize,
    /// For each dimension of the seed's class, the number of judged files in which it varied; these are the files that
    /// the client did not refuse.
    pub varied: Vec<usize>,
    /// For each of these dimensions, its value classes in judged files, and the value classes that occur only in
    /// refused files. Older stores lack them.
    #[serde(default)]
    pub classes: Vec<Classes>,
    /// The edges that the client reached, if its description says that it publishes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<EdgeSummary>,
    /// Predictions from the client's source, if the report was given any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<Predicted>,
}

/// The value classes of one dimension in the files of a client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes {
    /// The classes in files that were judged.
    pub judged: BTreeSet<String>,
    /// The classes in refused files only.
    pub refused: BTreeSet<String>,
}

impl Classes {
    /// Adds the classes of other files.
    pub fn add(&mut self, other: &Classes) {
        self.judged.extend(other.judged.iter().cloned());
        self.refused.extend(other.refused.iter().cloned());
        self.refused.retain(|class| !self.judged.contains(class));
    }
}

/// A finished run. Stores contain it: a new field, here or in a part, needs `#[serde(default)]`,
/// because older stores lack it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// Its origin.
    pub about: About,
    /// Its settings.
    pub settings: Settings,
    /// The canonical picture of the seed.
    #[serde(with = "super::pack::picture")]
    pub picture: Picture,
    /// The seed file.
    #[serde(default, with = "super::pack::bytes")]
    pub seed: Vec<u8>,
    /// The seed's own choices.
    pub own: Choices,
    /// The dimensions of the seed's class.
    pub dimensions: Vec<String>,
    /// The clients, in their original order.
    pub clients: Vec<ClientSummary>,
    /// The causes, in the order of the report.
    pub causes: Vec<Cause>,
    /// The number of distinct variants that a client was given: the maximum over all clients. Further variants replace
    /// those that a client refused.
    pub variants: usize,
    /// The number of steps that only repeated an earlier variant: the maximum over all clients.
    pub repeated: usize,
    /// The maximum number of steps of a client for which no file exists.
    pub impossible: usize,
    /// The variants that were left out because of an internal error; older stores lack them.
    #[serde(default)]
    pub refused: Vec<RefusedVariant>,
    /// True if the user stopped the run before its end.
    pub stopped: bool,
    /// True if its time was used up before its end.
    pub time_up: bool,
    /// The time at which it began.
    pub started: SystemTime,
    /// Its duration.
    pub took: Duration,
    /// The causes that people accepted, by index, with the reasons. They are not faults. No store contains them,
    /// because they are in a file next to the client.
    #[serde(skip)]
    pub accepted: BTreeMap<usize, String>,
}

impl Run {
    /// Counts the results that differ from those on the seed, for clients that were used to the end.
    pub fn findings(&self) -> usize {
        let used = || self.clients.iter().filter(|client| client.dropped.is_none());
        let reencoded = used().filter_map(|c| c.state.baseline()?.finding.as_ref());
        let differing = |c: &ClientSummary| {
            let variants: usize = c.outcomes[..Outcome::Same.rank()].iter().sum();
            variants + usize::from(c.on_seed.is_some_and(Outcome::is_difference))
        };
        used().map(differing).sum::<usize>() + reencoded.count() + self.unread()
    }

    /// Returns true if no client that could be judged was used to the end.
    pub fn is_cut_off(&self) -> bool {
        let mut judged =
            (0..self.clients.len()).filter(|client| self.is_judged(*client)).peekable();
        judged.peek().is_some() && judged.all(|client| self.clients[client].dropped.is_some())
    }

    /// Counts the clients whose failure on every file of the seed's picture is a fault.
    fn unread(&self) -> usize {
        let unread = |(k, client): &(usize, &ClientSummary)| {
            client.state.baseline().is_none() && self.has_fault(*k)
        };
        self.clients.iter().enumerate().filter(unread).count()
    }

    /// Returns true if the client at this position has a cause that is a fault.
    fn has_fault(&self, client: usize) -> bool {
        self.causes.iter().any(|cause| cause.client.index() == client && cause.is_fault())
    }

    /// Returns the causes that are faults and not forms of others, in the order of the report, each with the [other
    /// forms](heads) of its fault, by index.
    pub fn folded(&self) -> Vec<(usize, Vec<usize>)> {
        let heads = heads(&self.causes);
        let of = |k: usize| {
            let others = (0..heads.len()).filter(|form| heads[*form] == k && *form != k);
            let mut forms: Vec<usize> =
                [k].into_iter().chain(others).filter(|form| !self.is_accepted(*form)).collect();
            // If people accepted the cause itself, the next form represents the others.
            let is_fault = |form: &usize| self.causes[*form].standing() == Standing::Fault;
            let head = forms.iter().position(is_fault).filter(|_| heads[k] == k)?;
            let head = forms.remove(head);
            (head == k || self.is_accepted(k)).then_some((head, forms))
        };
        let mut folded: Vec<_> = (0..heads.len()).filter_map(of).collect();
        folded.sort_unstable();
        folded
    }

    /// Returns true if people accepted the cause at this position.
    pub fn is_accepted(&self, place: usize) -> bool {
        self.accepted.contains_key(&place)
    }

    /// Returns true if the cause at this position is a fault that nobody accepted.
    pub fn is_fault(&self, place: usize) -> bool {
        self.causes[place].is_fault() && !self.is_accepted(place)
    }

    /// Returns the file from which the causes of a client derive, and the choices that it embodies: the seed, or
    /// another file if the client fails on the seed.
    pub fn base_of(&self, client: ClientId) -> (&[u8], &Choices) {
        let read =
            self.clients[client].state.baseline().and_then(|baseline| baseline.read.as_ref());
        read.map_or((&self.seed, &self.own), |read| (&read.bytes, &read.own))
    }

    /// Returns the hangs and exhausted resources of clients that have no cause of that outcome: the client, the
    /// outcome, and the number of variants.
    pub fn without_cause(&self) -> Vec<(ClientId, Outcome, usize)> {
        let clients = ClientId::all(self.clients.len()).zip(&self.clients);
        let used = clients.filter(|(_, client)| client.dropped.is_none());
        used.flat_map(|(id, client)| {
            OutcomeExample::OUTCOMES.map(|outcome| (id, outcome, client.outcomes[outcome.rank()]))
        })
        .filter(|(id, outcome, count)| *count > 0 && !has_cause(&self.causes, *id, *outcome))
        .collect()
    }

    /// Counts the causes that are faults.
    pub fn faults(&self) -> usize {
        (0..self.causes.len()).filter(|place| self.is_fault(*place)).count()
    }

    /// Returns the limits of each client that has any: its position, and the indices of the causes. A client that
    /// refuses the seed's picture itself is not listed, because its state says so.
    pub fn limits(&self) -> Vec<(ClientId, Vec<usize>)> {
        self.grouped(Standing::Limit)
    }

    /// Returns the conventions of readers that explain differences, each with the indices of the causes.
    pub fn conventions(&self) -> BTreeMap<&Convention, Vec<usize>> {
        let mut all: BTreeMap<&Convention, Vec<usize>> = BTreeMap::new();
        for (place, cause) in self.causes.iter().enumerate() {
            if let (Some(convention), Standing::Convention) = (&cause.convention, cause.standing())
            {
                all.entry(convention).or_default().push(place);
            }
        }
        all
    }

    /// Returns the causes of this rank for clients that could be judged, by client, in the order of the clients: its
    /// position, and the indices of the causes.
    pub fn grouped(&self, standing: Standing) -> Vec<(ClientId, Vec<usize>)> {
        let of = |client: ClientId| {
            let mine = |k: &usize| {
                let cause = &self.causes[*k];
                cause.client == client
                    && cause.standing() == standing
                    && !self.is_accepted(*k)
                    && self.clients[client].state.baseline().is_some()
            };
            (client, (0..self.causes.len()).filter(mine).collect::<Vec<_>>())
        };
        ClientId::all(self.clients.len()).map(of).filter(|(_, causes)| !causes.is_empty()).collect()
    }

    /// Counts the clients that could not be tested completely: they read no file of the seed's picture, are unsteady on
    /// it, or cannot be run here or any more.
    pub fn untested(&self) -> usize {
        let untested =
            |(k, c): &(usize, &ClientSummary)| c.dropped.is_some() || !self.is_judged(*k);
        self.clients.iter().enumerate().filter(untested).count()
    }

    /// Counts the clients that could be judged: they read a file of the picture, or their failure to read any is a
    /// fault. An error that a client reports for every file does not count as a fault.
    pub fn judged(&self) -> usize {
        (0..self.clients.len()).filter(|client| self.is_judged(*client)).count()
    }

    fn is_judged(&self, client: usize) -> bool {
        self.clients[client].state.baseline().is_some() || self.has_fault(client)
    }
}

impl ClientSummary {
    /// Returns the number of files within the client's limits, and the total number of its files.
    pub fn within_limits(&self) -> (usize, usize) {
        let all = self.outcomes.iter().sum::<usize>();
        (all.saturating_sub(self.beyond_limits), all)
    }

    /// Adds the results of another slice of the same client's variants.
    pub(crate) fn add(&mut self, other: ClientSummary) {
        if self.state.baseline().is_none() {
            self.state = other.state;
        }
        self.dropped = self.dropped.take().or(other.dropped);
        self.edges = self.edges.take().or(other.edges);
        self.on_seed = self.on_seed.or(other.on_seed);
        let is_new = |example: &OutcomeExample| {
            self.examples.iter().all(|known| known.outcome != example.outcome)
        };
        let new: Vec<OutcomeExample> = other.examples.into_iter().filter(is_new).collect();
        self.examples.extend(new);
        for (sum, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += more;
        }
        self.beyond_limits += other.beyond_limits;
        for (sum, more) in self.varied.iter_mut().zip(other.varied) {
            *sum += more;
        }
        self.classes.resize_with(self.classes.len().max(other.classes.len()), Classes::default);
        self.classes.iter_mut().zip(&other.classes).for_each(|(sum, more)| sum.add(more));
        for (why, count) in other.skipped {
            match self.skipped.iter_mut().find(|(known, _)| *known == why) {
                Some((_, sum)) => *sum += count,
                None => self.skipped.push((why, count)),
            }
        }
    }

    /// Summarizes the results of `client` in the execution phase. `causes` are those of all clients.
    pub(crate) fn of(
        client: &dyn Client,
        id: ClientId,
        state: ClientState,
        results: &ExecutionResults,
        causes: &[Cause],
        subject: &dyn Subject,
    ) -> Self {
        let mut outcomes = [0; Outcome::COUNT];
        let count = subject.dimensions().len();
        let (mut varied, mut classes) = (vec![0; count], vec![Classes::default(); count]);
        let limits: Vec<&Cause> = causes.iter().filter(|c| c.client == id && c.limit).collect();
        let (mut beyond_limits, mut on_seed) = (0, None);
        for row in results.rows.iter().filter(|r| r.client == id) {
            if row.variant == GIVEN {
                on_seed = Some(row.outcome());
            } else {
                let is_beyond = |limit: &&Cause| limit.is_in(subject, &row.info.varied);
                beyond_limits +=
                    usize::from(row.outcome() == Outcome::Refused && limits.iter().any(is_beyond));
                outcomes[row.outcome().rank()] += 1;
            }
            let judged = row.outcome() != Outcome::Refused;
            let own: BTreeMap<&str, &String> =
                row.info.varied.iter().map(|(name, class)| (&**name, class)).collect();
            let places = subject.dimensions().iter().enumerate();
            for (k, class) in places.filter_map(|(k, name)| Some((k, *own.get(&**name)?))) {
                let one = BTreeSet::from([class.clone()]);
                varied[k] += usize::from(judged);
                classes[k].add(&match judged {
                    true => Classes { judged: one, ..Classes::default() },
                    false => Classes { refused: one, ..Classes::default() },
                });
            }
        }
        let example = |outcome: &Outcome| {
            let rows = results.rows.iter().filter(|row| row.client == id);
            OutcomeExample::of(subject, *outcome, rows)
        };
        // The choices of other clients do not make a file from the seed of the run.
        let derives = state.baseline().is_some_and(|baseline| baseline.read.is_none());
        let lacks_cause = |outcome: &Outcome| derives && !has_cause(causes, id, *outcome);
        let outcomes_shown = OutcomeExample::OUTCOMES.iter().filter(|o| lacks_cause(o));
        let examples = outcomes_shown.filter_map(example).collect();
        let mut skipped: Vec<(String, usize)> = Vec::new();
        for Omission { why, .. } in results.skipped.iter().filter(|s| s.client == id) {
            match skipped.iter_mut().find(|(known, _)| known == why) {
                Some((_, count)) => *count += 1,
                None => skipped.push((why.clone(), 1)),
            }
        }
        // The order of the reasons depends on the threads.
        skipped.sort();
        Self {
            name: client.name().to_owned(),
            version: client.version().to_owned(),
            version_unknown: client.version_unknown().map(str::to_owned),
            summary: client.summary().to_owned(),
            facts: client.facts(),
            command: client.command(),
            applies: client.applies().to_vec(),
            ignores: client.ignores().to_vec(),
            confinement: client.confinement().map(str::to_owned),
            state,
            dropped: results.dropped.iter().find(|d| d.client == id).map(|d| d.why.clone()),
            skipped,
            outcomes,
            examples,
            on_seed,
            beyond_limits,
            varied,
            classes,
            edges: results.edges.iter().find(|(client, _)| *client == id).map(|(_, e)| e.clone()),
            predictions: Vec::new(),
        }
    }
}

/// Returns true if `client` has a cause with this outcome, or a cause of which one run had it.
fn has_cause(causes: &[Cause], client: ClientId, outcome: Outcome) -> bool {
    let had = |cause: &Cause| cause.runs.iter().any(|count| count.signature.outcome == outcome);
    let mut own = causes.iter().filter(|cause| cause.client == client);
    own.any(|cause| cause.outcome == outcome || had(cause))
}

/// Reads the counts of a client's outcomes.
fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<[usize; Outcome::COUNT], D::Error> {
    let stored = Vec::<usize>::deserialize(from)?;
    Outcome::counts(&stored).ok_or_else(|| D::Error::invalid_length(stored.len(), &"9 counts"))
}
