//! Text and JSON for the coverage of a set of variants: value classes and their combinations.

use std::collections::BTreeMap;
use std::fmt::Write;

use covering::{Gap, GapKind, Generator, Tally};
use serde_json::{Value, json};

use super::wrapped;

/// Width of a line.
const COLUMNS: usize = 80;

/// The maximum number of groups of dimensions whose uncovered combinations are listed.
const MOST_GROUPS: usize = 20;

/// The size of a covering set and the combinations that it leaves out.
#[derive(Debug, Clone)]
pub struct Covered {
    /// The uncovered combinations.
    pub gaps: Vec<Gap>,
    /// The number of combinations whose classes occur together pairwise.
    pub possible: usize,
    /// A lower bound on the number of variants that cover as much.
    pub least: usize,
}

impl Covered {
    /// Summarizes a covering set that is complete.
    pub fn of(generator: &Generator) -> Self {
        Self {
            gaps: generator.gaps(),
            possible: generator.possible(),
            least: generator.lower_bound(),
        }
    }

    fn count(&self, how: GapKind, strength: usize) -> usize {
        self.gaps.iter().filter(|gap| gap.how == how && gap.classes.len() == strength).count()
    }
}

/// Formats coverage as lines of text; `covered` exists only for covering sets.
pub fn lines(tally: &Tally, covered: Option<&Covered>) -> Vec<String> {
    let mut lines = Vec::new();
    for (dimension, classes) in sorted(tally) {
        let counts: Vec<String> =
            classes.iter().map(|(class, count)| format!("{class} {count}")).collect();
        indented(&mut lines, 2, &format!("{dimension}: {}", counts.join(", ")));
    }
    let mut total = total(tally);
    if let Some(covered) = covered {
        outcome(&mut total, tally, covered);
    }
    indented(&mut lines, 0, &total);
    if let Some(covered) = covered {
        let (dimensions, product) = tally.largest_product();
        let size = format!(
            "the largest product of classes is {product} ({}); covering as much takes at \
             least {} variants",
            dimensions.join(" and "),
            covered.least
        );
        indented(&mut lines, 0, &size);
        for (how, title) in [
            (GapKind::Refused, "refused, and the constraint that refuses them"),
            (GapKind::NotFound, "not found, but perhaps possible"),
        ] {
            reasons(&mut lines, &covered.gaps, how, title);
        }
    }
    lines
}

fn total(tally: &Tally) -> String {
    let what = if tally.strength() == 2 { "pairs" } else { "triples" };
    let (all, met) = (tally.combinations(), tally.covered());
    format!("{what} of value classes: {met} of {all} covered")
}

/// Appends the reasons why combinations are not covered.
fn outcome(total: &mut String, tally: &Tally, covered: &Covered) {
    let strength = tally.strength();
    let mut rest = tally.combinations().saturating_sub(tally.covered());
    let counts = match strength {
        2 => vec![
            (covered.count(GapKind::Refused, 2), "refused"),
            (covered.count(GapKind::Excluded, 2), "excluded by prerequisites"),
        ],
        _ => {
            let apart = tally.combinations().saturating_sub(covered.possible);
            vec![(apart, "with two classes that never occur together")]
        }
    };
    let not_found = (covered.count(GapKind::NotFound, strength), "not found");
    for (count, what) in counts.into_iter().chain([not_found]) {
        rest = rest.saturating_sub(count);
        if count > 0 {
            let _ = write!(total, "; {count} {what}");
        }
    }
    if rest > 0 {
        let _ = write!(total, "; {rest} left");
    }
}

/// Lists the gaps of a kind, grouped by dimensions.
fn reasons(lines: &mut Vec<String>, gaps: &[Gap], how: GapKind, title: &str) {
    let mut groups: BTreeMap<Vec<&str>, Vec<&Gap>> = BTreeMap::new();
    for gap in gaps.iter().filter(|gap| gap.how == how) {
        groups.entry(gap.classes.iter().map(|c| c.0.as_str()).collect()).or_default().push(gap);
    }
    if groups.is_empty() {
        return;
    }
    lines.push(format!("{title}:"));
    let more = groups.len().saturating_sub(MOST_GROUPS);
    for all in groups.into_values().take(MOST_GROUPS) {
        let Some(first) = all.first() else { continue };
        let such = match all.len() {
            1 => String::new(),
            n => format!("{n}, such as "),
        };
        let classes: Vec<String> =
            first.classes.iter().map(|(name, class)| format!("{name} {class}")).collect();
        indented(lines, 2, &format!("{such}{}", classes.join(" with ")));
        indented(lines, 4, &short(&first.why));
    }
    if more > 0 {
        lines.push(format!("  and those of {more} more groups of dimensions: see --json"));
    }
}

/// Shortens a reason by removing the value that it is about, which may be a long list.
fn short(why: &str) -> String {
    let refused = why.strip_prefix("choice `").and_then(|rest| {
        let (dimension, rest) = rest.split_once('`')?;
        let (_, constraint) = rest.split_once("is not possible here: ")?;
        Some(format!("{dimension}: {constraint}"))
    });
    let text = refused.unwrap_or_else(|| why.to_owned());
    match text.char_indices().nth(220) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

fn indented(lines: &mut Vec<String>, by: usize, text: &str) {
    for (k, line) in wrapped(text, COLUMNS - by - 2).iter().enumerate() {
        let more = if k == 0 { 0 } else { 2 };
        lines.push(format!("{:1$}{line}", "", by + more));
    }
}

/// Formats coverage as one line of JSON.
pub fn json(tally: &Tally, made: u64, covered: Option<&Covered>) -> String {
    let (dimensions, product) = tally.largest_product();
    let mut coverage = json!({
        "strength": tally.strength(),
        "all": tally.combinations(),
        "covered": tally.covered(),
        "largest_product": { "dimensions": dimensions, "classes": product },
    });
    if let Some(covered) = covered {
        coverage["possible"] = covered.possible.into();
        coverage["least"] = covered.least.into();
        coverage["gaps"] = covered.gaps.iter().map(gap_json).collect();
    }
    json!({ "variants": made, "dimensions": sorted(tally), "coverage": coverage }).to_string()
}

fn gap_json(gap: &Gap) -> Value {
    json!({ "classes": gap.classes, "how": gap.how, "why": gap.why })
}

fn sorted(tally: &Tally) -> BTreeMap<&str, BTreeMap<&str, u64>> {
    tally.dimensions().map(|(name, classes)| (name, classes.into_iter().collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::{Choice, Choices, value_class};

    #[test]
    fn it_fits_eighty_columns() {
        let mut tally = Tally::new();
        for k in 0..30 {
            let values =
                (0..5).map(|d| (format!("dimension {d}"), Choice::Int((k * (d + 1)) % 17)));
            tally.add(&values.collect::<Choices>(), value_class);
        }
        let gap = |k: usize, how: GapKind| Gap {
            classes: vec![
                (format!("one {k:02}"), "1".to_owned()),
                ("strip order".to_owned(), "shuffled".to_owned()),
            ],
            how,
            why: format!(
                "choice `strip order` = [{}] is not possible here: it must have each of 0 to 1 once",
                vec!["17"; 100].join(", ")
            ),
        };
        let gaps = (0..25).map(|k| gap(k, GapKind::Refused)).chain([gap(30, GapKind::NotFound)]);
        let covered = Covered { gaps: gaps.collect(), possible: 180, least: 20 };
        let lines = lines(&tally, Some(&covered));
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMNS), "{lines:#?}");
        insta::assert_snapshot!(lines.join("\n"));
    }
}
