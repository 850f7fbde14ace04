//! The nodes that a path might reach.

use std::collections::BTreeSet;

use canonical::{Action, FunctionId, Graph, NodeId, Program};

use super::path::Path;
use crate::unfold::CallEdge;

/// The nodes that a path might reach from its current node, in all functions.
pub fn reachable(program: &Program, path: &Path) -> Vec<(FunctionId, NodeId)> {
    let mut functions = Vec::new();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let top = path.frames.len();
    for (k, frame) in path.frames.iter().enumerate() {
        let Some(graph) = &program.function(frame.function).body else { continue };
        let from = if k + 1 == top {
            frame.node
        } else {
            frame.waiting.map_or(frame.node, |edge| graph.edge(edge).to)
        };
        reach(graph, from, &mut |node| {
            found.push((frame.function, node));
            called(graph, node, &mut functions);
        });
    }
    while let Some(function) = functions.pop() {
        if !seen.insert(function) {
            continue;
        }
        let Some(graph) = &program.function(function).body else { continue };
        for node in (0..graph.nodes.len()).map(NodeId::new) {
            found.push((function, node));
            called(graph, node, &mut functions);
        }
    }
    found
}

/// Calls `visit` for all nodes that can be reached from one.
fn reach(graph: &Graph, from: NodeId, visit: &mut impl FnMut(NodeId)) {
    let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            visit(node);
            stack.extend(graph.successors(node).map(|edge| edge.to));
        }
    }
}

/// Adds the functions that the edges of a node call.
fn called(graph: &Graph, node: NodeId, functions: &mut Vec<FunctionId>) {
    for edge in graph.successors(node) {
        if let Action::Call(call) = &edge.action {
            functions.extend(call.callee.targets());
        }
    }
}

/// The calls by which a path entered its innermost function.
pub fn calls(path: &Path) -> Vec<CallEdge> {
    let outer = &path.frames[..path.frames.len().saturating_sub(1)];
    outer.iter().filter_map(|frame| Some((frame.function, frame.waiting?))).collect()
}
