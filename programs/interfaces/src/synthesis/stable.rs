//! Refines until the partition is stable: the states of a node agree on the arguments with which each call leads to
//! each node, including errors. Then every sequence of calls has a single outcome, so the graph is safe and permissive.
//! It is the smallest such graph.
//!
//! Only nodes that the initial states reach are refined (Bouajjani, Fernandez and Halbwachs: minimal model generation),
//! because the partition of other states may be far larger.

use std::collections::{HashMap, VecDeque};

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::{MOST_NODES, arguments as arguments_of, empty};
use crate::graph::{Edge, Graph, Node};
use crate::library::Problem;
use crate::symbolic::{Calls, meet};

/// The node of errors.
const ERROR: usize = 0;

/// Steps of the forward search before refinement begins.
const FIRST_STEPS: usize = 64;

/// The calls of a stable node: function, arguments, and the class to which the call leads.
type Outgoing = Vec<(usize, Bdd, usize)>;

/// A run of the refinement, to which functions can be added.
#[derive(Debug, Clone)]
pub struct Stable<'a> {
    calls: &'a Calls,
    /// Classes by number; `None` for classes that were split.
    classes: Vec<Option<Bdd>>,
    functions: Vec<usize>,
    /// Globals and parameters from which a function leads into a class.
    into: HashMap<(usize, usize), Bdd>,
    /// Edges of classes that are stable.
    edges: HashMap<usize, Outgoing>,
    /// For each function, the states inside it that calls from reachable states reach, once they are known.
    inside: HashMap<usize, Bdd>,
    /// Number of classes that were split.
    pub splits: usize,
    /// The forward search.
    reach: Reach,
}

/// The states that the search has reached from the initial ones so far.
#[derive(Debug, Clone)]
struct Reach {
    all: Bdd,
    new: Bdd,
    /// True once the classes are restricted to the reached states.
    is_used: bool,
}

impl<'a> Stable<'a> {
    /// The first partition: errors and all other states.
    pub fn new(calls: &'a Calls) -> Self {
        let rest = calls.domain.and_not(&calls.error);
        Self {
            calls,
            classes: vec![Some(calls.error.clone()), Some(rest)],
            functions: Vec::new(),
            into: HashMap::new(),
            edges: HashMap::new(),
            inside: HashMap::new(),
            splits: 0,
            reach: Reach { all: calls.initial.clone(), new: calls.initial.clone(), is_used: false },
        }
    }

    /// Adds all functions and builds the graph.
    ///
    /// # Errors
    ///
    /// The deadline has passed, or the graph has too many nodes.
    pub fn explore(mut self) -> Result<Graph, Problem> {
        for f in 0..self.calls.functions.len() {
            self.add(f);
        }
        self.build()
    }

    /// Adds a function. Keeps the partition and refines it further.
    pub fn add(&mut self, function: usize) {
        self.functions.push(function);
        self.edges.clear();
        self.reach.new = self.reach.all.clone();
        if self.reach.is_used {
            // The function may lead to states that are in no class.
            self.restart(&self.calls.domain);
            self.inside.clear();
            self.reach.is_used = false;
        }
    }

    /// Begins with the first partition of some states.
    fn restart(&mut self, states: &Bdd) {
        let legal = states.and_not(&self.calls.error);
        self.classes = vec![Some(self.calls.error.clone()), Some(legal)];
        self.edges.clear();
        self.into.clear();
    }

    /// Restricts the classes to the reachable states.
    fn use_reach(&mut self) -> Result<(), Problem> {
        self.reach.is_used = true;
        self.restart(&self.reach.all.clone());
        for f in &self.functions {
            self.inside.insert(*f, self.calls.inside(*f, &self.reach.all)?);
        }
        Ok(())
    }

    /// Searches forward for a number of steps; returns true at the end of the search.
    fn search(&mut self, steps: usize) -> Result<bool, Problem> {
        for _ in 0..steps {
            if self.reach.new.is_false() {
                break;
            }
            self.calls.watch.begin("the reachable states were searched for");
            self.calls.in_time()?;
            let mut next = self.calls.space.nothing();
            for f in &self.functions {
                next = next.or(&self.calls.after(*f, &self.reach.new)?);
            }
            self.reach.new = next.and_not(&self.reach.all).and_not(&self.calls.error);
            self.reach.all = self.reach.all.or(&self.reach.new);
        }
        Ok(self.reach.new.is_false())
    }

    /// Refines, and builds the graph of the functions that were added.
    ///
    /// # Errors
    ///
    /// The deadline has passed, or the graph has too many nodes.
    pub fn build(&mut self) -> Result<Graph, Problem> {
        // Unreachable states may split a class into thousands. For most libraries a short search finds all reachable
        // states. For counters, the search alternates with refinement.
        if !self.reach.is_used && self.search(FIRST_STEPS)? {
            self.use_reach()?;
        }
        let mut budget = FIRST_STEPS;
        let mut turn = self.splits;
        let reached = 'again: loop {
            if !self.reach.is_used && self.splits - turn > budget {
                turn = self.splits;
                budget *= 2;
                if self.search(4 * budget)? {
                    self.use_reach()?;
                }
            }
            let nodes = self.classes.iter().flatten().count();
            self.calls.watch.begin(format!("states were told apart: {nodes} nodes so far"));
            let mut reached = self.initial();
            let mut queue: VecDeque<usize> = reached.iter().copied().collect();
            while let Some(class) = queue.pop_front() {
                self.calls.in_time()?;
                if !self.edges.contains_key(&class) && !self.stabilize(class)? {
                    continue 'again;
                }
                for (_, _, to) in &self.edges[&class] {
                    if *to != ERROR && !reached.contains(to) {
                        reached.push(*to);
                        queue.push_back(*to);
                    }
                }
            }
            break reached;
        };
        Ok(self.graph(&reached))
    }

    fn initial(&self) -> Vec<usize> {
        let is_initial =
            |c: &usize| self.classes[*c].as_ref().is_some_and(|set| meet(set, &self.calls.initial));
        (0..self.classes.len()).filter(is_initial).collect()
    }

    /// Computes the edges of a class, or splits it and returns false.
    fn stabilize(&mut self, class: usize) -> Result<bool, Problem> {
        let Some(set) = self.classes[class].clone() else { return Ok(false) };
        let mut outgoing = Outgoing::new();
        for f in self.functions.clone() {
            let parameters = self.calls.functions[f].parameters.clone();
            for to in 0..self.classes.len() {
                let Some(target) = self.classes[to].clone() else { continue };
                let into = match self.into.get(&(f, to)) {
                    Some(into) => into.clone(),
                    None => {
                        let target = (to != ERROR).then_some(&target);
                        let into = match (self.inside.get(&f), target) {
                            (Some(inside), _) => self.calls.into_among(f, target, inside)?,
                            (None, Some(target)) => self.calls.into(f, target)?,
                            (None, None) => self.calls.into_error(f)?,
                        };
                        self.into.insert((f, to), into.clone());
                        into
                    }
                };
                let here = into.and(&set);
                if here.is_false() {
                    continue;
                }
                let pieces = pieces(&set, &here, &parameters);
                if pieces.len() + self.classes.iter().flatten().count() > MOST_NODES {
                    let message = format!("the graph has more than {MOST_NODES} nodes");
                    return Err(Problem::new(self.calls.library.places.module, message));
                }
                if pieces.len() > 1 {
                    self.split(class, pieces);
                    return Ok(false);
                }
                let globals: Vec<BddVariable> = self
                    .calls
                    .space
                    .globals
                    .iter()
                    .flat_map(|g| g.now().collect::<Vec<_>>())
                    .collect();
                outgoing.push((f, here.exists(&globals), to));
            }
        }
        self.edges.insert(class, outgoing);
        Ok(true)
    }

    fn split(&mut self, class: usize, pieces: Vec<Bdd>) {
        self.classes[class] = None;
        self.into.retain(|(_, to), _| *to != class);
        self.edges.retain(|_, edges| edges.iter().all(|(_, _, to)| *to != class));
        self.classes.extend(pieces.into_iter().map(Some));
        self.splits += 1;
    }

    fn graph(&self, reached: &[usize]) -> Graph {
        let calls = self.calls;
        let mut graph = empty(&calls.library);
        let node = |class: usize| {
            let nothing = calls.space.nothing();
            let set = self.classes[class].as_ref().unwrap_or(&nothing);
            Node {
                description: calls.describe(set),
                states: calls.space.count(set),
                is_error: class == ERROR,
            }
        };
        graph.nodes = reached.iter().map(|class| node(*class)).collect();
        graph.initial = (0..self.initial().len()).collect();
        let error = reached.len();
        let fails = |edges: &Outgoing| edges.iter().any(|(_, _, to)| *to == ERROR);
        if reached.iter().any(|class| fails(&self.edges[class])) {
            graph.nodes.push(node(ERROR));
        }
        for (from, class) in reached.iter().enumerate() {
            for (f, arguments, to) in &self.edges[class] {
                let to = reached.iter().position(|c| c == to).unwrap_or(error);
                let arguments = arguments_of(&calls.library, &calls.space, *f, arguments);
                graph.edges.push(Edge { from, function: *f, arguments, to });
            }
        }
        graph.edges.sort_by_key(|e| (e.from, e.function, e.arguments.example.clone(), e.to));
        graph
    }
}

/// Splits `set` by the parameter values with which its states are in `relation`.
fn pieces(set: &Bdd, relation: &Bdd, parameters: &[BddVariable]) -> Vec<Bdd> {
    let mut rest = set.clone();
    let mut out = Vec::new();
    while !rest.is_false() {
        let Some(state) = rest.first_valuation() else { break };
        let values: Vec<(BddVariable, bool)> = relation
            .support_set()
            .into_iter()
            .filter(|v| !parameters.contains(v))
            .map(|v| (v, state.value(v)))
            .collect();
        let like = relation.restrict(&values);
        let differs = relation.xor(&like).exists(parameters);
        let piece = rest.and_not(&differs);
        rest = rest.and(&differs);
        out.push(piece);
        if out.len() > MOST_NODES {
            break;
        }
    }
    out
}
