//! A drawing of an analysis: each node with its edges, its invariants, and what was asked and answered there.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::protocol::place;
use crate::protocol::server::Event;
use crate::protocol::{Spot, parse};
use crate::readable::Readable;
use crate::run::Analysis;
use crate::unfold::{PointId, Step};

/// Most nodes that are drawn.
const MOST: usize = 400;
/// Height of a line of text, and the place where text begins.
const LINE: usize = 18;
const LEFT: usize = 190;
/// Most characters of a line.
const LONGEST: usize = 150;

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
        // The last answers are those that count.
        asked.entry(&event.spot).or_default().insert(event.asker, event);
    }
    let (mut text, mut at, mut tops) = (String::new(), 30, BTreeMap::new());
    for point in &points {
        tops.insert(*point, at);
        let _ = writeln!(text, r#"<circle cx="{}" cy="{}" r="5"/>"#, LEFT - 20, at - 5);
        for (class, line) in lines(analysis, *point, &asked) {
            let _ = writeln!(
                text,
                r#"<text x="{LEFT}" y="{at}" class="{class}">{}</text>"#,
                escaped(&line)
            );
            at += LINE;
        }
        at += LINE / 2;
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
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1300\" height=\"{at}\" viewBox=\"0 0 1300 {at}\">\n<style>\
         text{{font:13px monospace;fill:#222}} .head{{font-weight:bold}} .known{{fill:#1a5fb4}} .asked{{fill:#a04000}} \
         .answer{{fill:#666}} path{{fill:none;stroke:#888;marker-end:url(#a)}} .back{{stroke:#c01c28}} \
         circle{{fill:#333}}</style>\n<marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#888;stroke:none\"/></marker>\n\
         <rect width=\"1300\" height=\"{at}\" fill=\"#fff\"/>\n{edges}{text}</svg>\n"
    )
}

/// The lines about a point: its place and edges, invariants, questions and answers.
fn lines(
    analysis: &Analysis,
    point: PointId,
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
        let action = program.action(&graph.edges.get(link.edge.index())?.action);
        // The edge of a return to a caller belongs to the caller.
        (!matches!(link.step, Step::Leave(_)) && !action.is_empty()).then_some(action)
    });
    let name = &program.function(unfolding.context(context).function).name;
    let head = format!("{name} {place}  {}", actions.collect::<Vec<_>>().join("  |  "));
    let mut lines = vec![("head", head)];
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
            lines.push(("answer", format!("    {client}: {answer}")));
        }
    }
    lines
}

fn escaped(line: &str) -> String {
    let mut short: String = line.chars().take(LONGEST).collect();
    if short.len() < line.len() {
        short.push_str(" ...");
    }
    short.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
