//! What a set of variants covers, in words: value classes, and pairs of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use inverter::solve::cover::{Impossible, Tally};
use serde_json::json;

use super::wrapped;

/// How wide a line is.
const COLUMNS: usize = 80;

/// For so many pairs of dimensions it is told which of their classes cannot meet.
const TOLD: usize = 20;

/// Lines of text; `impossible` is known only where pairs were aimed at.
pub fn lines(tally: &Tally, impossible: Option<&[Impossible]>) -> Vec<String> {
    let mut lines = Vec::new();
    for (dimension, classes) in sorted(tally) {
        let counts: Vec<String> =
            classes.iter().map(|(class, count)| format!("{class} {count}")).collect();
        indented(&mut lines, 2, &format!("{dimension}: {}", counts.join(", ")));
    }
    let (all, covered) = (tally.pairs(), tally.covered());
    let mut total = format!("pairs of value classes: {covered} of {all} covered");
    if let Some(impossible) = impossible {
        let _ = write!(total, "; {} impossible", impossible.len());
        let open = all.saturating_sub(covered + impossible.len());
        if open > 0 {
            let _ = write!(total, "; {open} left");
        }
    }
    lines.push(total);
    reasons(&mut lines, impossible.unwrap_or_default());
    lines
}

/// The impossible pairs, those of the same two dimensions together.
fn reasons(lines: &mut Vec<String>, impossible: &[Impossible]) {
    let mut groups: BTreeMap<(&str, &str), Vec<&Impossible>> = BTreeMap::new();
    for pair in impossible {
        groups.entry((&pair.one.0, &pair.other.0)).or_default().push(pair);
    }
    let more = groups.len().saturating_sub(TOLD);
    for ((one, other), pairs) in groups.into_iter().take(TOLD) {
        let Some(first) = pairs.first() else { continue };
        let such = match pairs.len() {
            1 => String::new(),
            n => format!("{n} pairs, such as "),
        };
        let pair = format!("{such}{one} {} with {other} {}", first.one.1, first.other.1);
        indented(lines, 2, &pair);
        indented(lines, 4, &short(&first.why));
    }
    if more > 0 {
        lines.push(format!("  and those of {more} more pairs of dimensions: see --json"));
    }
}

/// A reason without the value that it is about, which may be a long list.
fn short(why: &str) -> String {
    let refused = why.strip_prefix("choice `").and_then(|rest| {
        let (dimension, rest) = rest.split_once('`')?;
        let (_, constraint) = rest.split_once("is not possible here: ")?;
        Some(format!("{dimension}: {constraint}"))
    });
    let told = refused.unwrap_or_else(|| why.to_owned());
    match told.char_indices().nth(220) {
        Some((end, _)) => format!("{}...", &told[..end]),
        None => told,
    }
}

fn indented(lines: &mut Vec<String>, by: usize, text: &str) {
    for (k, line) in wrapped(text, COLUMNS - by - 2).iter().enumerate() {
        let more = if k == 0 { 0 } else { 2 };
        lines.push(format!("{:1$}{line}", "", by + more));
    }
}

/// The same as one line of JSON.
pub fn json(tally: &Tally, made: u64, impossible: Option<&[Impossible]>) -> String {
    let (all, covered) = (tally.pairs(), tally.covered());
    json!({
        "variants": made,
        "dimensions": sorted(tally),
        "pairs": { "all": all, "covered": covered, "impossible": impossible },
    })
    .to_string()
}

fn sorted(tally: &Tally) -> BTreeMap<&str, BTreeMap<&str, u64>> {
    tally.dimensions().map(|(name, classes)| (name, classes.into_iter().collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::{Choices, Value, value_class};

    #[test]
    fn it_fits_eighty_columns() {
        let mut tally = Tally::new();
        for k in 0..30 {
            let values = (0..5).map(|d| (format!("dimension {d}"), Value::Int((k * (d + 1)) % 17)));
            tally.count(&values.collect::<Choices>(), value_class);
        }
        let impossible: Vec<Impossible> = (0..25)
            .map(|k| Impossible {
                one: (format!("one {k:02}"), "1".to_owned()),
                other: ("strip order".to_owned(), "shuffled".to_owned()),
                why: format!(
                    "choice `strip order` = [{}] is not possible here: it must have each of 0 to 1 once",
                    vec!["17"; 100].join(", ")
                ),
            })
            .collect();
        let lines = lines(&tally, Some(&impossible));
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMNS), "{lines:#?}");
        let has = |text: &str| assert!(lines.iter().any(|line| line == text), "{lines:#?}");
        has("  one 00 1 with strip order shuffled");
        has("    strip order: it must have each of 0 to 1 once");
        has("  and those of 5 more pairs of dimensions: see --json");
        assert!(lines.iter().any(|line| line.starts_with("pairs of value classes: ")));
    }
}
