//! Values that a consumer compares with constants: the graph of a function, unfolded by the values
//! that were read.
//!
//! `c = get(); if (c != 31) return;` reads any byte but 31 and returns, or 31 and goes on. Section 7
//! of the paper names values, and leaves them open.

mod home;
mod reads;
mod tracked;
mod values;

use std::collections::BTreeSet;

use canonical::{Action as Step, Graph, Program};
use indexmap::IndexSet;

use crate::automata::Value as Read;
pub use home::Home;
pub use reads::Reads;
use tracked::Tracked;
use values::{Known, Value, Values};

/// Nodes of an unfolded graph, at most, with all values that are known; a larger one knows only that
/// which was read last.
const NODES: usize = 20_000;

/// Nodes of an unfolded graph, at most. A larger one stays as it is.
const NODES_OF_ONE: usize = 100_000;

/// A graph in which nodes are doubled by the values that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfolded {
    /// Number of nodes.
    pub nodes: usize,
    /// The node where it begins.
    pub entry: usize,
    /// The node where it ends.
    pub exit: usize,
    /// The edges.
    pub edges: Vec<Copied>,
    /// The positions of the guards that the values that are known do not decide, wherever they are
    /// reached.
    pub undecided: BTreeSet<usize>,
}

/// A copy of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// The node before, in the unfolded graph.
    pub from: usize,
    /// The node after.
    pub to: usize,
    /// The position of the edge in the graph.
    pub edge: usize,
    /// The value that is read.
    pub value: Read,
}

/// Unfolds a graph. Constants are converted between integer types as in C; a value that is none of them is taken to
/// stay so.
pub fn unfold(source: &Program, graph: &Graph, reads: &Reads) -> Unfolded {
    let tracked = Tracked::of(source, graph, reads);
    if tracked.is_empty() {
        return whole(graph);
    }
    let unfolding = |last_only, limit| {
        Unfolding { source, graph, reads, tracked: &tracked, last_only, limit }.run()
    };
    unfolding(false, NODES)
        .or_else(|| unfolding(true, NODES_OF_ONE))
        .unwrap_or_else(|| whole(graph))
}

/// The graph as it is.
fn whole(graph: &Graph) -> Unfolded {
    let edges = (0..).zip(&graph.edges).map(|(edge, e)| {
        let (from, to) = (e.from.index(), e.to.index());
        Copied { from, to, edge, value: Read::Any }
    });
    let guards = (0..).zip(&graph.edges).filter(|(_, e)| matches!(e.action, Step::Guard { .. }));
    Unfolded {
        nodes: graph.nodes.len(),
        entry: graph.entry.index(),
        exit: graph.exit.index(),
        edges: edges.collect(),
        undecided: guards.map(|(edge, _)| edge).collect(),
    }
}

struct Unfolding<'a> {
    source: &'a Program,
    graph: &'a Graph,
    reads: &'a Reads,
    tracked: &'a Tracked,
    /// Only the value that was read last is known.
    last_only: bool,
    limit: usize,
}

impl Unfolding<'_> {
    /// None if there are too many nodes.
    fn run(&self) -> Option<Unfolded> {
        let graph = self.graph;
        let mut nodes: IndexSet<(usize, Values)> = IndexSet::new();
        nodes.insert((graph.entry.index(), Values::new()));
        nodes.insert((graph.exit.index(), Values::new()));
        let mut edges = Vec::new();
        let mut undecided = BTreeSet::new();
        let mut from = 0;
        while from < nodes.len() {
            if nodes.len() > self.limit {
                return None;
            }
            let (node, known) = nodes[from].clone();
            for id in &graph.nodes[node].outgoing {
                let edge = id.index();
                let step = graph.edge(*id);
                let mut add = |mut known: Values, value: Read| {
                    if step.to == graph.exit {
                        known.clear();
                    }
                    let live = &self.tracked.live[step.to.index()];
                    known.retain(|home, _| live.contains(&home.root));
                    let (to, _) = nodes.insert_full((step.to.index(), known));
                    edges.push(Copied { from, to, edge, value });
                };
                match &step.action {
                    Step::Guard { condition, holds } => {
                        let truth = self.known(&known).truth(condition);
                        if truth.is_none() && !self.cannot_be(condition, &known) {
                            undecided.insert(edge);
                        }
                        if truth.is_none_or(|truth| truth == *holds) {
                            add(known.clone(), Read::Any);
                        }
                    }
                    action => {
                        for (value, known) in self.after(edge, action, known.clone()) {
                            add(known, value);
                        }
                    }
                }
            }
            from += 1;
        }
        Some(Unfolded { nodes: nodes.len(), entry: 0, exit: 1, edges, undecided })
    }

    /// True if a condition is about a value that the producer does not write.
    fn cannot_be(&self, condition: &canonical::Expr, known: &Values) -> bool {
        let mut found = false;
        canonical::walk::expressions(condition, &mut |part| {
            let value = Home::value(part).and_then(|home| known.get(&home));
            if let Some(Value::Other(set)) = value {
                found |= self.tracked.closed.contains(set);
            }
        });
        found
    }

    fn known<'k>(&'k self, values: &'k Values) -> Known<'k> {
        Known { values, sets: &self.tracked.sets }
    }

    /// The values that may be read by a step, each with those that are known then.
    fn after(&self, edge: usize, step: &Step, mut known: Values) -> Vec<(Read, Values)> {
        match step {
            Step::Assign { target, value } => {
                let new = Home::of(target)
                    .filter(|home| self.tracked.has(home) && !self.last_only_flag(home))
                    .and_then(|home| Some((home.clone(), self.value(&home, value, &known)?)));
                known.retain(|home, _| !home.is_changed(self.source, target));
                known.extend(new);
            }
            Step::Call(call) => {
                let reads = self.reads.edges.contains(&edge);
                known.retain(|home, _| !home.is_changed_by_call(self.source, call, reads));
                if let Some(home) = self.reads.homes.get(&edge) {
                    known.remove(home);
                    if let Some(set) = self.tracked.set(home) {
                        return self.read(home, set, &known);
                    }
                }
            }
            Step::Guard { .. } | Step::Nothing | Step::Return(_) => {}
        }
        vec![(Read::Any, known)]
    }

    fn last_only_flag(&self, home: &Home) -> bool {
        self.last_only && self.tracked.is_flag(home)
    }

    /// The value that an assignment gives a home. Of numbers, only those that it is compared with are
    /// told apart: a counter would have any number.
    fn value(&self, home: &Home, value: &canonical::Expr, known: &Values) -> Option<Value> {
        let number = self.known(known).number(value).map(Value::Is);
        let copied = || Home::value(value).and_then(|home| known.get(&home)).copied();
        match number.or_else(copied)? {
            Value::Is(value) => Some(match self.tracked.set(home) {
                Some(set) if !self.tracked.sets[set].contains(&value) => Value::Other(set),
                _ => Value::Is(value),
            }),
            // The constants of one set are those of all homes that values are copied between.
            Value::Other(set) => (self.tracked.set(home) == Some(set)).then_some(Value::Other(set)),
        }
    }

    /// The classes of values that a home is filled with.
    fn read(&self, home: &Home, set: usize, known: &Values) -> Vec<(Read, Values)> {
        let constants = &self.tracked.sets[set];
        let with = |value: Value| {
            let mut known = if self.last_only { Values::new() } else { known.clone() };
            known.insert(home.clone(), value);
            known
        };
        let mut all: Vec<(Read, Values)> = constants
            .iter()
            .map(|c| (Read::Is(*c), with(Value::Is(home.int.convert(*c)))))
            .collect();
        all.push((Read::Except(constants.clone()), with(Value::Other(set))));
        all
    }
}
