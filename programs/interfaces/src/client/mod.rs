//! Checks clients against an interface graph (section 6.1).

mod callbacks;
pub(crate) mod exits;
mod objects;
mod unfollowed;
mod values;

pub use unfollowed::{Reason, Unfollowed};

use std::collections::{HashMap, HashSet, VecDeque};

use canonical::{Action, Callee, EdgeId, Expr, FunctionId, NodeId, Program};

use crate::graph::{Call, Graph};
use crate::library::{Place, Problem};
use crate::suite::{CFunction, CParameter};
use exits::{Always, Part};
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

/// A position in a client: the function, and the edges of the active calls.
type Position = (FunctionId, NodeId, Vec<(FunctionId, EdgeId)>);

/// A position, the possible nodes of the library in the graph, values of variables, and the phase of the run with the
/// functions that run at its end.
type State = (Position, Vec<usize>, Values, (Part, Vec<FunctionId>));

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No path reaches an error.
    Legal,
    /// The shortest path to a call that may fail.
    Fails(Violation),
    /// No path that was followed reaches an error, but these parts were not followed.
    NotFollowed(Vec<Unfollowed>),
}

/// The maximum depth of nested calls that are followed in a client.
const DEEPEST: usize = 12;

/// The maximum number of positions of a client that are visited.
const MOST: usize = 200_000;

/// Checks a C program. Follows all paths of its graph from a function, and returns the shortest path to a call that
/// fails, if there is one. If a condition depends only on local variables with known values, the path continues on one
/// branch; otherwise both branches are followed. So the client may never take a reported path, but if there is none,
/// the client never fails. A client that counts too far is checked again without values. Constructors run before the
/// function; functions passed to `atexit` and destructors run after it.
///
/// # Errors
///
/// The program has no such function, or it has too many paths.
pub fn check(
    graph: &Graph,
    functions: &[CFunction],
    program: &Program,
    entry: &str,
) -> Result<Verdict, Problem> {
    let fail = |message: String| Problem::new(Place::default(), message);
    let main = program.function_named(entry).filter(|f| program.function(*f).body.is_some());
    let Some(main) = main else { return Err(fail(format!("no function `{entry}`"))) };
    for values in [Values::default(), Values::off()] {
        let always = Always::of(program);
        let unknown = Vec::new();
        let mut search =
            Search { graph, functions, program, always, main, unknown, trail: Vec::new() };
        match search.run(values) {
            None => {}
            Some(Some(violation)) => return Ok(Verdict::Fails(violation)),
            Some(None) => {
                let mut list = search.unknown;
                list.extend(callbacks::callbacks(program, functions, main));
                list.extend(unfollowed::constructs(program, functions));
                list.extend(objects::objects(program, functions));
                return Ok(match list.is_empty() {
                    true => Verdict::Legal,
                    false => Verdict::NotFollowed(list),
                });
            }
        }
    }
    Err(fail("the client has too many paths to follow".to_owned()))
}

/// A search over the states of a client, breadth first.
struct Search<'a> {
    graph: &'a Graph,
    functions: &'a [CFunction],
    program: &'a Program,
    always: Always,
    main: FunctionId,
    /// Functions passed to `atexit` that are not followed.
    unknown: Vec<Unfollowed>,
    /// The calls before each state, as a tree.
    trail: Vec<(ClientCall, Option<usize>)>,
}

/// A state, and its last call in the trail.
type Step = (State, Option<usize>);

impl Search<'_> {
    /// Returns the shortest path to a call that fails, if there is one; `None` if there are too many paths.
    fn run(&mut self, values: Values) -> Option<Option<Violation>> {
        let begin = match self.always.constructors.first() {
            Some(first) => (*first, Part::Begin(0)),
            None => (self.main, Part::Main),
        };
        let Some(body) = &self.program.function(begin.0).body else { return Some(None) };
        let position = (begin.0, body.entry, Vec::new());
        let first: State = (position, self.graph.initial.clone(), values, (begin.1, Vec::new()));
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

    /// Returns the successors of a state. The error is the place in the trail of a call that fails.
    fn successors(&mut self, state: &State, last: Option<usize>) -> Result<Vec<Step>, usize> {
        let ((function, node, stack), nodes, values, run) = state;
        let program = self.program;
        let Some(body) = &program.function(*function).body else { return Ok(Vec::new()) };
        let mut next: Vec<Step> = Vec::new();
        if *node == body.exit && stack.is_empty() {
            next.extend(self.after(*function, state).map(|state| (state, last)));
        }
        if *node == body.exit
            && let Some(((caller, edge), rest)) = stack.split_last()
            && let Some(outer) = &program.function(*caller).body
        {
            let edge = outer.edge(*edge);
            let mut values = values.clone();
            if let Action::Call(call) = &edge.action {
                values.leave(program, *function, call.result.as_ref());
            }
            let position = (*caller, edge.to, rest.to_vec());
            next.push(((position, nodes.clone(), values, run.clone()), last));
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
            let position = (*function, edge.to, stack.clone());
            next.push(((position, nodes.clone(), values, run.clone()), last));
        }
        Ok(next)
    }

    /// Returns the state after a function that the client did not call, with what runs next.
    fn after(&self, function: FunctionId, state: &State) -> Option<State> {
        let (_, nodes, values, (part, _)) = state;
        let mut values = values.clone();
        values.leave(self.program, function, None);
        let (next, part) = match part {
            Part::Begin(k) => match self.always.constructors.get(k + 1) {
                Some(next) => (*next, Part::Begin(k + 1)),
                None => (self.main, Part::Main),
            },
            Part::Main | Part::End(_) => return self.end(state, values),
        };
        let body = self.program.function(next).body.as_ref()?;
        let position = (next, body.entry, Vec::new());
        Some((position, nodes.clone(), values, (part, state.3.1.clone())))
    }

    /// Returns the state after the end of the program has begun, or after one of the functions that run there.
    fn end(&self, state: &State, values: Values) -> Option<State> {
        let (_, nodes, _, (part, registered)) = state;
        let mut registered = registered.clone();
        let done = if let Part::End(done) = part { *done } else { 0 };
        let (next, done) = match registered.pop() {
            Some(next) => (next, done),
            None => (*self.always.destructors.get(done)?, done + 1),
        };
        let body = self.program.function(next).body.as_ref()?;
        let position = (next, body.entry, Vec::new());
        Some((position, nodes.clone(), values, (Part::End(done), registered)))
    }

    /// Follows a call of the library, of a function of the client, or of another function.
    fn call(
        &mut self,
        call: &canonical::Call,
        at: &At<'_>,
        next: &mut Vec<Step>,
    ) -> Result<(), usize> {
        let ((function, _, stack), nodes, values, run) = at.state;
        let program = self.program;
        // The result of an external function is unknown.
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
                next.push(((here.clone(), after, after_values.clone(), run.clone()), Some(call)));
            } else if let Some(inner) = &program.function(*target).body {
                if stack.len() >= DEEPEST {
                    self.too_deep(*target, at);
                    next.push((
                        (here.clone(), nodes.clone(), after_values.clone(), run.clone()),
                        at.last,
                    ));
                    continue;
                }
                let mut stack = stack.clone();
                stack.push((*function, at.edge));
                let mut values = values.clone();
                values.enter(program, *target, &call.arguments);
                let position = (*target, inner.entry, stack);
                next.push(((position, nodes.clone(), values, run.clone()), at.last));
            } else if !exits::STOPS.contains(&name.as_str())
                && (name == "exit" || program.function(*target).no_return)
            {
                next.extend(self.end(at.state, values.clone()).map(|state| (state, at.last)));
            } else if exits::REGISTERS.contains(&name.as_str()) {
                let run = (run.0.clone(), self.registered(call, name, at));
                next.push(((here.clone(), nodes.clone(), after_values.clone(), run), at.last));
            } else if !exits::STOPS.contains(&name.as_str()) {
                let run = run.clone();
                next.push(((here.clone(), nodes.clone(), after_values.clone(), run), at.last));
            }
        }
        if matches!(&call.callee, Callee::Pointer { complete: false, .. }) {
            next.push(((here, nodes.clone(), after_values, run.clone()), at.last));
        }
        Ok(())
    }

    /// Records a call that is not followed because it nests too deep, if it may call the library.
    fn too_deep(&mut self, function: FunctionId, at: &At<'_>) {
        let name = self.program.function(function).name.clone();
        let is_new = self.unknown.iter().all(|u| u.name != name);
        if is_new && callbacks::reaches(self.program, self.functions, function) {
            let (given_to, place) = (String::new(), at.place.clone());
            self.unknown.push(Unfollowed { name, given_to, place, reason: Reason::Deep });
        }
    }

    /// Returns the functions that run at the end, after a call of `atexit`.
    fn registered(&mut self, call: &canonical::Call, name: &str, at: &At<'_>) -> Vec<FunctionId> {
        let mut registered = at.state.3.1.clone();
        let function = exits::function(call.arguments.first());
        let is_known = |f: &FunctionId| self.program.function(*f).body.is_some();
        match function.filter(is_known) {
            Some(function) if registered.len() < exits::MOST => registered.push(function),
            _ => {
                let text = call.arguments.first().map(|a| self.program.expr(a));
                let callback = Unfollowed {
                    name: text.unwrap_or_default(),
                    given_to: name.to_owned(),
                    place: at.place.clone(),
                    reason: Reason::Given,
                };
                if !self.unknown.contains(&callback) {
                    self.unknown.push(callback);
                }
            }
        }
        registered
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

/// Returns the nodes after a call; `None` if it may fail. Unknown arguments may have any value.
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
    // Every class of arguments that agrees with the known ones is possible.
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

/// The calls up to a step, in order.
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
