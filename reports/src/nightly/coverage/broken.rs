//! Losses that are failures of the clients: a crash, hang or refusal on all seeds, or on a seed that was read before.

use std::collections::BTreeMap;

use super::model::{Broken, Coverage, Loss, Tonight};
use super::words::group_text;

/// Returns the losses of `coverage` that are failures of clients and not accepted. Clients that do not work at all are
/// among the failures of `tonight`.
pub(super) fn broken(tonight: &Tonight, coverage: &Coverage, before: &Coverage) -> Vec<Broken> {
    let mut all = Vec::new();
    let unusable = |loss: &&Loss| {
        let named = |failed: &Loss| failed.seed.is_none() && failed.client == loss.client;
        loss.client.is_some() && loss.seed.is_none() && tonight.failures.iter().any(named)
    };
    for loss in open(coverage).filter(unusable) {
        let client = loss.client.as_deref().unwrap_or_default();
        let worse = before.last_read.get(client).is_some_and(|seeds| !seeds.is_empty());
        all.push(Broken { text: group_text(client, &[], &loss.why), worse });
    }
    // The failures are grouped like the losses.
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for loss in open(coverage) {
        let (Some(client), Some(seed)) = (&loss.client, &loss.seed) else { continue };
        let runs = tonight.runs.iter().filter(|run| run.seed == *seed);
        let mut facts = runs.flat_map(|run| &run.clients).filter(|facts| facts.name == *client);
        let read = before.last_read.get(client).is_some_and(|seeds| seeds.contains_key(seed));
        // The client cannot be used for files of this format, but it can be used for files of other formats.
        let unusable = |failed: &Loss| (&failed.client, &failed.seed) == (&loss.client, &loss.seed);
        let fails = facts.any(|facts| facts.fails) || tonight.failures.iter().any(unusable);
        if read && !coverage.replaced.contains_key(seed) && fails {
            groups.entry((client, &loss.why)).or_default().push(seed);
        }
    }
    let line = |((client, why), seeds): ((&str, &str), Vec<&str>)| Broken {
        text: group_text(client, &seeds, why),
        worse: true,
    };
    all.extend(groups.into_iter().map(line));
    all
}

fn open(coverage: &Coverage) -> impl Iterator<Item = &Loss> {
    coverage.losses.iter().filter(|loss| loss.accepted.is_none())
}
