//! A finished run: all that the report is made of.

use std::time::{Duration, SystemTime};

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use super::baseline::State;
use super::cause::Cause;
use super::row::{Executed, Left};
use crate::campaign::settings::{About, Settings};
use crate::client::Client;
use crate::oracle::Outcome;
use crate::subject::Subject;

/// One client's part in a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// What held it beside its limits: a sandbox, or [`LIMITS_ONLY`](crate::client::sandbox::LIMITS_ONLY).
    /// `None` for one inside this process; and in older stores, where it is not known.
    #[serde(default)]
    pub confinement: Option<String>,
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

/// A finished run: all that the report is made of. It is kept in stores: a new field, here or
/// in a part, needs `#[serde(default)]`, for older stores lack it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// Where it came from.
    pub about: About,
    /// How much, with which seed.
    pub settings: Settings,
    /// The seed's canonical picture.
    #[serde(with = "super::pack::picture")]
    pub picture: Picture,
    /// The seed file.
    #[serde(default, with = "super::pack::bytes")]
    pub seed: Vec<u8>,
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

/// The part of the client at `place`, from what was executed.
pub(crate) fn tested(
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
        confinement: client.confinement().map(str::to_owned),
        state,
        dropped: executed.dropped.iter().find(|d| d.client == place).map(|d| d.why.clone()),
        left,
        outcomes,
        varied,
    }
}
