//! Graphs for Graphviz.

use std::fmt::Write as _;

use super::bundles;
use crate::graph::Graph;

/// The graph in DOT.
pub fn dot(graph: &Graph) -> String {
    let mut out = format!("digraph \"{}\" {{\n  rankdir=LR;\n", escape(&graph.library));
    for (k, node) in graph.nodes.iter().enumerate() {
        let label = escape(&node.description);
        let shape = if node.is_error { "octagon, color=red" } else { "ellipse" };
        let _ = writeln!(out, "  n{k} [label=\"{label}\", shape={shape}];");
    }
    for (k, node) in graph.initial.iter().enumerate() {
        let _ = writeln!(out, "  start{k} [shape=point];\n  start{k} -> n{node};");
    }
    for (from, to, labels) in bundles(graph) {
        let label: Vec<String> = labels.iter().map(|l| escape(l)).collect();
        let _ = writeln!(out, "  n{from} -> n{to} [label=\"{}\"];", label.join("\\n"));
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
