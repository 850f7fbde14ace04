//! The direct construction: one node for each state that is reached, as Beyer et al. compare with.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::paper::{any_arguments, empty};
use crate::graph::{Edge, Graph, Node};
use crate::library::{Library, Place, Problem, STEP_LIMIT, State, call, initial_states};
use crate::symbolic::Calls;

/// Computes the graph of all states that are reached by legal calls. A call is legal in a state if
/// it fails with no arguments.
///
/// # Errors
///
/// There are too many states or arguments to list, or the deadline has passed.
pub fn direct(calls: &Calls) -> Result<Graph, Problem> {
    let library = &calls.library;
    let mut states = initial_states(library)?;
    let mut number: HashMap<State, usize> =
        states.iter().cloned().enumerate().map(|(k, s)| (s, k)).collect();
    let mut graph = empty(calls);
    graph.initial = (0..states.len()).collect();
    let mut queue: VecDeque<usize> = graph.initial.iter().copied().collect();
    let mut edges: Vec<(usize, usize, Option<usize>)> = Vec::new();
    let tuples: Vec<Vec<Vec<i64>>> =
        (0..library.functions.len()).map(|f| tuples(library, f)).collect::<Result<_, _>>()?;
    while let Some(from) = queue.pop_front() {
        for (f, function) in library.functions.iter().enumerate() {
            calls.in_time()?;
            let mut returns: BTreeSet<State> = BTreeSet::new();
            let mut fails = false;
            for arguments in &tuples[f] {
                let outcome = call(library, function, &states[from], arguments)?;
                fails |= outcome.error;
                returns.extend(outcome.returns);
                if fails {
                    break;
                }
            }
            if fails {
                edges.push((from, f, None));
                continue;
            }
            for state in returns {
                let next = states.len();
                let to = *number.entry(state).or_insert_with_key(|s| {
                    states.push(s.clone());
                    queue.push_back(next);
                    next
                });
                edges.push((from, f, Some(to)));
            }
            if states.len() > STEP_LIMIT {
                let message = format!("more than {STEP_LIMIT} states are reached");
                return Err(Problem::new(Place::default(), message));
            }
        }
    }
    let error = states.len();
    graph.nodes = states
        .iter()
        .map(|s| Node { description: text(library, s), states: Some(1), is_error: false })
        .collect();
    if edges.iter().any(|(_, _, to)| to.is_none()) {
        let description = "error".to_owned();
        graph.nodes.push(Node {
            description,
            states: calls.space.count(&calls.error),
            is_error: true,
        });
    }
    graph.edges = edges
        .into_iter()
        .map(|(from, function, to)| Edge {
            from,
            function,
            arguments: any_arguments(calls, function),
            to: to.unwrap_or(error),
        })
        .collect();
    Ok(graph)
}

/// All values of the parameters of a function.
///
/// # Errors
///
/// There are too many.
pub(crate) fn tuples(library: &Library, function: usize) -> Result<Vec<Vec<i64>>, Problem> {
    const MOST: u64 = 1 << 16;
    let f = &library.functions[function];
    let mut out = vec![Vec::new()];
    let mut count = 1_u64;
    for v in &f.locals[..f.parameters] {
        count = count.saturating_mul(v.high.abs_diff(v.low).saturating_add(1));
        if count > MOST {
            let message = format!(
                "the arguments of `{}` have more than {MOST} values: too many to list",
                f.name
            );
            return Err(Problem::new(f.place, message));
        }
        let longer = |t: &Vec<i64>| {
            let t = t.clone();
            (v.low..=v.high).map(move |value| {
                let mut t = t.clone();
                t.push(value);
                t
            })
        };
        out = out.iter().flat_map(longer).collect();
    }
    Ok(out)
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
