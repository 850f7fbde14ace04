//! A drawing of an analysis: each node with its edges, its invariants, and the questions and answers there.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::protocol::place;
use crate::protocol::server::Event;
use crate::protocol::{Spot, parse};
use crate::readable::Readable;
use crate::run::{Analysis, Known};
use crate::unfold::{PointId, Step};

/// The maximum number of nodes that are drawn.
const MOST: usize = 400;
/// The height of a line of text, the position where text begins, and the total width.
const LINE: usize = 18;
const LEFT: usize = 190;
const WIDTH: usize = 1_300;
/// The maximum number of characters of a line, each of which takes up to 8 pixels, and of lines of one text.
const LONGEST: usize = (WIDTH - LEFT - 10) / 8;
const LINES: usize = 4;

/// The classes of text, each with its meaning.
const LEGEND: [(&str, &str); 6] = [
    ("head", "a node: its number, its function and place, and its edges"),
    ("known", "what a client knows at the end"),
    ("asked", "a question"),
    ("answer", "the last answers to it"),
    ("verdict", "an assertion"),
    ("loop", "an arrow back to the head of a loop"),
];

/// The drawing as SVG.
pub fn svg(analysis: &Analysis) -> String {
    let unfolding = &analysis.unfolding;
    let mut points: Vec<PointId> = (0..unfolding.points.len())
        .map(|k| PointId(u32::try_from(k).unwrap_or(u32::MAX)))
        .filter(|point| unfolding.rank[point.0 as usize] != u32::MAX)
        .collect();
    points.sort_by_key(|point| unfolding.rank[point.0 as usize]);
    points.truncate(MOST);
    let mut asked: BTreeMap<&Spot, BTreeMap<&str, &Event>> = BTreeMap::new();
    for event in &analysis.outcome.log {
        // Only the last answers count.
        asked.entry(&event.spot).or_default().insert(event.asker, event);
    }
    let numbers: BTreeMap<PointId, usize> = points.iter().copied().zip(1..).collect();
    let (mut text, mut at, mut tops) = (String::new(), 30, BTreeMap::new());
    let mut write = |class: &str, line: &str, at: &mut usize| {
        for line in wrapped(line) {
            let _ = writeln!(
                text,
                r#"<text x="{LEFT}" y="{at}" class="{class}">{}</text>"#,
                escaped(&line)
            );
            *at += LINE;
        }
    };
    for (class, meaning) in LEGEND {
        write(class, meaning, &mut at);
    }
    at += LINE;
    for point in &points {
        tops.insert(*point, at);
        for (class, line) in lines(analysis, *point, &numbers, &asked) {
            write(class, &line, &mut at);
        }
        at += LINE / 2;
    }
    for top in tops.values() {
        let _ = writeln!(text, r#"<circle cx="{}" cy="{}" r="5"/>"#, LEFT - 20, top - 5);
    }
    let mut edges = String::new();
    for link in &unfolding.links {
        let (Some(from), Some(to)) = (tops.get(&link.from), tops.get(&link.to)) else { continue };
        let distance = from.abs_diff(*to);
        let (x, bend) = (LEFT - 26, LEFT.saturating_sub(30 + (distance / 6).min(LEFT - 50)));
        let class = if to < from { "back" } else { "edge" };
        let (from, to) = (from - 5, to - 5);
        let _ = writeln!(
            edges,
            r#"<path class="{class}" d="M{x} {from} C{bend} {from} {bend} {to} {x} {to}"/>"#
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{at}\" viewBox=\"0 0 {WIDTH} {at}\">\n<style>\
         text{{font:13px monospace;fill:#222}} .head{{font-weight:bold}} .known{{fill:#1a5fb4}} .asked{{fill:#a04000}} \
         .answer{{fill:#555}} .loop{{fill:#c01c28}} .verdict{{fill:#26702f;font-weight:bold}} path{{fill:none;stroke:#888;marker-end:url(#a)}} .back{{stroke:#c01c28}} \
         circle{{fill:#333}}</style>\n<marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#888;stroke:none\"/></marker>\n\
         <rect width=\"{WIDTH}\" height=\"{at}\" fill=\"#fff\"/>\n{edges}{text}</svg>\n"
    )
}

/// The lines about a point: its place and edges, verdicts, invariants, questions and answers.
fn lines(
    analysis: &Analysis,
    point: PointId,
    numbers: &BTreeMap<PointId, usize>,
    asked: &BTreeMap<&Spot, BTreeMap<&str, &Event>>,
) -> Vec<(&'static str, String)> {
    let unfolding = &analysis.unfolding;
    let program = &unfolding.program;
    let readable = Readable { program, segments: &analysis.segments };
    let (context, node) = unfolding.node(point);
    let graph = unfolding.graph(context);
    let place = graph.node(node).place.map(|place| program.at(place)).unwrap_or_default();
    let actions = unfolding.outgoing[point.0 as usize].iter().filter_map(|link| {
        let link = &unfolding.links[*link as usize];
        let to = numbers.get(&link.to).map(|to| format!(" -> {to}")).unwrap_or_default();
        // The edge of a return to a caller belongs to the caller.
        if matches!(link.step, Step::Leave(_)) {
            return Some(format!("back to the caller{to}"));
        }
        let action = program.action(&graph.edges.get(link.edge.index())?.action);
        Some(format!("{action}{to}").trim_start().to_owned())
    });
    let name = &program.function(unfolding.context(context).function).name;
    let number = numbers.get(&point).copied().unwrap_or_default();
    let place = if node == graph.exit { "exit".to_owned() } else { place };
    let actions = actions.collect::<Vec<_>>().join("  | ");
    let mut lines = vec![("head", format!("{number}  {name} {place} {actions}"))];
    for (assertion, known) in unfolding.assertions.iter().zip(&analysis.each) {
        if assertion.point == point {
            let verdict = match known {
                Known::Proved { by } => format!("proved ({})", by.join(", ")),
                Known::Refuted { by, .. } => format!("refuted ({by})"),
                Known::Unknown => "open".to_owned(),
            };
            lines.push(("verdict", format!("assertion: {verdict}")));
        }
    }
    for (client, report) in &analysis.outcome.reports {
        if let Some(invariant) = report.invariants.get(point.0 as usize) {
            lines.push(("known", format!("{client} knows: {}", readable.formula(invariant))));
        }
    }
    for event in asked.get(&place::spot(unfolding, point)).into_iter().flat_map(BTreeMap::values) {
        let wanted = event.wanted.iter().map(|of| {
            let term = crate::protocol::Term::Dereference(of.clone());
            readable.term(&term)
        });
        lines.push((
            "asked",
            format!("{} asks for {}", event.asker, wanted.collect::<Vec<_>>().join(", ")),
        ));
        for (client, answer) in &event.answers {
            let answer = parse::formula(answer)
                .map_or_else(|_| "nonsense".to_owned(), |f| readable.formula(&f));
            lines.push(("answer", format!("\u{a0}\u{a0}\u{a0}\u{a0}{client}: {answer}")));
        }
    }
    lines
}

/// Splits a text into short lines, broken at spaces; returns no more lines than fit.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + word.chars().count() > LONGEST {
            // Break between two parts of a formula if there are some. A space at the beginning would not be drawn.
            let full = lines.last_mut();
            let part = full.and_then(|line| {
                let at = [" and ", " or "]
                    .map(|between| line.rfind(between).map(|at| at + between.len()));
                let at = at.into_iter().flatten().max().filter(|at| *at > LONGEST / 2)?;
                Some(line.split_off(at))
            });
            lines.push("\u{a0}".repeat(8) + &part.unwrap_or_default());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push(format!("{}...", "\u{a0}".repeat(8)));
    }
    lines
}

fn escaped(line: &str) -> String {
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = (0..30).map(|k| format!("value >= {k}")).collect::<Vec<_>>().join(" and ");
        let lines = wrapped(&text);
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= LONGEST));
        assert!(lines[0].ends_with("and "), "{lines:?}");
        assert_eq!(lines.concat().replace('\u{a0}', ""), text);
        let long = wrapped(&text.repeat(9));
        assert_eq!((long.len(), long[LINES].trim()), (LINES + 1, "..."));
    }
}
