//! Checks clients against an interface graph (section 6.1).

use std::collections::{HashMap, HashSet, VecDeque};

use canonical::{Action, Callee, Expr, FunctionId, NodeId, Program};

use crate::graph::{Call, Graph};
use crate::library::{Place, Problem};
use crate::suite::{CFunction, CParameter};

/// A call of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCall {
    /// The call as text.
    pub text: String,
    /// `file:line:column`, if the client is a program.
    pub place: String,
}

/// The calls of a client up to one that the graph does not allow.
pub type Violation = Vec<ClientCall>;

/// A position in a client: where in which function, and where each call is to return.
type Position = (FunctionId, NodeId, Vec<(FunctionId, NodeId)>);

/// Nested calls of a client that are followed.
const DEEPEST: usize = 12;

/// Positions of a client that are visited.
const MOST: usize = 200_000;

/// Checks a program of C: follows all paths of its graph from a function, whatever its conditions
/// are, and returns the shortest one to a call that fails, if there is one. A path may be one that the
/// client never takes; if there is none, the client never fails.
///
/// # Errors
///
/// The program has no such function, or it has too many paths.
pub fn check(
    graph: &Graph,
    functions: &[CFunction],
    program: &Program,
    entry: &str,
) -> Result<Option<Violation>, Problem> {
    let fail = |message: String| Problem::new(Place::default(), message);
    let main = program.function_named(entry).filter(|f| program.function(*f).body.is_some());
    let Some(main) = main else { return Err(fail(format!("no function `{entry}`"))) };
    let Some(body) = &program.function(main).body else { return Ok(None) };
    let start: Position = (main, body.entry, Vec::new());
    type State = (Position, Vec<usize>);
    let mut queue: VecDeque<(State, Option<usize>)> = VecDeque::new();
    let mut seen: HashSet<State> = HashSet::new();
    // The calls on the way to each step, as a tree.
    let mut trail: Vec<(ClientCall, Option<usize>)> = Vec::new();
    let first = (start, graph.initial.clone());
    seen.insert(first.clone());
    queue.push_back((first, None));
    while let Some((((function, node, stack), nodes), last)) = queue.pop_front() {
        if seen.len() > MOST {
            return Err(fail("the client has too many paths to follow".to_owned()));
        }
        let Some(body) = &program.function(function).body else { continue };
        let mut next: Vec<(State, Option<usize>)> = Vec::new();
        if node == body.exit {
            if let Some((back, rest)) = stack.split_last() {
                next.push((((back.0, back.1, rest.to_vec()), nodes.clone()), last));
            }
        }
        for edge in body.successors(node) {
            let here = (function, edge.to, stack.clone());
            let Action::Call(call) = &edge.action else {
                next.push(((here, nodes.clone()), last));
                continue;
            };
            for target in call.callee.targets() {
                let name = &program.function(*target).name;
                if let Some(index) = functions.iter().position(|f| f.name == *name) {
                    let place = edge.place.map(|p| program.at(p)).unwrap_or_default();
                    let (text, after) =
                        step(graph, &functions[index], index, &nodes, &call.arguments);
                    trail.push((ClientCall { text, place }, last));
                    let at = trail.len() - 1;
                    match after {
                        Some(after) => next.push(((here.clone(), after), Some(at))),
                        None => return Ok(Some(path(&trail, at))),
                    }
                } else if let (Some(inner), true) =
                    (&program.function(*target).body, stack.len() < DEEPEST)
                {
                    let mut stack = stack.clone();
                    stack.push((function, edge.to));
                    next.push((((*target, inner.entry, stack), nodes.clone()), last));
                } else if !program.function(*target).no_return {
                    next.push(((here.clone(), nodes.clone()), last));
                }
            }
            if matches!(&call.callee, Callee::Pointer { complete: false, .. }) {
                next.push(((here, nodes.clone()), last));
            }
        }
        for (state, last) in next {
            if seen.insert(state.clone()) {
                queue.push_back((state, last));
            }
        }
    }
    Ok(None)
}

/// The nodes after a call; `None` if it may fail. Arguments that are no constants may be any.
fn step(
    graph: &Graph,
    function: &CFunction,
    index: usize,
    nodes: &[usize],
    arguments: &[Expr],
) -> (String, Option<Vec<usize>>) {
    let values: HashMap<usize, i64> = function
        .parameters
        .iter()
        .zip(arguments)
        .filter_map(|(p, a)| match p {
            CParameter::Value(k) => Some((*k, i64::try_from(a.constant()?).ok()?)),
            _ => None,
        })
        .collect();
    let count = graph.parameters[index].len();
    let shown: Vec<String> =
        (0..count).map(|k| values.get(&k).map_or("?".to_owned(), i64::to_string)).collect();
    let text = format!("{}({})", function.name, shown.join(", "));
    if values.len() == count {
        let arguments = (0..count).map(|k| values[&k]).collect();
        return (text, graph.step(nodes, &Call { function: index, arguments }));
    }
    // Every class of arguments that agrees with the known ones may be meant.
    let agrees = |boxes: &crate::symbolic::Boxes| {
        boxes.iter().any(|b| values.iter().all(|(k, v)| (b[*k].0..=b[*k].1).contains(v)))
    };
    let mut after = Vec::new();
    for node in nodes {
        let edges = graph.outgoing(*node).filter(|e| e.function == index);
        for edge in edges.filter(|e| e.arguments.boxes.as_ref().is_none_or(agrees)) {
            if graph.nodes[edge.to].is_error {
                return (text, None);
            }
            after.push(edge.to);
        }
    }
    after.sort_unstable();
    after.dedup();
    (text, (!after.is_empty()).then_some(after))
}

/// The calls up to a step.
fn path(trail: &[(ClientCall, Option<usize>)], at: usize) -> Violation {
    let mut out = Vec::new();
    let mut next = Some(at);
    while let Some(k) = next {
        out.push(trail[k].0.clone());
        next = trail[k].1;
    }
    out.reverse();
    out
}
