//! Graphs for machines.

use serde::Serialize;

use super::label;
use crate::graph::Graph;

/// A graph as `--json` prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Json {
    /// Name of the library.
    pub library: String,
    /// Nodes.
    pub nodes: Vec<JsonNode>,
    /// Initial nodes.
    pub initial: Vec<usize>,
    /// Edges.
    pub edges: Vec<JsonEdge>,
    /// The number of nodes other than errors.
    pub regions: usize,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JsonNode {
    /// Number.
    pub id: usize,
    /// Condition over the globals.
    pub states: String,
    /// True for the error.
    pub error: bool,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JsonEdge {
    /// Node before the call.
    pub from: usize,
    /// Function.
    pub call: String,
    /// The condition over the parameters; absent if any values are allowed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub arguments: String,
    /// Values of the parameters that satisfy the condition.
    pub example: Vec<i64>,
    /// Node after the call.
    pub to: usize,
    /// Label in drawings.
    pub label: String,
}

/// A graph for machines.
pub fn json(graph: &Graph) -> Json {
    let node = |(id, n): (usize, &crate::graph::Node)| JsonNode {
        id,
        states: n.description.clone(),
        error: n.is_error,
    };
    let edge = |e: &crate::graph::Edge| JsonEdge {
        from: e.from,
        call: graph.functions[e.function].clone(),
        arguments: e.arguments.description.clone(),
        example: e.arguments.example.clone(),
        to: e.to,
        label: label(graph, e),
    };
    Json {
        library: graph.library.clone(),
        nodes: graph.nodes.iter().enumerate().map(node).collect(),
        initial: graph.initial.clone(),
        edges: graph.edges.iter().map(edge).collect(),
        regions: graph.regions(),
    }
}
