//! Graphs for Graphviz.

use std::fmt::Write as _;

use super::bundle::{self, Bundle, View};
use crate::graph::Graph;

/// The graph in DOT.
pub fn dot(graph: &Graph, view: View<'_>) -> String {
    let errors = view.has_errors();
    let mut out = format!("digraph \"{}\" {{\n  rankdir=LR;\n", escape(&graph.library));
    let conditions = bundle::conditions(graph);
    if !errors {
        // Long conditions are placed below each other so that the drawing fits the width of a page.
        out.push_str(
            "  nodesep=0.3;\n  ranksep=0.4;\n  \
             node [fontname=\"sans-serif\", fontsize=13, margin=\"0.08,0.05\"];\n  \
             edge [fontname=\"sans-serif\", fontsize=12];\n",
        );
    }
    for (k, node) in graph.nodes.iter().enumerate() {
        let _ = match (node.is_error, errors) {
            (true, false) => Ok(()),
            (false, false) => {
                let lines: Vec<String> = conditions[k].iter().map(|line| escape(line)).collect();
                let label = lines.join("\\n");
                writeln!(out, "  n{k} [label=\"{label}\", shape=box, style=rounded];")
            }
            (is_error, true) => {
                let shape = if is_error { "octagon, color=red" } else { "ellipse" };
                writeln!(out, "  n{k} [label=\"{}\", shape={shape}];", escape(&node.description))
            }
        };
    }
    for (k, node) in graph.initial.iter().enumerate() {
        let _ = writeln!(out, "  start{k} [shape=point];\n  start{k} -> n{node};");
    }
    for Bundle { from, to, labels, marked } in view.bundles(graph) {
        let label: Vec<String> = labels.iter().map(|l| escape(l)).collect();
        let style = match (marked, errors) {
            (true, _) => ", color=\"#c00000\", fontcolor=\"#c00000\", penwidth=2.5",
            (false, true) => "",
            (false, false) => ", color=\"#888888\", fontcolor=\"#555555\"",
        };
        let _ = writeln!(out, "  n{from} -> n{to} [label=\"{}\"{style}];", label.join("\\n"));
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
