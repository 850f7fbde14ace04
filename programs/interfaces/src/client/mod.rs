//! Checks clients against an interface graph (section 6.1).

mod values;

use std::collections::{HashMap, HashSet, VecDeque};

use canonical::{Action, Callee, EdgeId, Expr, FunctionId, NodeId, Program};

use crate::graph::{Call, Graph};
use crate::library::{Place, Problem};
use crate::suite::{CFunction, CParameter};
use values::Values;

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

/// A position in a client: in which function, and the edges of the calls that it is in.
type Position = (FunctionId, NodeId, Vec<(FunctionId, EdgeId)>);

/// A position, the nodes of the graph that the library may be at, and values of variables.
type State = (Position, Vec<usize>, Values);

/// Nested calls of a client that are followed.
const DEEPEST: usize = 12;

/// Positions of a client that are visited.
const MOST: usize = 200_000;

/// Checks a program of C: follows all paths of its graph from a function, and returns the shortest one to a
/// call that fails, if there is one. A condition on local variables whose values are known on the path
/// decides where it goes on; of others, both ways are followed. A path may therefore be one that the client
/// never takes; if there is none, the client never fails. A client that counts too far is checked again
/// without values.
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
    for values in [Values::default(), Values::off()] {
        let mut search = Search { graph, functions, program, trail: Vec::new() };
        if let Some(found) = search.run(main, values) {
            return Ok(found);
        }
    }
    Err(fail("the client has too many paths to follow".to_owned()))
}

/// A search over the states of a client, breadth first.
struct Search<'a> {
    graph: &'a Graph,
    functions: &'a [CFunction],
    program: &'a Program,
    /// The calls on the way to each state, as a tree.
    trail: Vec<(ClientCall, Option<usize>)>,
}

/// A state, and its last call in the trail.
type Step = (State, Option<usize>);

impl Search<'_> {
    /// The shortest path to a call that fails, if there is one; `None` if there are too many paths.
    fn run(&mut self, main: FunctionId, values: Values) -> Option<Option<Violation>> {
        let Some(body) = &self.program.function(main).body else { return Some(None) };
        let first: State = ((main, body.entry, Vec::new()), self.graph.initial.clone(), values);
        let mut seen: HashSet<State> = HashSet::from([first.clone()]);
        let mut queue: VecDeque<Step> = VecDeque::from([(first, None)]);
        while let Some((state, last)) = queue.pop_front() {
            if seen.len() > MOST {
                return None;
            }
            match self.successors(&state, last) {
                Err(at) => return Some(Some(path(&self.trail, at))),
                Ok(next) => {
                    for (state, last) in next {
                        if seen.insert(state.clone()) {
                            queue.push_back((state, last));
                        }
                    }
                }
            }
        }
        Some(None)
    }

    /// The states after one; the place in the trail of a call that fails is an error.
    fn successors(&mut self, state: &State, last: Option<usize>) -> Result<Vec<Step>, usize> {
        let ((function, node, stack), nodes, values) = state;
        let program = self.program;
        let Some(body) = &program.function(*function).body else { return Ok(Vec::new()) };
        let mut next: Vec<Step> = Vec::new();
        if *node == body.exit
            && let Some(((caller, edge), rest)) = stack.split_last()
            && let Some(outer) = &program.function(*caller).body
        {
            let edge = outer.edge(*edge);
            let mut values = values.clone();
            if let Action::Call(call) = &edge.action {
                values.leave(program, *function, call.result.as_ref());
            }
            next.push((((*caller, edge.to, rest.to_vec()), nodes.clone(), values), last));
        }
        for id in &body.node(*node).outgoing {
            let edge = body.edge(*id);
            let mut values = values.clone();
            match &edge.action {
                Action::Call(call) => {
                    let place = edge.place.map(|p| program.at(p)).unwrap_or_default();
                    let at = At { state, edge: *id, to: edge.to, last, place };
                    self.call(call, &at, &mut next)?;
                    continue;
                }
                Action::Guard { condition, holds } => {
                    if !values.assume(program, condition, *holds) {
                        continue;
                    }
                }
                Action::Assign { target, value } => {
                    let value = values.value(value);
                    values.assign(program, target, value);
                }
                Action::Return(value) => values.returns(value.as_ref()),
                Action::Nothing => {}
            }
            next.push((((*function, edge.to, stack.clone()), nodes.clone(), values), last));
        }
        Ok(next)
    }

    /// Follows a call: of the library, into a function of the client, or of another one.
    fn call(
        &mut self,
        call: &canonical::Call,
        at: &At<'_>,
        next: &mut Vec<Step>,
    ) -> Result<(), usize> {
        let ((function, _, stack), nodes, values) = at.state;
        let program = self.program;
        // Nothing is known of what a function returns whose code is not there.
        let mut after_values = values.clone();
        if let Some(result) = &call.result {
            after_values.assign(program, result, None);
        }
        let here = (*function, at.to, stack.clone());
        for target in call.callee.targets() {
            let name = &program.function(*target).name;
            if let Some(index) = self.functions.iter().position(|f| f.name == *name) {
                let (text, after) =
                    step(self.graph, &self.functions[index], index, nodes, &call.arguments, values);
                self.trail.push((ClientCall { text, place: at.place.clone() }, at.last));
                let call = self.trail.len() - 1;
                let after = after.ok_or(call)?;
                next.push(((here.clone(), after, after_values.clone()), Some(call)));
            } else if let (Some(inner), true) =
                (&program.function(*target).body, stack.len() < DEEPEST)
            {
                let mut stack = stack.clone();
                stack.push((*function, at.edge));
                let mut values = values.clone();
                values.enter(program, *target, &call.arguments);
                next.push((((*target, inner.entry, stack), nodes.clone(), values), at.last));
            } else if !program.function(*target).no_return {
                next.push(((here.clone(), nodes.clone(), after_values.clone()), at.last));
            }
        }
        if matches!(&call.callee, Callee::Pointer { complete: false, .. }) {
            next.push(((here, nodes.clone(), after_values), at.last));
        }
        Ok(())
    }
}

/// The place of a call.
struct At<'s> {
    state: &'s State,
    edge: EdgeId,
    to: NodeId,
    last: Option<usize>,
    place: String,
}

/// The nodes after a call; `None` if it may fail. Arguments that are not known may be any.
fn step(
    graph: &Graph,
    function: &CFunction,
    index: usize,
    nodes: &[usize],
    arguments: &[Expr],
    known: &Values,
) -> (String, Option<Vec<usize>>) {
    let values: HashMap<usize, i64> = function
        .parameters
        .iter()
        .zip(arguments)
        .filter_map(|(p, a)| match p {
            CParameter::Value(k) => Some((*k, known.number(a)?)),
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
    let mut after = Vec::new();
    for node in nodes {
        let edges = graph.outgoing(*node).filter(|e| e.function == index);
        for edge in edges.filter(|e| e.arguments.allows(&values)) {
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
