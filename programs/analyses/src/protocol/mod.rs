//! The protocol: the functions of clients and of the server (arXiv:1511.02415, 2.6 and 2.7).

pub mod channel;
pub mod formula;
pub mod parse;
pub mod place;
pub mod server;
#[cfg(feature = "nats")]
pub mod wire;

use serde::{Deserialize, Serialize};

use crate::unfold::CallEdge;
use canonical::{FunctionId, NodeId};

pub use formula::{Dereference, Formula, Interpretation, Relation, Term};

/// The kinds of edges that a context lists (2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Filter {
    /// Edges of nodes with several outgoing edges.
    pub branching: bool,
    /// Edges of calls that have not returned yet.
    pub call: bool,
}

/// The paths to a node on which the edges of the kinds in the filter are these, in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The function.
    pub function: FunctionId,
    /// The node.
    pub node: NodeId,
    /// The kinds of the edges.
    pub filter: Filter,
    /// The edges.
    pub edges: Vec<CallEdge>,
}

impl Spot {
    /// All paths to a node.
    pub fn anywhere(function: FunctionId, node: NodeId) -> Self {
        Self { function, node, filter: Filter { branching: false, call: false }, edges: Vec::new() }
    }

    /// All paths to a node that enter its function by these calls.
    pub fn called(function: FunctionId, node: NodeId, edges: Vec<CallEdge>) -> Self {
        Self { function, node, filter: Filter { branching: false, call: true }, edges }
    }
}

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// The client did something, or may do so.
    Worked,
    /// It waits for others.
    Waits,
    /// Its results are final.
    Finished,
}

/// The end of a client's analysis; the kinds are those of the paper's evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It over-approximates the program's memory.
    Success,
    /// It does not do so within its bounds.
    Failure,
    /// Its time was used up.
    TimeOut,
    /// It panicked, gave an invalid answer, or did not answer.
    Crash,
}

/// A verdict on an assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No run fails it.
    Proved,
    /// As far as is known, it may fail.
    Unknown,
    /// It fails with these inputs if the client is correct.
    Refuted(Vec<i128>),
}

/// The result of a client.
#[derive(Debug, Clone)]
pub struct Report {
    /// The way in which the analysis ended.
    pub end: End,
    /// A verdict for each assertion.
    pub verdicts: Vec<Verdict>,
    /// An invariant for each point of the graph, if the client computes invariants.
    pub invariants: Vec<Formula>,
}

/// The functions of the server that a client may call in a step.
pub trait Server {
    /// The conjunction of the answers of all other clients.
    fn get_values(&mut self, spot: &Spot, wanted: &[Dereference]) -> Formula;
    /// Notifies all other clients that the knowledge of this one at a place changed.
    fn on_location_outdated(&mut self, spot: &Spot);
    /// Returns true if all other clients say that they over-approximate memory.
    fn is_memory_over_approximated(&mut self) -> bool;
    /// Returns true if another client can improve.
    fn can_improve_memory_over_approximation(&mut self) -> bool;
}

/// An analysis.
///
/// An answer at a place must over-approximate what the client knows there **without the answers of others at that very
/// place**. Otherwise, two clients could each exclude a state only because the other one does.
pub trait Client: Send {
    /// The name: `box`.
    fn name(&self) -> &'static str;
    /// Does a small part of the analysis.
    fn step(&mut self, server: &mut dyn Server) -> Progress;
    /// Returns an over-approximation of what is known, as an SMT-LIB 2 formula.
    fn get_values(&mut self, spot: &Spot, wanted: &[Dereference]) -> String;
    /// Another client's knowledge at a place changed.
    fn on_location_outdated(&mut self, spot: &Spot);
    /// Returns true only if the client's states cover those of all runs, provided that all answers that it used do as
    /// well.
    fn is_memory_over_approximated(&mut self) -> bool;
    /// Returns true if the client may still come to over-approximate memory.
    fn can_improve_memory_over_approximation(&mut self) -> bool;
    /// Ends the communication. Queries are no longer answered.
    fn conclude(&mut self);
    /// The result.
    fn report(&mut self) -> Report;
}
