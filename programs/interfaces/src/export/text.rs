//! Graphs as text.

use std::fmt::Write as _;

use super::label;
use crate::graph::Graph;

/// The nodes, each with the edges that leave it.
pub fn text(graph: &Graph) -> String {
    let mut out = String::new();
    for (k, node) in graph.nodes.iter().enumerate() {
        let initial = if graph.initial.contains(&k) { " (initial)" } else { "" };
        let _ = match node.is_error {
            true => writeln!(out, "{k}: ERROR"),
            false => writeln!(out, "{k}: {}{initial}", node.description),
        };
        for edge in graph.outgoing(k) {
            let error = if graph.nodes[edge.to].is_error { " ERROR" } else { "" };
            let _ = writeln!(out, "   {} -> {}{error}", label(graph, edge), edge.to);
        }
    }
    out
}
