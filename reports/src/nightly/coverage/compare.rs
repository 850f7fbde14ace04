//! Compares a night with the last one.

use std::collections::BTreeMap;

use super::broken::broken;
use super::losses::losses;
use super::model::{ClientCoverage, Coverage, Tonight};
use crate::nightly::Accepted;
use clients::sandbox::{FALLBACK, OR};

/// The next night is compared with the largest number of runs in this many nights.
const NIGHTS: usize = 7;

impl Coverage {
    /// Compares `tonight` with the last night.
    pub fn of(tonight: &Tonight, before: Option<&Coverage>, accepted: &Accepted) -> Self {
        let none = Coverage::default();
        let before = before.unwrap_or(&none);
        let mut coverage = Coverage {
            day: tonight.day.clone(),
            plan: tonight.plan.clone(),
            seeds: tonight.seeds.len(),
            last_read: before.last_read.clone(),
            digests: before.digests.clone(),
            ..Coverage::default()
        };
        let mut made: BTreeMap<&str, usize> = BTreeMap::new();
        let mut clients: BTreeMap<&str, ClientCoverage> = BTreeMap::new();
        for run in &tonight.runs {
            // Parts of one seed make the same variants.
            let most = made.entry(&run.seed).or_default();
            *most = run.made.max(*most);
            let digest = coverage.digests.insert(run.seed.clone(), run.digest.clone());
            if let Some(before) = digest.filter(|before| *before != run.digest) {
                coverage.replaced.insert(run.seed.clone(), before);
            }
            for facts in &run.clients {
                let client = clients.entry(&facts.name).or_default();
                client.name.clone_from(&facts.name);
                client.version.clone_from(&facts.version);
                client.version_known.clone_from(&facts.version);
                client.version_unknown.clone_from(&facts.version_unknown);
                client.runs += facts.runs;
                let confined = facts.confinement.as_ref();
                let unplanned = confined.filter(|c| c.contains(FALLBACK) || c.contains(OR));
                client.confined = unplanned.cloned().or(client.confined.take());
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
            let same_plan = before.plan.is_empty() || before.plan == tonight.plan;
            client.usual = match &last.usual[..] {
                _ if !same_plan => Vec::new(),
                // The store was written by an earlier version.
                [] => vec![last.runs],
                usual => usual.to_vec(),
            };
            // A store of an earlier version contains nothing else.
            let known =
                if last.version_known.is_empty() { &last.version } else { &last.version_known };
            if client.version.is_empty() {
                client.version_known.clone_from(known);
            } else if client.version != *known {
                client.version_before = Some(known.clone());
            }
        }
        coverage.seeds_run = made.len();
        coverage.made = made.values().sum();
        coverage.clients = clients.into_values().collect();
        coverage.losses = losses(tonight, before, &coverage.clients);
        for loss in &mut coverage.losses {
            let (client, seed) = (loss.client.as_deref(), loss.seed.as_deref());
            loss.accepted = accepted.loss(client, seed, &tonight.day);
        }
        coverage.broken = broken(tonight, &coverage, before);
        coverage.clients.iter_mut().for_each(|client| {
            let lost = accepted.loss(Some(&client.name), None, &tonight.day);
            client.remember_runs(lost.is_some());
        });
        coverage
    }
}

impl ClientCoverage {
    /// Adds tonight's number of runs to the usual ones. `accepted` returns true if a loss of runs is accepted.
    fn remember_runs(&mut self, accepted: bool) {
        match self.has_few_runs() {
            // The loss is reported until the client runs on as many variants again.
            true if !accepted => {}
            // If a client read nothing, the loss of its seeds is reported instead.
            _ if self.read.is_empty() => {}
            true => self.usual = vec![self.runs],
            false => {
                self.usual.push(self.runs);
                let old = self.usual.len().saturating_sub(NIGHTS);
                self.usual.drain(..old);
            }
        }
    }
}
