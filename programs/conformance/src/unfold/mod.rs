//! Values that a consumer compares with constants: the graph of a function, unfolded by the values
//! that were read.
//!
//! `c = get(); if (c != 31) return;` reads any byte but 31 and returns, or 31 and goes on. Section 7
//! of the paper names values, and leaves them open.

mod changes;
mod context;
mod home;
mod reads;
mod tracked;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Action as Step, Graph, Program};
use indexmap::IndexSet;

use crate::automata::Value as Read;
pub use context::{Context, is_unknown};
pub use home::Home;
pub use reads::Reads;
use tracked::Tracked;
use values::{Known, Value, Values};

/// Nodes of an unfolded graph, at most, with all values that are known; a larger one knows only that
/// which was read last.
const NODES: usize = 20_000;

/// Nodes of an unfolded graph, at most. A larger one stays as it is.
const NODES_OF_ONE: usize = 100_000;

/// Values of one variable that nothing is read into, at most; one with more is not followed, as a counter without a
/// bound.
const VALUES: usize = 64;

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
    /// The positions of the guards that the values that are known do not decide, with the nodes of the unfolded graph where
    /// they do not.
    pub undecided: BTreeSet<(usize, usize)>,
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
    /// True if the status of the edge is not 0, false if it is, if that is known.
    pub fails: Option<bool>,
}

/// The values that an unfolding tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// No value.
    None,
    /// The value that was read last.
    Last,
    /// The values that were read, and flags.
    Plain,
    /// All values that are known.
    All,
}

impl Detail {
    /// All, the greatest first.
    pub const FALLING: [Self; 4] = [Self::All, Self::Plain, Self::Last, Self::None];
}

/// Unfolds a graph. Constants are converted between integer types as in C; a value that is none of them is taken to
/// stay so.
pub fn unfold(
    source: &Program,
    context: &Context,
    graph: &Graph,
    reads: &Reads,
    detail: Detail,
) -> Unfolded {
    let mut tracked = Tracked::of(source, graph, reads);
    if tracked.is_empty() || detail == Detail::None {
        return whole(graph);
    }
    if detail < Detail::All {
        tracked.give_up(None);
    }
    let (mut last_only, mut limit) = match detail {
        Detail::Last => (true, NODES_OF_ONE),
        _ => (false, NODES),
    };
    loop {
        let unfolding =
            Unfolding { source, context, graph, reads, tracked: &tracked, last_only, limit };
        match unfolding.run() {
            Ok(unfolded) => return unfolded,
            Err(Excess::Values(home)) => tracked.give_up(Some(&home)),
            Err(Excess::Nodes) if !tracked.is_plain() => tracked.give_up(None),
            Err(Excess::Nodes) if !last_only => (last_only, limit) = (true, NODES_OF_ONE),
            Err(Excess::Nodes) => return whole(graph),
        }
    }
}

/// The reason why a graph is not unfolded.
enum Excess {
    /// There are too many nodes.
    Nodes,
    /// This home has too many values.
    Values(Home),
}

/// The graph as it is.
fn whole(graph: &Graph) -> Unfolded {
    let edges = (0..).zip(&graph.edges).map(|(edge, e)| {
        let (from, to) = (e.from.index(), e.to.index());
        Copied { from, to, edge, value: Read::Any, fails: None }
    });
    let guards = (0..).zip(&graph.edges).filter(|(_, e)| matches!(e.action, Step::Guard { .. }));
    Unfolded {
        nodes: graph.nodes.len(),
        entry: graph.entry.index(),
        exit: graph.exit.index(),
        edges: edges.collect(),
        undecided: guards.map(|(edge, e)| (edge, e.from.index())).collect(),
    }
}

struct Unfolding<'a> {
    source: &'a Program,
    context: &'a Context,
    graph: &'a Graph,
    reads: &'a Reads,
    tracked: &'a Tracked,
    /// Only the value that was read last is known.
    last_only: bool,
    limit: usize,
}

impl Unfolding<'_> {
    fn run(&self) -> Result<Unfolded, Excess> {
        let graph = self.graph;
        // The last is true after a value was read that the producer does not write.
        let mut nodes: IndexSet<(usize, Values, bool)> = IndexSet::new();
        nodes.insert((graph.entry.index(), self.first(), false));
        // Of an empty function, both are one.
        let (exit, _) = nodes.insert_full((graph.exit.index(), Values::new(), false));
        let mut edges = Vec::new();
        let mut undecided = BTreeSet::new();
        let mut had: BTreeMap<Home, BTreeSet<Value>> = BTreeMap::new();
        let mut from = 0;
        while from < nodes.len() {
            if nodes.len() > self.limit {
                return Err(Excess::Nodes);
            }
            let (node, known, never) = nodes[from].clone();
            self.count(&known, &mut had)?;
            for id in &graph.nodes[node].outgoing {
                let edge = id.index();
                let step = graph.edge(*id);
                let status = self.reads.statuses.get(&edge);
                let fails = match never {
                    true => Some(false),
                    false => status.and_then(|status| self.known(&known).fails(status)),
                };
                let mut add = |mut known: Values, value: Read| {
                    let live = &self.tracked.live[step.to.index()];
                    let mut never = never || self.is_never(edge, &value);
                    if step.to == graph.exit {
                        known.clear();
                        never = false;
                    }
                    known.retain(|home, _| {
                        live.contains(&home.root) && !(never && self.tracked.is_flag(home))
                    });
                    let (to, _) = nodes.insert_full((step.to.index(), known, never));
                    edges.push(Copied { from, to, edge, value, fails });
                };
                match &step.action {
                    Step::Guard { condition, holds } => {
                        let truth = self.known(&known).truth(condition);
                        if truth.is_none() && !never {
                            undecided.insert((edge, from));
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
        Ok(Unfolded { nodes: nodes.len(), entry: 0, exit, edges, undecided })
    }

    /// The values with which the function begins: of parameters that have one in all calls, and in the first function
    /// of variables of the program.
    fn first(&self) -> Values {
        let live = &self.tracked.live[self.graph.entry.index()];
        let mut known = Values::new();
        for root in live {
            let Some(value) = self.context.parameters.get(root) else { continue };
            let ty = self.source.variable(*root).ty.clone();
            let home = Home::of(&canonical::Lvalue::variable(*root, ty));
            known.extend(home.map(|home| (home, Value::Is(*value))));
        }
        if self.reads.begins {
            let initial = self.context.initial.iter().filter(|(home, _)| live.contains(&home.root));
            known.extend(initial.map(|(home, value)| (home.clone(), Value::Is(*value))));
        }
        known.retain(|home, _| self.tracked.is_flag(home));
        known
    }

    /// Counts the values of variables that nothing is read into.
    fn count(
        &self,
        known: &Values,
        had: &mut BTreeMap<Home, BTreeSet<Value>>,
    ) -> Result<(), Excess> {
        let counted = |home: &Home| self.tracked.is_flag(home) || self.tracked.is_exact(home);
        for (home, value) in known.iter().filter(|(home, _)| counted(home)) {
            let values = had.entry(home.clone()).or_default();
            let most = VALUES.max(self.reads.numbers)
                + self.tracked.set(home).map_or(0, |k| self.tracked.sets[k].len());
            if values.insert(*value) && values.len() > most {
                return Err(Excess::Values(home.clone()));
            }
        }
        Ok(())
    }

    /// True if a step reads a value that the producer does not write.
    fn is_never(&self, edge: usize, value: &Read) -> bool {
        let home = self.reads.homes.get(&edge).filter(|_| matches!(value, Read::Except(_)));
        let set = home.and_then(|home| self.tracked.set(home));
        set.is_some_and(|set| self.tracked.closed.contains(&set))
    }

    fn known<'k>(&'k self, values: &'k Values) -> Known<'k> {
        Known { values, sets: &self.tracked.sets, constants: &self.context.constants }
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
                known.retain(|home, _| {
                    !home.is_changed_by_call(self.source, self.context, call, reads)
                });
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
            Value::Is(value) => {
                let value = home.fit(self.source, value);
                Some(match self.tracked.set(home) {
                    Some(set)
                        if !self.tracked.sets[set].contains(&value)
                            && !self.tracked.is_exact(home) =>
                    {
                        Value::Other(set)
                    }
                    _ => Value::Is(value),
                })
            }
            // The bits that are kept may be those of a constant.
            Value::Other(_) if home.bits(self.source).is_some() => None,
            // The constants of one set are those of all homes that values are copied between.
            Value::Other(set) => (self.tracked.set(home) == Some(set)).then_some(Value::Other(set)),
        }
    }

    /// The classes of values that a home is filled with.
    fn read(&self, home: &Home, set: usize, known: &Values) -> Vec<(Read, Values)> {
        let constants = &self.tracked.sets[set];
        let with = |value: Option<Value>| {
            let mut known = if self.last_only { Values::new() } else { known.clone() };
            known.extend(value.map(|value| (home.clone(), value)));
            known
        };
        let is = |c: &i128| with(Some(Value::Is(home.fit(self.source, *c))));
        let mut all: Vec<(Read, Values)> =
            constants.iter().map(|c| (Read::Is(*c), is(c))).collect();
        let other = home.bits(self.source).is_none().then_some(Value::Other(set));
        all.push((Read::Except(constants.clone()), with(other)));
        all
    }
}
