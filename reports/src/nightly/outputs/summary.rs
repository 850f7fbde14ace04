//! A night in plain text.

use super::super::coverage::{Coverage, line, loss_groups, rows};
use super::super::verdict::{Item, Verdict};
use super::{Alarm, NightReport, title};
use crate::report::{bracket, clean, plural};

/// Lists new, worse, fixed and known findings and the coverage, for the terminal and for mail.
pub fn summary(report: &NightReport<'_>) -> String {
    let NightReport { night, verdict, coverage } = report;
    let mut lines =
        vec![format!("{}: {}", title(night), counts(verdict, coverage)), line(coverage)];
    let heads = [
        (Alarm::New, "NEW"),
        (Alarm::Worse, "WORSE"),
        (Alarm::Found, "FOUND, WITH UNCHANGED PROGRAMS"),
    ];
    for (alarm, head) in heads {
        let broken = alarm.broken(coverage).map(|broken| format!("  {}", broken.text));
        let items = alarm.items(verdict).iter().enumerate();
        let items = items.flat_map(|(place, item)| detailed(alarm, place, item));
        let all: Vec<String> = broken.chain(items).collect();
        if !all.is_empty() {
            lines.extend([String::new(), head.to_owned()]);
        }
        lines.extend(all);
    }
    let losses = loss_groups(coverage);
    if !losses.is_empty() {
        lines.extend([String::new(), "LOST COVERAGE".to_owned()]);
        let accepted =
            |phrase: Option<String>| phrase.map(|p| format!(" ({p})")).unwrap_or_default();
        let line = |group: super::super::coverage::LossGroup| {
            format!("  {}{}", group.text, accepted(group.accepted))
        };
        lines.extend(losses.into_iter().map(line));
    }
    let Verdict { fixed, known, unchecked, .. } = verdict;
    for (head, items) in [("FIXED", fixed), ("KNOWN", known), ("NOT RECHECKED", unchecked)] {
        if !items.is_empty() {
            lines.extend([String::new(), head.to_owned()]);
        }
        let line = |item: &Item| format!("  {} ({})", finding(item), item.why.join("; "));
        lines.extend(items.iter().map(line));
    }
    if !verdict.unused.is_empty() {
        lines.extend([String::new(), "ACCEPTED, BUT NEVER MET".to_owned()]);
        lines.extend(verdict.unused.iter().map(|line| format!("  {line}")));
    }
    lines.extend(table(rows(coverage)));
    lines.iter().map(|line| format!("{}\n", clean(line).trim_end())).collect()
}

/// A finding in several lines.
fn detailed(alarm: Alarm, place: usize, item: &Item) -> Vec<String> {
    let example = &item.bucket.example;
    let mut lines = vec![
        format!("  {}", finding(item)),
        format!(
            "      {}, {}, from {}",
            alarm.example(place, item),
            plural(example.file.len(), "byte", "bytes"),
            example.seed_file
        ),
    ];
    if !example.message.is_empty() {
        lines.push(format!("      message: {}", example.message));
    }
    lines.extend(item.why.iter().map(|why| format!("      {why}")));
    lines
}

/// The table of coverage.
fn table(rows: Vec<[String; 5]>) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["client", "version", "seeds read", "last night", "runs"].map(str::to_owned);
    let all: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let width = |k: usize| all.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |row: &[String; 5]| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("  {}", cells.join("  "))
    };
    [String::new(), "COVERAGE".to_owned()].into_iter().chain(all.iter().map(line)).collect()
}

/// The number of findings of each kind.
pub(super) fn counts(verdict: &Verdict, coverage: &Coverage) -> String {
    let Verdict { new, worse, found, fixed, known, unchecked, unused: _ } = verdict;
    let accepted = known.iter().filter(|item| item.accepted).count();
    let mut text = format!(
        "{} new, {} worse, {} fixed, {} known",
        new.len() + coverage.broken(false).count(),
        worse.len() + coverage.broken(true).count(),
        fixed.len(),
        known.len()
    );
    if accepted > 0 {
        text.push_str(&format!(" ({accepted} accepted)"));
    }
    if !found.is_empty() {
        text.push_str(&format!(", {} found with unchanged programs", found.len()));
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
    let (key, title) = (&bucket.key, &bucket.example.title);
    format!("{}: {}, {title}{class}{}", key.client, key.signature(), key.format_bracket())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{with_nothing, with_report};
    use super::*;

    #[test]
    fn it_reads_well() {
        insta::assert_snapshot!(with_report(summary));
        insta::assert_snapshot!(with_nothing(summary), @r"
        repfuzz, night of 2026-11-22, run seed 20261122: 0 new, 0 worse, 0 fixed, 0 known
        coverage: 0 of 0 seeds run; 0 pairs of client and seed read; 0 variants made, 0 runs
        ");
    }
}
