//! Draws graphs without an external program. Nodes are in columns by their distance from the start.

use std::fmt::Write as _;

use super::bundle::{self, Bundle, View};
use crate::graph::Graph;

const COLUMN: i32 = 260;
const ROW: i32 = 130;
const WIDTH: i32 = 150;
const HEIGHT: i32 = 44;

/// The graph as an SVG document.
pub fn svg(graph: &Graph, view: View<'_>) -> String {
    let errors = view.has_errors();
    let (places, conditions) = (places(graph), bundle::conditions(graph));
    let shown = |k: usize| errors || !graph.nodes[k].is_error;
    let drawn = || places.iter().enumerate().filter(|(k, _)| shown(*k)).map(|(_, place)| place);
    let width = drawn().map(|p| p.0).max().unwrap_or(0) + COLUMN;
    let height = drawn().map(|p| p.1).max().unwrap_or(0) + ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
        escape(&graph.library)
    );
    for bundle in view.bundles(graph) {
        edge(&mut out, places[bundle.from], places[bundle.to], &bundle);
    }
    for (k, node) in graph.nodes.iter().enumerate().filter(|(k, _)| shown(*k)) {
        let (x, y) = places[k];
        let (color, line) = match (node.is_error, graph.initial.contains(&k)) {
            (true, _) => ("#fdd", 1),
            (false, true) => ("#dfd", 3),
            (false, false) => ("#eef", 1),
        };
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" \
             fill=\"{color}\" stroke=\"#333\" stroke-width=\"{line}\"/>",
            x - WIDTH / 2,
            y - HEIGHT / 2
        );
        let text = match (node.is_error, errors) {
            (true, _) => "ERROR".to_owned(),
            (false, true) => node.description.clone(),
            (false, false) => conditions[k].join(" & "),
        };
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\"><title>{}</title>{}</text>",
            y + 4,
            escape(&text),
            escape(&brief(&text))
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The centers of the nodes.
fn places(graph: &Graph) -> Vec<(i32, i32)> {
    let paths = graph.shortest_paths();
    let deepest = paths.iter().flatten().map(Vec::len).max().unwrap_or(0);
    // Columns wrap, because a single column of a large graph would be far too tall.
    let mut rows: Vec<i32> = vec![0; deepest + 2];
    let place = |k: usize| {
        let column = paths[k].as_ref().map_or(deepest + 1, Vec::len);
        let row = rows[column];
        rows[column] += 1;
        (COLUMN / 2 + COLUMN * column as i32, ROW / 2 + ROW * row)
    };
    (0..graph.nodes.len()).map(place).collect()
}

fn edge(out: &mut String, from: (i32, i32), to: (i32, i32), bundle: &Bundle) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let (path, label) = if from == to {
        let top = y1 - HEIGHT / 2;
        let path = format!(
            "M{} {top}C{} {} {} {} {} {top}",
            x1 - 20,
            x1 - 40,
            top - 34,
            x1 + 40,
            top - 34,
            x1 + 20
        );
        (path, (x1, top - 28))
    } else {
        // Opposite edges bend to different sides.
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = f64::from(dx * dx + dy * dy).sqrt().max(1.0);
        let bend = |d: i32| (f64::from(d) / length * 36.0) as i32;
        let middle = ((x1 + x2) / 2 - bend(dy), (y1 + y2) / 2 + bend(dx));
        let (sx, sy) = border(from, middle);
        let (ex, ey) = border(to, middle);
        let label = ((sx + 2 * middle.0 + ex) / 4, (sy + 2 * middle.1 + ey) / 4);
        (format!("M{sx} {sy}Q{} {} {ex} {ey}", middle.0, middle.1), label)
    };
    let (line, stroke, text_color) =
        if bundle.marked { (3, "#c00000", "#c00000") } else { (1, "#333", "#048") };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{line}\" \
         marker-end=\"url(#a)\"/>"
    );
    for (k, text) in bundle.labels.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{text_color}\">{}</text>",
            label.0,
            label.1 + 12 * k as i32,
            escape(&brief(text))
        );
    }
}

/// Returns the point at which a line from the center of a node to `toward` leaves the node.
fn border((x, y): (i32, i32), toward: (i32, i32)) -> (i32, i32) {
    let (dx, dy) = (f64::from(toward.0 - x), f64::from(toward.1 - y));
    let scale = (f64::from(WIDTH / 2) / dx.abs()).min(f64::from(HEIGHT / 2) / dy.abs());
    if scale.is_finite() { (x + (dx * scale) as i32, y + (dy * scale) as i32) } else { (x, y) }
}

fn brief(text: &str) -> String {
    const MOST: usize = 28;
    match text.chars().count() > MOST {
        true => text.chars().take(MOST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
