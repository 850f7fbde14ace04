//! The coverage of a night: which clients read which seeds, compared with the last night.
//!
//! A finding that is no longer found may be fixed, or the client may no longer run. Coverage tells the
//! two apart: everything that an earlier night read and this one does not is a [`Loss`], with its
//! reason, until it is read again or accepted.

mod facts;
mod losses;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use facts::{ClientFacts, SeedFacts};
use losses::losses;
pub use words::{LossGroup, line, loss_groups, rows};

use super::Accepted;

/// Something that was not read, or may not have been.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Loss {
    /// The client; `None` for all.
    pub client: Option<String>,
    /// The seed; `None` for all.
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
    /// The version of the last night, if it is another one.
    pub version_before: Option<String>,
    /// The seeds that it read.
    pub read: Vec<String>,
    /// The number of seeds that it read in the last night; `None` if it took no part.
    pub read_before: Option<usize>,
    /// The number of variants that it was run on.
    pub runs: usize,
}

/// The coverage of a night. Stores contain it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coverage {
    /// The day of the night.
    pub day: String,
    /// The number of seeds that were to be run.
    pub seeds: usize,
    /// The number of seeds that were run.
    pub seeds_run: usize,
    /// The number of variants that were made.
    pub made: usize,
    /// The clients, by name.
    pub clients: Vec<ClientCoverage>,
    /// What was lost.
    pub losses: Vec<Loss>,
    /// The day on which each seed was last read, by client and seed.
    pub last_read: BTreeMap<String, BTreeMap<String, String>>,
}

/// The facts of a night.
#[derive(Debug, Clone, Default)]
pub struct Tonight {
    /// The day.
    pub day: String,
    /// The seeds that were to be run.
    pub seeds: Vec<String>,
    /// The seeds that were run, or parts of them.
    pub runs: Vec<SeedFacts>,
    /// Failures: seeds that could not be read, clients that could not be started, parts that are missing.
    pub failures: Vec<Loss>,
}

impl Coverage {
    /// Compares `tonight` with the last night.
    pub fn of(tonight: &Tonight, before: Option<&Coverage>, accepted: &Accepted) -> Self {
        let none = Coverage::default();
        let before = before.unwrap_or(&none);
        let mut coverage = Coverage {
            day: tonight.day.clone(),
            seeds: tonight.seeds.len(),
            last_read: before.last_read.clone(),
            ..Coverage::default()
        };
        let mut made: BTreeMap<&str, usize> = BTreeMap::new();
        let mut clients: BTreeMap<&str, ClientCoverage> = BTreeMap::new();
        for run in &tonight.runs {
            // Parts of one seed make the same variants.
            let most = made.entry(&run.seed).or_default();
            *most = run.made.max(*most);
            for facts in &run.clients {
                let client = clients.entry(&facts.name).or_default();
                client.name.clone_from(&facts.name);
                client.version.clone_from(&facts.version);
                client.runs += facts.runs;
                if facts.unread.is_none() && !client.read.contains(&run.seed) {
                    client.read.push(run.seed.clone());
                    let seeds = coverage.last_read.entry(facts.name.clone()).or_default();
                    seeds.insert(run.seed.clone(), tonight.day.clone());
                }
            }
        }
        for last in &before.clients {
            let name = last.name.clone();
            let client =
                clients.entry(&last.name).or_insert(ClientCoverage { name, ..Default::default() });
            client.read_before = Some(last.read.len());
            let changed = client.version != last.version && !client.version.is_empty();
            client.version_before = changed.then(|| last.version.clone());
        }
        coverage.seeds_run = made.len();
        coverage.made = made.values().sum();
        coverage.clients = clients.into_values().collect();
        coverage.losses = losses(tonight, before, &coverage.clients);
        for loss in &mut coverage.losses {
            let (client, seed) = (loss.client.as_deref(), loss.seed.as_deref());
            loss.accepted = accepted.loss(client, seed, &tonight.day);
        }
        coverage
    }

    /// Returns true if something was lost that is not accepted.
    pub fn is_worse(&self) -> bool {
        self.losses.iter().any(|loss| loss.accepted.is_none())
    }

    /// The number of pairs of a client and a seed that were read: tonight, and in the last night.
    pub fn pairs(&self) -> (usize, Option<usize>) {
        let before: Vec<usize> = self.clients.iter().filter_map(|c| c.read_before).collect();
        let tonight = self.clients.iter().map(|client| client.read.len()).sum();
        (tonight, (!before.is_empty()).then(|| before.iter().sum()))
    }
}

#[cfg(test)]
pub(super) mod tests;
