//! Test suites from interface graphs (section 6.2): sequences of calls for an implementation under
//! test, which must fail exactly where the graph does.

mod c;
mod rust;

pub(crate) use c::TRAPS;
pub use c::{CFunction, CParameter, c_suite};
pub use rust::rust_suite;

use crate::graph::{Call, Graph};

/// The sequences that a suite has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Each edge is in some sequence.
    Edges,
    /// Every two edges that may be consecutive are consecutive in some sequence.
    Pairs,
}

/// A sequence of calls with the expected result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// Calls.
    pub calls: Vec<Call>,
    /// True if the last call must fail. All others must not.
    pub fails: bool,
}

/// Returns the shortest sequences that reach each edge or pair of edges. None of them is a prefix of another.
pub fn sequences(graph: &Graph, coverage: Coverage) -> Vec<Sequence> {
    let paths = graph.shortest_paths();
    let mut walks: Vec<Vec<usize>> = Vec::new();
    for (k, edge) in graph.edges.iter().enumerate() {
        let Some(mut walk) = paths[edge.from].clone() else { continue };
        walk.push(k);
        if coverage == Coverage::Pairs {
            for (j, next) in graph.edges.iter().enumerate() {
                if next.from == edge.to {
                    let mut longer = walk.clone();
                    longer.push(j);
                    walks.push(longer);
                }
            }
        }
        walks.push(walk);
    }
    walks.sort();
    walks.dedup();
    // In sorted order, a prefix is right before a walk that begins with it.
    let is_prefix = |k: usize| walks.get(k + 1).is_some_and(|next| next.starts_with(&walks[k]));
    let kept = (0..walks.len()).filter(|k| !is_prefix(*k));
    let mut out: Vec<Sequence> = kept
        .map(|k| {
            let call = |e: &usize| {
                let edge = &graph.edges[*e];
                Call { function: edge.function, arguments: edge.arguments.example.clone() }
            };
            let fails = walks[k].last().is_some_and(|e| graph.nodes[graph.edges[*e].to].is_error);
            Sequence { calls: walks[k].iter().map(call).collect(), fails }
        })
        .collect();
    out.sort_by_key(|s| s.calls.len());
    out
}
