//! Programs as graphs for Graphviz.

use std::fmt::Write;

use crate::model::{Action, Function, Graph, Program};

/// The maximum number of characters of a label.
const LABEL: usize = 80;

/// The graphs of all functions in the DOT language, a cluster each. A node shows its number and its
/// line; an edge shows its action.
pub fn program(program: &Program) -> String {
    let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
    out.push_str("  edge [fontname=monospace];\n");
    for (id, function, graph) in program.defined() {
        function_into(program, id.0, function, graph, &mut out);
    }
    out.push_str("}\n");
    out
}

fn function_into(program: &Program, id: u32, function: &Function, graph: &Graph, out: &mut String) {
    let name = quoted(&function.name);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  subgraph cluster_{id} {{\n    label={name};");
    for (k, node) in graph.nodes.iter().enumerate() {
        let line = node.place.map(|place| format!("\nline {}", place.line)).unwrap_or_default();
        let shape = match k {
            _ if k == graph.entry.index() => ", style=bold",
            _ if k == graph.exit.index() => ", peripheries=2",
            _ => "",
        };
        let label = quoted(&format!("{k}{line}"));
        let _ = writeln!(out, "    f{id}n{k} [label={label}{shape}];");
    }
    for edge in &graph.edges {
        let label = quoted(&program.action(&edge.action));
        let style = match edge.action {
            Action::Call(_) => ", style=bold",
            _ => "",
        };
        let (from, to) = (edge.from.0, edge.to.0);
        let _ = writeln!(out, "    f{id}n{from} -> f{id}n{to} [label={label}{style}];");
    }
    out.push_str("  }\n");
}

/// Formats a text as a string of DOT, shortened.
fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(LABEL).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", short.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
