//! The facts of a night and its coverage, as reports present them and stores keep them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::facts::SeedFacts;

/// A seed or a client whose coverage was lost, or may have been lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Loss {
    /// The client; `None` for all clients.
    pub client: Option<String>,
    /// The seed; `None` for all seeds.
    pub seed: Option<String>,
    /// The reason.
    pub why: String,
    /// The phrase of its acceptance, if it is accepted.
    pub accepted: Option<String>,
}

impl Loss {
    /// A loss that is not accepted.
    pub fn new(client: Option<&str>, seed: Option<&str>, why: impl Into<String>) -> Self {
        let owned = |name: Option<&str>| name.map(str::to_owned);
        Self { client: owned(client), seed: owned(seed), why: why.into(), accepted: None }
    }
}

/// The part of one client in a night.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientCoverage {
    /// Its name.
    pub name: String,
    /// Its version; empty if it is unknown, or if it took no part.
    pub version: String,
    /// The version that was known before, if it differs.
    pub version_before: Option<String>,
    /// The reason why its version is unknown tonight, although its description has a command for it.
    pub version_unknown: Option<String>,
    /// The last known version: tonight's, or otherwise an earlier one.
    pub version_known: String,
    /// Its sandboxes, if they differ from the planned one because bubblewrap failed or machines have different ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confined: Option<String>,
    /// The seeds that it read.
    pub read: Vec<String>,
    /// The number of seeds that it read in the last night; `None` if it did not take part.
    pub read_before: Option<usize>,
    /// The number of variants that it was run on.
    pub runs: usize,
    /// The client's numbers of variants in the last nights with the same plan, with which the next night is compared.
    /// The last number is that of this night, unless the client lost most of its variants and the loss is not accepted.
    pub usual: Vec<usize>,
}

/// The coverage of a night. Stores contain it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coverage {
    /// The day of the night.
    pub day: String,
    /// The plan by which variants were made: their number or the time, and the number of seeds. Numbers of runs are
    /// compared only between nights with the same plan. Empty in reports of older versions.
    pub plan: String,
    /// The number of seeds that were to be run.
    pub seeds: usize,
    /// The number of seeds that were run.
    pub seeds_run: usize,
    /// The number of variants that were made.
    pub made: usize,
    /// The clients, by name.
    pub clients: Vec<ClientCoverage>,
    /// The lost coverage.
    pub losses: Vec<Loss>,
    /// The day on which each seed was last read, by client and seed.
    pub last_read: BTreeMap<String, BTreeMap<String, String>>,
    /// The SHA-256 of each seed when it was last run, in hexadecimal.
    pub digests: BTreeMap<String, String>,
    /// The seeds whose files changed: name and former digest.
    pub replaced: BTreeMap<String, String>,
    /// The losses that are failures of clients and are not accepted. They also count as new or worse findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Broken>,
}

/// A client that failed on everything, or on a seed that it read in an earlier night.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Broken {
    /// A line: the client, the seeds, and the reason.
    pub text: String,
    /// True if it read the seeds in an earlier night, so that it got worse. Otherwise the failure is new.
    pub worse: bool,
}

/// The facts of a night.
#[derive(Debug, Clone, Default)]
pub struct Tonight {
    /// The day.
    pub day: String,
    /// [The plan](Coverage::plan).
    pub plan: String,
    /// The seeds that were to be run.
    pub seeds: Vec<String>,
    /// The seeds that were run, or parts of them.
    pub runs: Vec<SeedFacts>,
    /// Failures: seeds that could not be read, clients that could not be started, parts that are missing.
    pub failures: Vec<Loss>,
}

impl Coverage {
    /// Returns true if something was lost that is not accepted.
    pub fn is_worse(&self) -> bool {
        self.losses.iter().any(|loss| loss.accepted.is_none())
    }

    /// Returns the clients that failed: those that got `worse`, or those that are new.
    pub fn broken(&self, worse: bool) -> impl Iterator<Item = &Broken> {
        self.broken.iter().filter(move |broken| broken.worse == worse)
    }

    /// Returns `version` of this client, or its last known version if that is empty; `None` if no version is known.
    pub fn known_version<'v>(&'v self, client: &str, version: &'v str) -> Option<&'v str> {
        let known = || self.clients.iter().find(|known| known.name == client);
        match version {
            "" => known().map(|known| known.version_known.as_str()).filter(|v| !v.is_empty()),
            version => Some(version),
        }
    }

    /// The number of pairs of a client and a seed that were read: tonight, and in the last night.
    pub fn pairs(&self) -> (usize, Option<usize>) {
        let before: Vec<usize> = self.clients.iter().filter_map(|c| c.read_before).collect();
        let tonight = self.clients.iter().map(|client| client.read.len()).sum();
        (tonight, (!before.is_empty()).then(|| before.iter().sum()))
    }
}
