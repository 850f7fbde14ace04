//! A night in plain text.

use super::verdict::{Item, Verdict};
use super::{Night, example_name};
use crate::report::{bracket, clean, plural};

/// Lists new, fixed and known findings, for the terminal and for mails.
pub fn summary(night: &Night, verdict: &Verdict) -> String {
    let Verdict { new, fixed, known, unchecked } = verdict;
    let mut lines = vec![format!("{}: {}", title(night), counts(verdict))];
    for (place, item) in new.iter().enumerate() {
        if place == 0 {
            lines.extend([String::new(), "NEW".to_owned()]);
        }
        let example = &item.bucket.example;
        lines.push(format!("  {}", finding(item)));
        lines.push(format!(
            "      {}, {}, from {}",
            example_name(place, item),
            plural(example.file.len(), "byte", "bytes"),
            example.seed_file
        ));
        if !example.message.is_empty() {
            lines.push(format!("      message: {}", example.message));
        }
        lines.extend(item.why.iter().map(|why| format!("      {why}")));
    }
    for (head, items) in [("FIXED", fixed), ("KNOWN", known), ("NOT RECHECKED", unchecked)] {
        if !items.is_empty() {
            lines.extend([String::new(), head.to_owned()]);
        }
        let line = |item: &Item| format!("  {} ({})", finding(item), item.why.join("; "));
        lines.extend(items.iter().map(line));
    }
    lines.iter().map(|line| format!("{}\n", clean(line).trim_end())).collect()
}

/// The title of the night.
pub(super) fn title(night: &Night) -> String {
    format!("repfuzz, night of {}, run seed {}", night.day, night.number)
}

/// The number of findings of each kind.
pub(super) fn counts(verdict: &Verdict) -> String {
    let Verdict { new, fixed, known, unchecked } = verdict;
    let accepted = known.iter().filter(|item| item.accepted).count();
    let mut text = format!("{} new, {} fixed, {} known", new.len(), fixed.len(), known.len());
    if accepted > 0 {
        text.push_str(&format!(" ({accepted} accepted)"));
    }
    if !unchecked.is_empty() {
        text.push_str(&format!(", {} not rechecked", unchecked.len()));
    }
    text
}

/// Describes a finding in a line.
pub(super) fn finding(item: &Item) -> String {
    let bucket = &item.bucket;
    let class = bracket(bucket.class);
    format!("{}: {}, {}{class}", bucket.key.client, bucket.key.signature(), bucket.example.title)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::verdict::tests::bucket;
    use super::*;
    use crate::oracle::Outcome;

    pub fn night() -> Night {
        let clients = [("a", "1.0"), ("<b>", "2"), ("fine", "")];
        let clients = clients.map(|(name, version)| (name.to_owned(), version.to_owned()));
        Night { day: "2026-11-22".into(), number: 20_261_122, clients: clients.into() }
    }

    pub fn verdict() -> Verdict {
        let item = |client, outcome, dimensions: &[&str], why: &str, accepted| Item {
            bucket: bucket(client, outcome, dimensions),
            why: vec![why.to_owned()],
            accepted,
        };
        Verdict {
            new: vec![item("<b>", Outcome::Wrong, &["x", "y"], "perhaps the same as x", false)],
            fixed: vec![item("a", Outcome::Crash, &["x"], "seen since 2026-11-03", false)],
            known: vec![
                item("a", Outcome::Hang, &["x"], "accepted: known bug", true),
                item("a", Outcome::Refused, &["z"], "seen since 2026-11-03", false),
            ],
            unchecked: vec![item("gone", Outcome::Wrong, &["x"], "last seen 2026-11-03", false)],
        }
    }

    #[test]
    fn it_reads_well() {
        insta::assert_snapshot!(summary(&night(), &verdict()));
        insta::assert_snapshot!(summary(&night(), &Verdict::default()), @"repfuzz, night of 2026-11-22, run seed 20261122: 0 new, 0 fixed, 0 known");
    }
}
