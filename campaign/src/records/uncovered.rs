//! Checks a run's results: every difference must have a cause with its own outcome.

use std::collections::HashMap;

use super::record::Record;
use crate::oracle::Outcome;

/// A cause as the check sees it: outcomes, and the dimensions that it needs; `None` if they are unknown.
type Known<'r> = (Vec<Outcome>, Option<&'r [String]>);

/// From the records of a finished run, returns the results that no cause with the same outcome explains: the client and
/// the number of the variant. A cause explains a result if it belongs to the same client and has the same outcome, and
/// if the variant differs from the seed in all dimensions that the cause needs. Dropped clients have no causes, and are
/// left out. The result is empty unless triage has lost a finding.
pub fn uncovered(records: &[Record]) -> Vec<(String, u64)> {
    let mut causes: HashMap<&str, Vec<Known<'_>>> = HashMap::new();
    let mut varied: HashMap<u64, Vec<&str>> = HashMap::new();
    for record in records {
        match record {
            Record::Cause { client, outcome, dimensions, flaky, runs, .. } => {
                let mut outcomes: Vec<Outcome> = runs.iter().map(|r| r.signature.outcome).collect();
                outcomes.push(*outcome);
                // A result that was not reduced represents all results with its outcome.
                let needed = (!flaky && !dimensions.is_empty()).then_some(&dimensions[..]);
                causes.entry(client).or_default().push((outcomes, needed));
            }
            Record::Variant { variant, choices, .. } => {
                varied.insert(*variant, choices.iter().map(|(name, _)| name).collect());
            }
            _ => {}
        }
    }
    let explains = |(outcomes, needed): &Known<'_>, outcome: Outcome, variant: u64| {
        let has = |name: &String| varied.get(&variant).is_some_and(|v| v.contains(&name.as_str()));
        outcomes.contains(&outcome) && needed.is_none_or(|needed| needed.iter().all(has))
    };
    let is_dropped = |name: &str| {
        records.iter().any(|r| matches!(r, Record::Dropped { client, .. } if client == name))
    };
    let lost = records.iter().filter_map(|record| match record {
        Record::Result { client, variant, outcome, .. }
            if outcome.is_difference() && !is_dropped(client) =>
        {
            let known = causes.get(&**client).map(Vec::as_slice).unwrap_or_default();
            let is_explained = known.iter().any(|cause| explains(cause, *outcome, *variant));
            (!is_explained).then(|| (client.clone(), *variant))
        }
        _ => None,
    });
    lost.collect()
}
