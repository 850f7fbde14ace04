//! Graphs as JSON, DOT and SVG.

mod dot;
mod json;
mod svg;

pub use dot::dot;
pub use json::{Json, json};
pub use svg::svg;

use crate::graph::{Edge, Graph};

/// The label of an edge: the call and its class of arguments.
fn label(graph: &Graph, edge: &Edge) -> String {
    let name = &graph.functions[edge.function];
    match edge.arguments.description.as_str() {
        "" => name.clone(),
        arguments => format!("{name} [{arguments}]"),
    }
}

/// The edges as pairs of nodes, each with the labels of all edges between them.
fn bundles(graph: &Graph) -> Vec<(usize, usize, Vec<String>)> {
    let mut out: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for edge in &graph.edges {
        let text = label(graph, edge);
        match out.iter_mut().find(|(from, to, _)| (*from, *to) == (edge.from, edge.to)) {
            Some((_, _, labels)) => labels.push(text),
            None => out.push((edge.from, edge.to, vec![text])),
        }
    }
    out
}
