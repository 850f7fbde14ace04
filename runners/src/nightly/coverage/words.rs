//! Coverage in words: a line, a table, and losses grouped by reason.

use super::model::{ClientCoverage, Coverage};
use crate::report::plural;

/// Losses of one client, or of one seed, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossGroup {
    /// Formats a loss with its reason: `vips: 3 seeds not read (a.tif, b.tif, c.tif): crash: SIGSEGV`.
    pub text: String,
    /// The client; empty if it concerns all.
    pub client: String,
    /// The phrase of its acceptance, if all of it is accepted.
    pub accepted: Option<String>,
}

/// The most seeds of a group that are named.
const NAMED: usize = 4;

/// Returns a line: `coverage: 7 of 7 seeds; 20 pairs of client and seed read (21 last night); …`.
pub fn line(coverage: &Coverage) -> String {
    let (read, before) = coverage.pairs();
    let before = before.map(|n| format!(" ({n} in the last night)")).unwrap_or_default();
    let runs: usize = coverage.clients.iter().map(|client| client.runs).sum();
    let mut text = format!(
        "coverage: {} of {} run; {} of client and seed read{before}; {} made, {}",
        coverage.seeds_run,
        plural(coverage.seeds, "seed", "seeds"),
        plural(read, "pair", "pairs"),
        plural(coverage.made, "variant", "variants"),
        plural(runs, "run", "runs"),
    );
    let changed: Vec<String> = coverage.clients.iter().filter_map(version_change).collect();
    if !changed.is_empty() {
        text.push_str(&format!("; changed: {}", changed.join(", ")));
    }
    let open = coverage.losses.iter().filter(|loss| loss.accepted.is_none()).count();
    match (open, coverage.losses.len() - open) {
        (0, 0) => {}
        (open, 0) => text.push_str(&format!("; {}", plural(open, "loss", "losses"))),
        (open, accepted) => {
            let losses = plural(open + accepted, "loss", "losses");
            text.push_str(&format!("; {losses} ({accepted} accepted)"));
        }
    }
    text
}

fn version_change(client: &ClientCoverage) -> Option<String> {
    let before = client.version_before.as_ref()?;
    let shown =
        |version: &str| if version.is_empty() { "?".to_owned() } else { version.to_owned() };
    Some(format!("{} from {} to {}", client.name, shown(before), shown(&client.version)))
}

/// Returns the rows of the table: client, version, seeds read, seeds read in the last night, runs.
pub fn rows(coverage: &Coverage) -> Vec<[String; 5]> {
    let row = |client: &ClientCoverage| {
        let version = match (&client.version_before, client.version.as_str()) {
            (Some(before), now) if !before.is_empty() => format!("{now} (was {before})"),
            (_, now) => now.to_owned(),
        };
        let before = client.read_before.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let read = format!("{} of {}", client.read.len(), coverage.seeds);
        [client.name.clone(), version, read, before, client.runs.to_string()]
    };
    coverage.clients.iter().map(row).collect()
}

/// Groups the losses by client and reason; those that are not accepted come first.
pub fn loss_groups(coverage: &Coverage) -> Vec<LossGroup> {
    type Key<'k> = (bool, Option<&'k str>, &'k str, Option<&'k str>);
    let mut groups: Vec<(Key<'_>, Vec<&str>)> = Vec::new();
    for loss in &coverage.losses {
        let accepted = loss.accepted.as_deref();
        let key = (accepted.is_some(), loss.client.as_deref(), loss.why.as_str(), accepted);
        let seed = loss.seed.as_deref();
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, seeds)) => seeds.extend(seed),
            None => groups.push((key, seed.into_iter().collect())),
        }
    }
    groups.sort_by_key(|(key, _)| *key);
    let group = |((_, client, why, accepted), seeds): (Key<'_>, Vec<&str>)| {
        let client = client.unwrap_or_default();
        let mut named = seeds.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        if seeds.len() > NAMED {
            named.push_str(", …");
        }
        let text = match (client, &seeds[..]) {
            ("", []) => why.to_owned(),
            ("", [seed]) => format!("{seed}: {why}"),
            ("", _) => format!("{} ({named}): {why}", plural(seeds.len(), "seed", "seeds")),
            (client, []) => format!("{client}: {why}"),
            (client, [seed]) => format!("{client}: {seed} not read: {why}"),
            (client, _) => format!("{client}: {} seeds not read ({named}): {why}", seeds.len()),
        };
        LossGroup { text, client: client.to_owned(), accepted: accepted.map(str::to_owned) }
    };
    groups.into_iter().map(group).collect()
}
