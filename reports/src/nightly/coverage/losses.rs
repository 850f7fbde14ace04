//! Losses: seeds that were read in an earlier night, but not in this one.

use std::collections::BTreeSet;

use super::facts::ClientFacts;
use super::model::{ClientCoverage, Coverage, Loss, Tonight};
use crate::report::plural;

/// A client lost coverage if it runs on less than one in this many of the variants of earlier nights.
const SHARE: usize = 4;

/// A loss of runs counts only if an earlier night had at least this number of runs.
const LEAST: usize = 12;

impl ClientCoverage {
    /// The largest number of variants on which it ran in earlier nights.
    pub(super) fn usual_runs(&self) -> usize {
        self.usual.iter().copied().max().unwrap_or(0)
    }

    /// Returns true if it read something but ran on far fewer variants than usual.
    pub(super) fn has_few_runs(&self) -> bool {
        let usual = self.usual_runs();
        usual >= LEAST && self.runs * SHARE < usual && !self.read.is_empty()
    }
}

/// Lists the losses: failures, dropped clients, and pairs that were read before.
pub(super) fn losses(
    tonight: &Tonight,
    before: &Coverage,
    clients: &[ClientCoverage],
) -> Vec<Loss> {
    let mut losses = tonight.failures.clone();
    for loss in losses.iter_mut().filter(|loss| loss.seed.is_none()) {
        let seeds = loss.client.as_ref().and_then(|client| before.last_read.get(client));
        if let Some(seeds) = seeds {
            let seeds = plural(seeds.len(), "seed", "seeds");
            loss.why.push_str(&format!("; it read {seeds} before"));
        }
    }
    for run in &tonight.runs {
        for client in &run.clients {
            if let Some(why) = &client.dropped {
                let why = format!("dropped because of a failure on our side: {why}");
                losses.push(Loss::new(Some(&client.name), Some(&run.seed), why));
            }
        }
    }
    for (client, seeds) in &before.last_read {
        for (seed, day) in seeds {
            let told = losses.iter().any(|loss| {
                let covers = |lost: &Option<String>, name: &String| {
                    lost.as_ref().is_none_or(|lost| lost == name)
                };
                let named = loss.client.is_some() || loss.seed.is_some();
                named && covers(&loss.client, client) && covers(&loss.seed, seed)
            });
            if let (Some(why), false) = (unread(tonight, client, seed), told) {
                losses.push(Loss::new(Some(client), Some(seed), format!("{why}; read on {day}")));
            }
        }
    }
    for run in &tonight.runs {
        let read = clients.iter().any(|client| client.read.contains(&run.seed));
        let told = losses.iter().any(|loss| loss.seed.as_ref() == Some(&run.seed));
        if !read && !told {
            losses.push(Loss::new(None, Some(&run.seed), no_client(tonight, &run.seed)));
        }
    }
    for client in clients.iter().filter(|client| client.has_few_runs()) {
        let usual = client.usual_runs();
        let why = format!("run on {} variants, on {usual} in an earlier night", client.runs);
        losses.push(Loss::new(Some(&client.name), None, why));
    }
    let distinct: BTreeSet<Loss> = losses.into_iter().collect();
    distinct.into_iter().collect()
}

/// `no client read it: mine: refused: no; vips: crash: SIGSEGV`.
fn no_client(tonight: &Tonight, seed: &str) -> String {
    let clients = tonight.runs.iter().filter(|run| run.seed == seed).flat_map(|run| &run.clients);
    let why =
        |client: &ClientFacts| client.unread.as_ref().map(|why| format!("{}: {why}", client.name));
    let reasons: BTreeSet<String> = clients.filter_map(why).collect();
    let reasons: Vec<String> = reasons.into_iter().collect();
    match &reasons[..] {
        [] => "no client was run on it".to_owned(),
        reasons => format!("no client read it: {}", reasons.join("; ")),
    }
}

/// Returns the reason why `client` did not read `seed` tonight; `None` if it did.
fn unread(tonight: &Tonight, client: &str, seed: &str) -> Option<String> {
    if !tonight.seeds.iter().any(|planned| planned == seed) {
        return Some("not among tonight's seeds".to_owned());
    }
    let runs: Vec<_> = tonight.runs.iter().filter(|run| run.seed == seed).collect();
    if runs.is_empty() {
        return Some("the seed was not run".to_owned());
    }
    let mut facts =
        runs.iter().flat_map(|run| &run.clients).filter(|c| c.name == client).peekable();
    if facts.peek().is_none() {
        return Some("not among tonight's clients".to_owned());
    }
    let reasons: Vec<Option<String>> = facts.map(|facts| facts.unread.clone()).collect();
    // One of several parts may have read the seed.
    reasons.into_iter().min_by_key(Option::is_some).flatten()
}
