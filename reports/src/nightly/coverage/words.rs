//! Coverage in words: a line, a table, and losses grouped by reason.

use super::model::{ClientCoverage, Coverage};
use crate::report::plural;

/// Losses of one client, or of one seed, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossGroup {
    /// Formats a loss with its reason: `vips: 3 seeds not read (a.tif, b.tif, c.tif): crash: SIGSEGV`.
    pub text: String,
    /// The client; empty if the losses concern all clients.
    pub client: String,
    /// The phrase of the acceptance, if all losses of the group are accepted.
    pub accepted: Option<String>,
}

/// The maximum number of seeds that are named for a group.
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
    let versions = coverage.clients.iter().filter_map(version_change);
    let changed: Vec<String> = versions.chain(replaced(coverage)).collect();
    if !changed.is_empty() {
        text.push_str(&format!("; changed: {}", changed.join(", ")));
    }
    let confined = |c: &ClientCoverage| c.confined.as_ref().map(|s| format!("{}: {s}", c.name));
    let confined: Vec<String> = coverage.clients.iter().filter_map(confined).collect();
    if !confined.is_empty() {
        text.push_str(&format!("; WARNING: sandboxes other than planned: {}", confined.join(", ")));
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
    if let Some(why) = &client.version_unknown {
        return Some(format!("{}, {}", client.name, unknown(client, why)));
    }
    let before = client.version_before.as_ref()?;
    let before = if before.is_empty() { "an unknown version" } else { before };
    Some(format!("{} from {before} to {}", client.name, client.version))
}

/// `version unknown: its command did not finish (last known: 8.15)`.
fn unknown(client: &ClientCoverage, why: &str) -> String {
    match client.version_known.as_str() {
        "" => format!("version unknown: {why}"),
        known => format!("version unknown: {why} (last known: {known})"),
    }
}

/// The seeds whose files changed according to their digests.
fn replaced(coverage: &Coverage) -> impl Iterator<Item = String> {
    coverage.replaced.iter().map(|(seed, before)| {
        let short = |digest: &str| digest.chars().take(12).collect::<String>();
        let now = coverage.digests.get(seed).map_or("", String::as_str);
        format!("{seed} is another file (SHA-256 {}…, was {}…)", short(now), short(before))
    })
}

/// Returns the rows of the table: client, version, seeds read, seeds read in the last night, runs.
pub fn rows(coverage: &Coverage) -> Vec<[String; 5]> {
    let row = |client: &ClientCoverage| {
        let version = match (&client.version_unknown, &client.version_before) {
            (Some(why), _) => unknown(client, why),
            (_, Some(before)) if !before.is_empty() => format!("{} (was {before})", client.version),
            _ => client.version.clone(),
        };
        let confined = client.confined.as_ref().map(|c| format!(" [sandbox: {c}]"));
        let version = version + &confined.unwrap_or_default();
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
        let text = group_text(client, &seeds, why);
        LossGroup { text, client: client.to_owned(), accepted: accepted.map(str::to_owned) }
    };
    groups.into_iter().map(group).collect()
}

/// Formats losses of `client` (all if it is empty) on `seeds` (all if there are none) for one reason.
pub(super) fn group_text(client: &str, seeds: &[&str], why: &str) -> String {
    let mut named = seeds.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if seeds.len() > NAMED {
        named.push_str(", …");
    }
    match (client, seeds) {
        ("", []) => why.to_owned(),
        ("", [seed]) => format!("{seed}: {why}"),
        ("", _) => format!("{} ({named}): {why}", plural(seeds.len(), "seed", "seeds")),
        (client, []) => format!("{client}: {why}"),
        (client, [seed]) => format!("{client}: {seed} not read: {why}"),
        (client, _) => format!("{client}: {} seeds not read ({named}): {why}", seeds.len()),
    }
}
