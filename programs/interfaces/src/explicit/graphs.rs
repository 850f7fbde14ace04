//! Builds graphs of listed states.

use std::collections::{HashMap, VecDeque};

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::partition::{Signature, partition, signature};
use super::{Bounds, Label, Listing, MOST_DIRECT, MOST_STATES, MOST_STEPS, Stop, list};
use crate::graph::{Arguments, Edge, Graph, Node};
use crate::library::{Library, Problem, State};
use crate::symbolic::{Field, Space, describe_boxes, global_condition, global_domain};
use crate::synthesis::{MOST_NODES, any_arguments, arguments, empty};
use crate::watch::Watch;

/// Returns the smallest safe and permissive graph of a library whose states can be listed.
///
/// # Errors
///
/// The library has a problem, the time limit has passed, or there is too much to list.
pub fn stable(library: &Library, space: &Space, watch: &Watch) -> Result<Graph, Stop> {
    let bounds = Bounds { states: MOST_STATES, steps: MOST_STEPS, is_strict: false };
    let mut listing = list(library, space, watch, bounds)?;
    let class = partition(&mut listing, watch)?;
    let count = class.iter().max().map_or(0, |c| c + 1);
    if count > MOST_NODES {
        let message = format!(
            "the graph has {count} nodes; at most {MOST_NODES} are possible: a client would have to \
             count as far"
        );
        return Err(Stop::Problem(Problem::new(library.places.module, message)));
    }
    watch.begin("the graph was written");
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (state, class) in class.iter().enumerate() {
        members[*class].push(state);
    }
    let mut build = Build { library, space, classes: HashMap::new() };
    // Nodes in the order in which a client reaches them.
    let mut order: Vec<usize> = Vec::new();
    for class in &class[..listing.initial] {
        if !order.contains(class) {
            order.push(*class);
        }
    }
    let initial = order.len();
    let mut place: HashMap<usize, usize> = order.iter().enumerate().map(|(k, c)| (*c, k)).collect();
    let mut queue: VecDeque<usize> = (0..initial).collect();
    let mut edges: Vec<(usize, Signature)> = Vec::new();
    while let Some(from) = queue.pop_front() {
        let mut calls = signature(&mut listing, &class, members[order[from]][0]);
        calls.sort_by_cached_key(|(f, to, label)| {
            (*f, build.arguments(&listing, *f, *label).example, *to)
        });
        for to in calls.iter().filter_map(|(_, to, _)| *to) {
            place.entry(to).or_insert_with(|| {
                order.push(to);
                queue.push_back(order.len() - 1);
                order.len() - 1
            });
        }
        edges.push((from, calls));
    }
    let mut graph = empty(library);
    graph.initial = (0..initial).collect();
    let describe = Describe::new(space, &listing);
    graph.nodes = order.iter().map(|c| describe.node(&listing, &members[*c])).collect();
    let error = order.len();
    if edges.iter().any(|(_, calls)| calls.iter().any(|(_, to, _)| to.is_none())) {
        graph.nodes.push(error_node(library, space));
    }
    for (from, calls) in edges {
        for (function, to, label) in calls {
            let to = to.map_or(error, |to| place[&to]);
            let arguments = build.arguments(&listing, function, label);
            graph.edges.push(Edge { from, function, arguments, to });
        }
    }
    graph.edges.sort_by_key(|e| (e.from, e.function, e.arguments.example.clone(), e.to));
    Ok(graph)
}

/// Returns the graph of all states that are reached by legal calls. A call is legal in a state if it does not fail with
/// any arguments.
///
/// # Errors
///
/// The library has a problem, the time limit has passed, or there is too much to list.
pub fn direct(library: &Library, space: &Space, watch: &Watch) -> Result<Graph, Stop> {
    let bounds = Bounds { states: MOST_DIRECT, steps: u64::MAX, is_strict: true };
    let listing = list(library, space, watch, bounds)?;
    let mut graph = empty(library);
    graph.initial = (0..listing.initial).collect();
    let node = |s: &State| Node { description: text(library, s), states: Some(1), is_error: false };
    graph.nodes = listing.states.iter().map(node).collect();
    let error = graph.nodes.len();
    for (from, calls) in listing.calls.iter().enumerate() {
        for (function, call) in calls.iter().enumerate() {
            let arguments = any_arguments(library, function);
            let to: Vec<usize> = match call.fails {
                Some(_) => vec![error],
                None => call.to.iter().map(|(to, _)| *to).collect(),
            };
            let edge = |to| Edge { from, function, arguments: arguments.clone(), to };
            graph.edges.extend(to.into_iter().map(edge));
        }
    }
    if graph.edges.iter().any(|e| e.to == error) {
        graph.nodes.push(error_node(library, space));
    }
    Ok(graph)
}

/// A state as text.
fn text(library: &Library, state: &[i64]) -> String {
    let parts: Vec<String> = library
        .globals
        .iter()
        .zip(state)
        .filter(|(v, _)| v.low != v.high)
        .map(|(v, value)| format!("{} = {value}", v.name))
        .collect();
    parts.join(" & ")
}

/// Creates the error node, with the condition if its diagram is small.
fn error_node(library: &Library, space: &Space) -> Node {
    let error =
        global_condition(space, &library.error, library.places.error, &global_domain(space)).ok();
    let description = error.as_ref().map_or("error".to_owned(), |set| space.describe(set));
    Node { description, states: error.and_then(|set| space.count(&set)), is_error: true }
}

/// The distinct classes of arguments.
struct Build<'a> {
    library: &'a Library,
    space: &'a Space,
    classes: HashMap<(usize, Label), Arguments>,
}

impl Build<'_> {
    fn arguments(&mut self, listing: &Listing, f: usize, label: Label) -> Arguments {
        let (library, space) = (self.library, self.space);
        let class = self.classes.entry((f, label));
        class.or_insert_with(|| arguments(library, space, f, &listing.labels.sets[label])).clone()
    }
}

/// Descriptions of sets of listed states.
struct Describe<'a> {
    space: &'a Space,
    /// For each global, the value that it always has.
    constant: Vec<Option<i64>>,
}

impl<'a> Describe<'a> {
    fn new(space: &'a Space, listing: &Listing) -> Self {
        let first = &listing.states[0];
        let constant = (0..space.globals.len())
            .map(|v| listing.states.iter().all(|s| s[v] == first[v]).then_some(first[v]))
            .collect();
        Self { space, constant }
    }

    fn node(&self, listing: &Listing, members: &[usize]) -> Node {
        let varies = |v: &usize| self.constant[*v].is_none();
        let globals: Vec<usize> = (0..self.constant.len()).filter(varies).collect();
        let fields: Vec<&Field> = globals.iter().map(|v| &self.space.globals[*v]).collect();
        let literals = |state: &State| {
            let bits = globals.iter().zip(&fields).flat_map(|(v, field)| {
                field.now().enumerate().map(|(k, bit)| (bit, state[*v] >> k & 1 == 1))
            });
            self.space.literals(&bits.collect::<Vec<(BddVariable, bool)>>())
        };
        let states: Vec<&State> = members.iter().map(|m| &listing.states[*m]).collect();
        let set = union(&states, &literals).unwrap_or_else(|| self.space.nothing());
        let description = match self.space.boxes(&set, &fields) {
            Some(boxes) => {
                let all: Vec<&Field> = self.space.globals.iter().collect();
                let full = |b: &Vec<(i64, i64)>| {
                    let mut ranges = b.iter();
                    let range = |c: &Option<i64>| match c {
                        Some(n) => (*n, *n),
                        None => ranges.next().copied().unwrap_or_default(),
                    };
                    self.constant.iter().map(range).collect::<Vec<_>>()
                };
                describe_boxes(&boxes.iter().map(full).collect(), &all)
            }
            None => {
                let all: Vec<(i64, i64)> = states[0].iter().map(|n| (*n, *n)).collect();
                let all_fields: Vec<&Field> = self.space.globals.iter().collect();
                format!("{}, …", describe_boxes(&vec![all], &all_fields))
            }
        };
        Node { description, states: Some(members.len() as u128), is_error: false }
    }
}

/// The union of the sets of some states, by halves.
fn union(states: &[&State], set: &impl Fn(&State) -> Bdd) -> Option<Bdd> {
    match states {
        [] => None,
        [one] => Some(set(one)),
        _ => {
            let (a, b) = states.split_at(states.len() / 2);
            Some(union(a, set)?.or(&union(b, set)?))
        }
    }
}
