//! Handles values that a consumer compares with constants, by unfolding the graph of a function by the values that were
//! read.
//!
//! `c = get(); if (c != 31) return;` reads any byte except 31 and returns, or reads 31 and continues. Section 7 of the
//! paper mentions values but does not treat them.

mod changes;
mod compared;
mod context;
mod home;
mod reads;
mod tracked;
mod values;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use canonical::{Action as Step, Expr, Graph, Program};
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::automata::Value as Read;
pub use context::{Context, is_unknown};
pub use home::Home;
pub use reads::Reads;
use tracked::{Number, Tracked};
use values::{Known, Value, Values, set};

/// The maximum number of nodes of an unfolded graph with all known values. If the graph would be larger, only the value
/// that was read last is known.
const NODES: usize = 20_000;

/// The maximum number of nodes of an unfolded graph. A larger one is not unfolded.
const NODES_OF_ONE: usize = 100_000;

/// The maximum number of values of a variable into which nothing is read. A variable with more values, such as an
/// unbounded counter, is not followed.
const VALUES: usize = 64;

/// A graph in which nodes are duplicated by the values that were read.
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
    /// The positions of the guards that known values do not decide, each with the nodes of the unfolded graph at which
    /// they are undecided.
    pub undecided: BTreeSet<(usize, usize)>,
}

/// A copy of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// The node of the unfolded graph at which the edge begins.
    pub from: usize,
    /// The node after.
    pub to: usize,
    /// The position of the edge in the graph.
    pub edge: usize,
    /// The value that is read.
    pub value: Read,
    /// True if the status of the edge is nonzero, false if it is 0, `None` if unknown.
    pub fails: Option<bool>,
}

/// The values that an unfolding distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// No value.
    None,
    /// Only the value that was read last.
    Last,
    /// The values that were read, and plain flags.
    Plain,
    /// All values that are known.
    All,
}

impl Detail {
    /// All details, the finest first.
    pub const FALLING: [Self; 4] = [Self::All, Self::Plain, Self::Last, Self::None];
}

/// Unfolds a graph. Constants are converted between integer types as in C. A value that is not one of the constants is
/// assumed not to become one by a conversion.
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
        let steps = vec![OnceCell::new(); graph.edges.len()];
        let unfolding =
            Unfolding { source, context, graph, reads, tracked: &tracked, last_only, limit, steps };
        match unfolding.run() {
            Ok(unfolded) => return unfolded,
            Err(Excess::Values(home)) => tracked.give_up(Some(home)),
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
    Values(Number),
}

/// Returns the graph without unfolding it.
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
    /// The effect of each edge, once known.
    steps: Vec<OnceCell<Changes>>,
}

/// The homes that a step changes.
#[derive(Debug, Clone, Default)]
struct Changes {
    all: FixedBitSet,
    /// The home that the step assigns, if it is followed.
    target: Option<Number>,
}

/// The nodes of an unfolded graph.
#[derive(Default)]
struct Nodes {
    /// The distinct combinations of known values.
    values: IndexSet<Values, FxBuildHasher>,
    /// For each node: the node of the original graph, the index of the known values, and true if a value that the
    /// producer does not write was read before.
    all: IndexSet<(usize, usize, bool), FxBuildHasher>,
}

impl Nodes {
    fn add(&mut self, node: usize, values: &Values, never: bool) -> usize {
        let known = self.values.get_index_of(values);
        let known = known.unwrap_or_else(|| self.values.insert_full(values.clone()).0);
        self.all.insert_full((node, known, never)).0
    }
}

impl Unfolding<'_> {
    fn run(&self) -> Result<Unfolded, Excess> {
        let graph = self.graph;
        let mut nodes = Nodes::default();
        nodes.add(graph.entry.index(), &self.first(), false);
        // In an empty function, the entry is also the exit.
        let exit = nodes.add(graph.exit.index(), &Values::new(), false);
        let mut edges = Vec::new();
        let mut undecided = BTreeSet::new();
        let mut had: Vec<FxHashSet<Value>> = vec![FxHashSet::default(); self.tracked.homes().len()];
        let mut counted = 0;
        let mut kept = Values::new();
        let mut from = 0;
        while let Some((node, known, never)) = nodes.all.get_index(from).copied() {
            if nodes.all.len() > self.limit {
                return Err(Excess::Nodes);
            }
            for values in nodes.values.iter().skip(counted) {
                self.count(values, &mut had)?;
            }
            counted = nodes.values.len();
            let known = nodes.values[known].clone();
            // The guards of a branch usually share one condition, so its truth is remembered.
            let mut decided: Option<(&Expr, Option<bool>)> = None;
            for id in &graph.nodes[node].outgoing {
                let edge = id.index();
                let step = graph.edge(*id);
                let status = self.reads.statuses.get(&edge);
                let fails = match never {
                    true => Some(false),
                    false => status.and_then(|status| self.known(&known).fails(status)),
                };
                let mut add = |known: &Values, value: Read| {
                    let live = &self.tracked.live[step.to.index()];
                    let is_last = step.to == graph.exit;
                    let never = !is_last && (never || self.is_never(edge, &value));
                    kept.clear();
                    kept.extend(known.iter().filter(|(home, _)| {
                        let is_used = !is_last && live.contains(*home);
                        is_used && !(never && self.tracked.is_flag(*home))
                    }));
                    let to = nodes.add(step.to.index(), &kept, never);
                    edges.push(Copied { from, to, edge, value, fails });
                };
                match &step.action {
                    Step::Guard { condition, holds } => {
                        let truth = match decided {
                            Some((same, truth)) if same == condition => truth,
                            _ => self.known(&known).truth(condition),
                        };
                        decided = Some((condition, truth));
                        if truth.is_none() && !never {
                            undecided.insert((edge, from));
                        }
                        if truth.is_none_or(|truth| truth == *holds) {
                            add(&known, Read::Any);
                        }
                    }
                    Step::Nothing | Step::Return(_) => add(&known, Read::Any),
                    action => {
                        for (value, known) in self.after(edge, action, &known) {
                            add(&known, value);
                        }
                    }
                }
            }
            from += 1;
        }
        Ok(Unfolded { nodes: nodes.all.len(), entry: 0, exit, edges, undecided })
    }

    /// Returns the values with which the function begins: those of parameters with one value in all calls, and in the
    /// first function those of global variables.
    fn first(&self) -> Values {
        let live = &self.tracked.live[self.graph.entry.index()];
        let used = self.tracked.homes().enumerate();
        let used =
            used.filter(|(number, _)| live.contains(*number) && self.tracked.is_flag(*number));
        used.filter_map(|(number, home)| {
            let initial = self.context.initial.get(home).filter(|_| self.reads.begins);
            let value = initial.or_else(|| {
                let value = self.context.parameters.get(&home.root)?;
                let ty = self.source.variable(home.root).ty.clone();
                let whole = Home::of(&canonical::Lvalue::variable(home.root, ty))?;
                (whole == *home).then_some(value)
            });
            Some((number, Value::Is(*value?)))
        })
        .collect()
    }

    /// Counts the values of variables into which nothing is read.
    fn count(&self, known: &Values, had: &mut [FxHashSet<Value>]) -> Result<(), Excess> {
        let counted = |home: Number| self.tracked.is_flag(home) || self.tracked.is_exact(home);
        for (home, value) in known.iter().filter(|(home, _)| counted(*home)) {
            let values = &mut had[*home];
            let most = VALUES.max(self.reads.numbers)
                + self.tracked.set(*home).map_or(0, |k| self.tracked.sets[k].len());
            if values.insert(*value) && values.len() > most {
                return Err(Excess::Values(*home));
            }
        }
        Ok(())
    }

    /// Returns true if a step reads a value that the producer does not write.
    fn is_never(&self, edge: usize, value: &Read) -> bool {
        let home = self.reads.homes.get(&edge).filter(|_| matches!(value, Read::Except(_)));
        let set = home.and_then(|home| self.tracked.set(self.tracked.number(home)?));
        set.is_some_and(|set| self.tracked.closed.contains(&set))
    }

    fn known<'k>(&'k self, values: &'k [(Number, Value)]) -> Known<'k> {
        Known { values, tracked: self.tracked, constants: &self.context.constants }
    }

    /// The homes that a step changes.
    fn changes(&self, edge: usize, step: &Step) -> &Changes {
        self.steps[edge].get_or_init(|| {
            let changed = |home: &Home| match step {
                Step::Assign { target, .. } => home.is_changed(self.source, target),
                Step::Call(call) => {
                    let reads = self.reads.edges.contains(&edge);
                    home.is_changed_by_call(self.source, self.context, call, reads)
                }
                Step::Guard { .. } | Step::Nothing | Step::Return(_) => false,
            };
            let target = match step {
                Step::Assign { target, .. } => {
                    Home::of(target).and_then(|home| self.tracked.number(&home))
                }
                Step::Call(_) => {
                    self.reads.homes.get(&edge).and_then(|home| self.tracked.number(home))
                }
                _ => None,
            };
            let all = self.tracked.homes().enumerate().filter(|(_, home)| changed(home));
            Changes { all: all.map(|(number, _)| number).collect(), target }
        })
    }

    /// Returns the values that a step may read, each with the values that are known after it.
    fn after(&self, edge: usize, step: &Step, known: &Values) -> Vec<(Read, Values)> {
        let Changes { all, target } = self.changes(edge, step);
        let mut after: Values = known.clone();
        after.retain(|(home, _)| !all.contains(*home));
        match (step, *target) {
            (Step::Assign { value, .. }, Some(home)) => {
                let is_followed =
                    self.tracked.has(home) && !(self.last_only && self.tracked.is_flag(home));
                let new = is_followed.then(|| self.value(home, value, known)).flatten();
                if let Some(new) = new {
                    set(&mut after, home, new);
                }
            }
            (Step::Call(_), Some(home)) => {
                after.retain(|(own, _)| *own != home);
                if let Some(set) = self.tracked.set(home) {
                    return self.read(home, set, &after);
                }
            }
            _ => {}
        }
        vec![(Read::Any, after)]
    }

    /// Returns the value that an assignment gives to a home. Distinguishes only the numbers with which it is compared,
    /// because a counter could have any number.
    fn value(&self, number: Number, value: &Expr, known: &Values) -> Option<Value> {
        let known = self.known(known);
        let own = known.number(value).map(Value::Is);
        let home = self.tracked.home(number);
        match own.or_else(|| known.get(&Home::value(value)?))? {
            Value::Is(value) => {
                let value = home.fit(self.source, value);
                Some(match self.tracked.set(number) {
                    Some(set)
                        if !self.tracked.sets[set].contains(&value)
                            && !self.tracked.is_exact(number) =>
                    {
                        Value::Other(set)
                    }
                    _ => Value::Is(value),
                })
            }
            // The bits that are kept may be equal to a constant.
            Value::Other(_) if home.bits(self.source).is_some() => None,
            // All homes between which values are copied share one set of constants.
            Value::Other(set) => {
                (self.tracked.set(number) == Some(set)).then_some(Value::Other(set))
            }
        }
    }

    /// The classes of values that a home is filled with.
    fn read(&self, number: Number, constants: usize, known: &Values) -> Vec<(Read, Values)> {
        let home = self.tracked.home(number);
        let with = |value: Option<Value>| {
            let mut known = if self.last_only { Values::new() } else { known.clone() };
            if let Some(value) = value {
                set(&mut known, number, value);
            }
            known
        };
        let is = |c: &i128| with(Some(Value::Is(home.fit(self.source, *c))));
        let other = home.bits(self.source).is_none().then_some(Value::Other(constants));
        let constants = &self.tracked.sets[constants];
        let mut all: Vec<(Read, Values)> =
            constants.iter().map(|c| (Read::Is(*c), is(c))).collect();
        all.push((Read::Except(constants.clone()), with(other)));
        all
    }
}
