//! A campaign: one seed, many variants, all clients; then reduction to causes.

mod baseline;
mod bench;
mod budget;
mod cause;
mod complete;
mod execute;
mod finder;
mod gate;
mod guard;
mod make;
pub(crate) mod parallel;
mod plan;
mod record;
mod row;
mod settle;
mod stop;
mod words;

use std::time::{Duration, Instant, SystemTime};

use indicatif::ProgressBar;
use inverter::solve::Choices;
use sha2::{Digest, Sha256};
use tiff_harness::Picture;

pub use baseline::{Anew, Baseline, State, replay};
pub use bench::{Bench, Judged, Seen};
pub use budget::Budget;
pub use cause::{Cause, Depth};
pub use gate::Gate;
pub use plan::{Plan, Step};
pub use record::{FORMAT, Log, Purpose, Record};
pub use row::{Executed, Info, Left, Row};
pub use stop::Stop;
pub use words::{label, short};

use self::complete::Values;
use self::finder::Finder;
use crate::client::Client;
use crate::oracle::Outcome;
use crate::reduce::{Prober, ReduceError};
use crate::subject::Subject;

/// How much to do, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How many variants.
    pub variants: usize,
    /// The run's number: all randomness comes from it.
    pub seed: u64,
    /// How many threads.
    pub jobs: usize,
    /// How often a client may hang for one reason before the like is left out.
    pub hang_limit: usize,
    /// How many findings of one client and outcome are reduced at most.
    pub reductions: usize,
    /// How long the variants may take, reading the seed included. What was found by then is
    /// still reduced, briefly.
    pub time: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { variants: 200, seed: 1, jobs: 1, hang_limit: 5, reductions: 40, time: None }
    }
}

/// What the report says about where the run came from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    /// The command line that does it again.
    pub command: String,
    /// The seed file, as the user named it.
    pub seed_file: String,
}

/// Why a campaign came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A file that was made does not mean what the seed means. No client is to blame.
    #[error(
        "internal error: {what}; please report this with the seed file and these choices: {}",
        serde_json::to_string(choices).unwrap_or_default()
    )]
    Defect {
        /// What is wrong.
        what: String,
        /// The choices that show it, if they are known.
        choices: Choices,
    },
    /// Results cannot be written.
    #[error("cannot write the results: {0}")]
    Log(std::io::Error),
}

/// One client's part in a run.
#[derive(Debug, Clone)]
pub struct Tested {
    /// Its name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// What it is.
    pub summary: String,
    /// Its command line, with `{in}` for the file.
    pub command: Option<String>,
    /// What it applies by itself.
    pub applies: Vec<String>,
    /// Dimensions that were not varied for it.
    pub ignores: Vec<String>,
    /// Whether it could be judged, and by what.
    pub state: State,
    /// Why it was not used to the end.
    pub dropped: Option<String>,
    /// What was left out because it hangs: why, and how many variants.
    pub left: Vec<(String, usize)>,
    /// How many variants came to each outcome, by [`Outcome::rank`].
    pub outcomes: [usize; 6],
    /// For each dimension of the seed's class: in how many variants it varied.
    pub varied: Vec<usize>,
}

/// A finished run: all that the report is made of.
#[derive(Debug, Clone)]
pub struct Run {
    /// Where it came from.
    pub about: About,
    /// How much, with which seed.
    pub settings: Settings,
    /// The seed's canonical picture.
    pub picture: Picture,
    /// The seed file's size.
    pub seed_size: usize,
    /// The seed's own representation.
    pub own: Choices,
    /// The dimensions of the seed's class.
    pub dimensions: Vec<String>,
    /// The clients, as given.
    pub clients: Vec<Tested>,
    /// The causes, in the order of the report.
    pub causes: Vec<Cause>,
    /// How many different variants were made.
    pub variants: usize,
    /// How many steps only repeated an earlier variant.
    pub repeated: usize,
    /// How many steps had no file.
    pub impossible: usize,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// Whether its time was used up before its end.
    pub time_up: bool,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub took: Duration,
}

impl Run {
    /// How many results differ from the seed's.
    pub fn findings(&self) -> usize {
        let anew = self.clients.iter().filter_map(|c| c.state.baseline()?.finding.as_ref());
        let differing = |c: &Tested| c.outcomes[..Outcome::Same.rank()].iter().sum::<usize>();
        self.clients.iter().map(differing).sum::<usize>() + anew.count()
    }

    /// How many clients could be judged.
    pub fn judged(&self) -> usize {
        self.clients.iter().filter(|c| c.state.baseline().is_some()).count()
    }
}

/// What to run.
pub struct Campaign<'a> {
    /// The seed.
    pub subject: &'a dyn Subject,
    /// The clients.
    pub clients: &'a [Box<dyn Client>],
    /// How much, and how.
    pub settings: Settings,
    /// For the report.
    pub about: About,
    /// Where results go as they come.
    pub log: &'a Log,
    /// When to end early.
    pub stop: &'a Stop,
    /// Shows how far it is.
    pub progress: ProgressBar,
}

impl Campaign<'_> {
    /// Runs it: the clients on the seed, the variants, the reduction.
    ///
    /// # Errors
    ///
    /// [`CampaignError`].
    pub fn run(self) -> Result<Run, CampaignError> {
        let (begun, started) = (Instant::now(), SystemTime::now());
        let Self { subject, clients, settings, log, stop, progress, .. } = &self;
        let budget = Budget::new(stop, settings.time);
        self.log_run(started);
        progress.set_length(settings.variants as u64);
        progress.set_message("reading the seed");
        let anew = baseline::anew(*subject)?;
        let measured = baseline::measure(*subject, anew.as_ref(), clients, settings.jobs, stop);
        let (states, costs): (Vec<State>, Vec<Duration>) = measured.into_iter().unzip();
        for (client, state) in clients.iter().zip(&states) {
            log.write(&client_record(&**client, state, subject.picture()));
        }
        if let Some(variant) = &anew {
            let info = Info::of(*subject, variant);
            log_anew(log, &info, clients, &states);
        }
        progress.set_message("");
        let benches: Vec<Option<Bench<'_>>> = clients
            .iter()
            .zip(&states)
            .map(|(client, state)| {
                let baseline = state.baseline()?;
                let bench = Bench::new(&**client, baseline.reference(), &budget);
                if baseline.anew.is_none() {
                    bench.trust(subject.seed_bytes());
                }
                if let Some(anew) = &anew
                    && (baseline.finding.is_none() || baseline.anew.is_some())
                {
                    bench.trust(&anew.bytes);
                }
                Some(bench)
            })
            .collect();
        let order = baseline::slow_first(&costs);
        let executed = execute::execute(&execute::Context {
            subject: *subject,
            clients,
            benches: &benches,
            order: &order,
            settings,
            log,
            budget: &budget,
            progress,
        })?;
        let stopped = stop.variants();
        budget.reduce();
        progress.set_message("reducing");
        let causes = self.causes(&states, &benches, &costs, &executed, &budget)?;
        progress.finish_and_clear();
        if let Some(error) = log.error() {
            return Err(CampaignError::Log(error));
        }
        drop(benches);
        let tested = states
            .into_iter()
            .enumerate()
            .map(|(place, state)| tested(&*clients[place], place, state, &executed, *subject))
            .collect();
        Ok(Run {
            picture: subject.picture().clone(),
            seed_size: subject.seed_bytes().len(),
            own: subject.own_choices().clone(),
            dimensions: subject.dimensions().to_vec(),
            clients: tested,
            causes,
            variants: executed.made.len(),
            repeated: executed.repeated,
            impossible: executed.impossible,
            stopped,
            time_up: executed.cut && !stopped,
            started,
            took: begun.elapsed(),
            about: self.about,
            settings: self.settings,
        })
    }

    fn log_run(&self, started: SystemTime) {
        self.log.write(&Record::Run {
            format: FORMAT,
            repfuzz: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.about.command.clone(),
            started: humantime::format_rfc3339_seconds(started).to_string(),
            seed_file: self.about.seed_file.clone(),
            seed_sha256: hex(&Sha256::digest(self.subject.seed_bytes())),
            picture: self.subject.picture().digest(),
            seed: self.settings.seed,
            variants: self.settings.variants,
            time: self.settings.time.map(|time| time.as_secs()),
            dimensions: self.subject.dimensions().to_vec(),
        });
    }

    /// The causes of all findings, ranked. Clients are reduced side by side, each by itself
    /// in the order of the plan; how much runs at once is the gate's business.
    fn causes(
        &self,
        states: &[State],
        benches: &[Option<Bench<'_>>],
        costs: &[Duration],
        executed: &Executed,
        budget: &Budget,
    ) -> Result<Vec<Cause>, CampaignError> {
        let gate = Gate::new(self.settings.jobs);
        let values = Values::of(self.subject, executed.made.iter().map(|info| &**info));
        let places: Vec<usize> = (0..self.clients.len()).collect();
        let found = parallel::map(places.len(), &places, |_, place| {
            let (Some(baseline), Some(bench)) = (states[*place].baseline(), &benches[*place])
            else {
                return Ok(Vec::new());
            };
            let rows: Vec<&Row> = executed.rows.iter().filter(|r| r.client == *place).collect();
            let prober = Prober {
                subject: self.subject,
                bench,
                gate: &gate,
                cost: costs[*place],
                budget,
                log: self.log,
            };
            let finder = Finder::new(prober, *place, self.settings.reductions);
            causes_of(finder, baseline, &rows, &values).map_err(defect)
        });
        let mut causes = Vec::new();
        for found in found {
            causes.extend(found?);
        }
        let name = |c: &Cause| self.clients[c.client].name().to_owned();
        causes.sort_by_cached_key(|c| {
            let rank = (c.outcome, c.depth > Depth::Partly, c.class, c.dimensions.len());
            (rank, std::cmp::Reverse(c.count), name(c), c.dimensions.clone(), c.client)
        });
        Ok(causes)
    }
}

fn causes_of(
    mut finder: Finder<'_>,
    baseline: &Baseline,
    rows: &[&Row],
    values: &Values,
) -> Result<Vec<Cause>, ReduceError> {
    if let Some(finding) = &baseline.finding {
        finder.anew(finding, baseline.anew.as_ref())?;
    }
    let findings: Vec<&Row> =
        rows.iter().copied().filter(|r| r.outcome().is_difference()).collect();
    finder.explain_all(&findings)?;
    settle::settle(finder, rows, values)
}

/// What ends a whole campaign: a defect of ours.
fn defect(error: ReduceError) -> CampaignError {
    match error {
        ReduceError::Defect { what, choices } => CampaignError::Defect { what, choices },
        other => CampaignError::Defect { what: other.to_string(), choices: Choices::new() },
    }
}

fn client_record(client: &dyn Client, state: &State, canonical: &Picture) -> Record {
    let picture = state.baseline().map(|b| &b.seed);
    Record::Client {
        client: client.name().to_owned(),
        version: client.version().to_owned(),
        state: state.word().to_owned(),
        message: match state {
            State::CannotRead { outcome, message } if message.is_empty() => outcome.phrase().into(),
            State::CannotRead { message, .. } | State::CannotRun(message) => message.clone(),
            State::Ready(_) | State::Unsteady => String::new(),
        },
        picture: picture.map(Picture::digest),
        canonical: picture.map(|p| p == canonical),
        ignores: client.ignores().to_vec(),
    }
}

fn log_anew(log: &Log, info: &Info, clients: &[Box<dyn Client>], states: &[State]) {
    log.write(&Record::Variant {
        variant: 0,
        vary: "nothing".to_owned(),
        class: info.class,
        bytes: info.size,
        choices: info.choices.clone(),
    });
    for (client, state) in clients.iter().zip(states) {
        let Some(baseline) = state.baseline() else { continue };
        let finding = baseline.finding.as_ref();
        log.write(&Record::Result {
            variant: 0,
            client: client.name().to_owned(),
            outcome: finding.map_or(Outcome::Same, |f| f.outcome),
            again: finding.map(|f| f.again),
            flaky: finding.is_some_and(|f| f.flaky),
            picture: baseline.anew.as_ref().map(Picture::digest),
            message: finding.map(|f| f.message.clone()).unwrap_or_default(),
            ms: 0,
        });
    }
}

fn tested(
    client: &dyn Client,
    place: usize,
    state: State,
    executed: &Executed,
    subject: &dyn Subject,
) -> Tested {
    let mut outcomes = [0; 6];
    let mut varied = vec![0; subject.dimensions().len()];
    for row in executed.rows.iter().filter(|r| r.client == place) {
        outcomes[row.outcome().rank()] += 1;
        for (dimension, count) in subject.dimensions().iter().zip(&mut varied) {
            *count += usize::from(row.info.choices.get(dimension).is_some());
        }
    }
    let mut left: Vec<(String, usize)> = Vec::new();
    for Left { why, .. } in executed.left.iter().filter(|l| l.client == place) {
        match left.iter_mut().find(|(known, _)| known == why) {
            Some((_, count)) => *count += 1,
            None => left.push((why.clone(), 1)),
        }
    }
    Tested {
        name: client.name().to_owned(),
        version: client.version().to_owned(),
        summary: client.summary().to_owned(),
        command: client.command(),
        applies: client.applies().to_vec(),
        ignores: client.ignores().to_vec(),
        state,
        dropped: executed.dropped.iter().find(|d| d.client == place).map(|d| d.why.clone()),
        left,
        outcomes,
        varied,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
