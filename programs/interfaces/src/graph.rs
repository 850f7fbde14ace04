//! Interface graphs: nodes are sets of states of a library, edges are calls.

use std::collections::{HashMap, VecDeque};

use biodivine_lib_bdd::{Bdd, BddVariable};

use crate::symbolic::{Boxes, Field};

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The states, as a condition over the globals.
    pub description: String,
    /// The number of states, if the algorithm knows it.
    pub states: Option<u128>,
    /// True for the error.
    pub is_error: bool,
}

/// A class of values of the parameters of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// The values, as a condition over the parameters; empty if any values are allowed.
    pub description: String,
    /// The values as boxes; `None` if any values are allowed, or if `set` has them.
    pub boxes: Option<Boxes>,
    /// The values as a diagram, if they would need too many boxes (for example all odd numbers).
    pub set: Option<ValueSet>,
    /// Example values of the class.
    pub example: Vec<i64>,
}

impl Arguments {
    /// Returns true if the class has these values.
    pub fn contains(&self, values: &[i64]) -> bool {
        if let Some(set) = &self.set {
            return set.allows(&values.iter().copied().enumerate().collect());
        }
        self.boxes.as_ref().is_none_or(|boxes| {
            boxes.iter().any(|b| b.iter().zip(values).all(|((l, h), v)| l <= v && v <= h))
        })
    }

    /// Returns true if some values of the class have these values at some positions.
    pub fn allows(&self, known: &HashMap<usize, i64>) -> bool {
        if let Some(set) = &self.set {
            return set.allows(known);
        }
        let agrees =
            |b: &Vec<(i64, i64)>| known.iter().all(|(k, v)| (b[*k].0..=b[*k].1).contains(v));
        self.boxes.as_ref().is_none_or(|boxes| boxes.iter().any(agrees))
    }

    /// Returns the values at the ends of the class: the lowest and the highest of each box.
    pub fn ends(&self) -> Vec<Vec<i64>> {
        match &self.set {
            Some(set) => set.ends(),
            None => self
                .boxes
                .iter()
                .flatten()
                .flat_map(|b| {
                    [b.iter().map(|(low, _)| *low).collect(), b.iter().map(|r| r.1).collect()]
                })
                .collect(),
        }
    }
}

/// A set of values of parameters as a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSet {
    set: Bdd,
    fields: Vec<Field>,
}

impl ValueSet {
    /// A set over some variables.
    pub(crate) fn new(set: Bdd, fields: Vec<Field>) -> Self {
        Self { set, fields }
    }

    /// Returns true if the set contains values that have these at some positions.
    fn allows(&self, known: &HashMap<usize, i64>) -> bool {
        let mut bits: Vec<(BddVariable, bool)> = Vec::new();
        for (k, value) in known {
            let Some(field) = self.fields.get(*k) else { continue };
            if !(field.low..=field.high).contains(value) {
                return false;
            }
            bits.extend(field.now().enumerate().map(|(bit, v)| (v, value >> bit & 1 == 1)));
        }
        !self.set.restrict(&bits).is_false()
    }

    /// The first and the last values of the set, in the order of the diagram.
    fn ends(&self) -> Vec<Vec<i64>> {
        let ends = [self.set.first_valuation(), self.set.last_valuation()];
        let values = |at: &biodivine_lib_bdd::BddValuation| {
            self.fields.iter().map(|f| f.value(&|v| at.value(v))).collect()
        };
        ends.iter().flatten().map(values).collect()
    }
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Node before the call.
    pub from: usize,
    /// Function, an index into [`Graph::functions`].
    pub function: usize,
    /// Values of the parameters for which the call is this edge.
    pub arguments: Arguments,
    /// Node after the call.
    pub to: usize,
}

/// An interface graph. A call is illegal at a node if one of its edges leads to an error, or if it has no edge there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Name of the library.
    pub library: String,
    /// Names of the functions.
    pub functions: Vec<String>,
    /// Names of the parameters of each function.
    pub parameters: Vec<Vec<String>>,
    /// Nodes; errors come last.
    pub nodes: Vec<Node>,
    /// Initial nodes.
    pub initial: Vec<usize>,
    /// Edges, by node, function and arguments.
    pub edges: Vec<Edge>,
}

/// A call in a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    /// Function, an index into [`Graph::functions`].
    pub function: usize,
    /// Values of the function's parameters.
    pub arguments: Vec<i64>,
}

impl Graph {
    /// Returns the number of nodes other than errors, which are the regions of Figure 4.
    pub fn regions(&self) -> usize {
        self.nodes.iter().filter(|n| !n.is_error).count()
    }

    /// The edges that leave a node.
    pub fn outgoing(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |e| e.from == node)
    }

    /// Returns the nodes in which a call from one of `nodes` may end; `None` if it may be an error.
    pub fn step(&self, nodes: &[usize], call: &Call) -> Option<Vec<usize>> {
        let mut next = Vec::new();
        for node in nodes {
            let before = next.len();
            for edge in self.outgoing(*node) {
                if edge.function == call.function && edge.arguments.contains(&call.arguments) {
                    if self.nodes[edge.to].is_error {
                        return None;
                    }
                    next.push(edge.to);
                }
            }
            if next.len() == before {
                return None;
            }
        }
        next.sort_unstable();
        next.dedup();
        Some(next)
    }

    /// The length of the longest legal prefix of a sequence of calls.
    pub fn legal_prefix(&self, calls: &[Call]) -> usize {
        let mut nodes = self.initial.clone();
        for (k, call) in calls.iter().enumerate() {
            match self.step(&nodes, call) {
                Some(next) => nodes = next,
                None => return k,
            }
        }
        calls.len()
    }

    /// Returns the edges of a sequence of calls from the first initial node; `None` if the sequence is not legal.
    pub fn path(&self, calls: &[Call]) -> Option<Vec<usize>> {
        let mut node = *self.initial.first()?;
        let mut out = Vec::with_capacity(calls.len());
        for call in calls {
            let place = self.edges.iter().position(|edge| {
                edge.from == node
                    && edge.function == call.function
                    && edge.arguments.contains(&call.arguments)
                    && !self.nodes[edge.to].is_error
            })?;
            node = self.edges[place].to;
            out.push(place);
        }
        Some(out)
    }

    /// A call as text.
    pub fn call_text(&self, call: &Call) -> String {
        let arguments: Vec<String> = call.arguments.iter().map(i64::to_string).collect();
        format!("{}({})", self.functions[call.function], arguments.join(", "))
    }

    /// Shortest sequences of edges from an initial node to each node; `None` if there are none.
    pub fn shortest_paths(&self) -> Vec<Option<Vec<usize>>> {
        let mut paths: Vec<Option<Vec<usize>>> = vec![None; self.nodes.len()];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for node in &self.initial {
            paths[*node] = Some(Vec::new());
            queue.push_back(*node);
        }
        while let Some(node) = queue.pop_front() {
            for (k, edge) in self.edges.iter().enumerate() {
                if edge.from == node && paths[edge.to].is_none() {
                    let mut path = paths[node].clone().unwrap_or_default();
                    path.push(k);
                    paths[edge.to] = Some(path);
                    queue.push_back(edge.to);
                }
            }
        }
        paths
    }

    /// Returns the nodes other than errors whose edges depend on more than the arguments, because two edges of one call
    /// lead to different nodes.
    pub fn ambiguous(&self) -> Vec<usize> {
        let mut out = Vec::new();
        for (k, a) in self.edges.iter().enumerate() {
            let same = |b: &&Edge| {
                let class = |e: &Edge| (e.arguments.boxes.clone(), e.arguments.set.clone());
                (a.from, a.function) == (b.from, b.function) && class(a) == class(b)
            };
            if self.edges[k + 1..].iter().any(|b| same(&b) && a.to != b.to) {
                out.push(a.from);
            }
        }
        out.dedup();
        out
    }
}
