//! Follows the values of the producer. Bodies replace calls, and there is a state for each combination of constants,
//! counters, tables and conditions unless there are too many.
//!
//! It is the second look at a counterexample. The first look does not know the values of the producer, so it assumes
//! any number of iterations for a loop that counts to four.

mod eval;
mod live;
mod memory;
mod outside;
mod step;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use canonical::{FunctionId, VariableId};
use indexmap::IndexSet;

use super::Lowering;
use super::choices::{Choice, that_matter};
use crate::error::Error;
use crate::flow::At;
use crate::granularity::take_apart;
use crate::program::{Action, Edge, Function, Program};
use crate::remark::{Remark, Remarks};
use crate::settings::{Role, Settings};
use crate::sites::Listed;
use eval::{Frame, Machine, State};
use memory::Memory;
use step::{DEPTH, Excess, Steps, Taken};
use value::Facts;

/// The maximum number of states of a producer.
const STATES: usize = 20_000;

/// The maximum number of steps in all attempts together.
const STEPS: usize = 1_000_000;

/// The maximum number of distinct numbers of one variable in each attempt. If a variable has more, none of its numbers
/// is known.
const VALUES: [usize; 3] = [400, 64, 8];

/// A producer with its values followed.
#[derive(Debug, Clone)]
pub struct Followed {
    /// All events that the producer may write.
    pub all: Program,
    /// The part that does not depend on values that are not followed.
    pub certain: Program,
    /// The values that are not followed although they matter.
    pub lost: Vec<Remark>,
}

/// Follows the values of a producer.
///
/// # Errors
///
/// Returns an error if it has too many states, or a setting does not fit.
pub fn follow(
    source: &canonical::Program,
    settings: &Settings,
    list: Option<&[Listed]>,
) -> Result<Followed, Error> {
    let too_large = Error::TooLarge { subject: "the values of the producer", limit: STATES };
    super::with_lowering(source, Role::Producer, settings, list, |mut lowering, _| {
        let main = settings.program(Role::Producer).main.as_deref().unwrap_or("main");
        let Some(running) = source.function_named(main) else { return Err(too_large) };
        let mut steps = Steps {
            machine: Machine::new(source),
            lowering: &lowering,
            live: live::live(source),
            exits: settings.program(Role::Producer).exits,
            is_main: main == "main",
        };
        let explored = explore(&mut steps, running).map_err(|excess| match excess {
            Excess::States => too_large,
            Excess::Depth => {
                let why = format!("calls of the producer nest more than {DEPTH} deep");
                Error::Program(why)
            }
        })?;
        drop(steps);
        build(&mut lowering, explored, settings)
    })
}

/// The states, and the steps between them.
#[derive(Debug, Default)]
struct Explored {
    states: usize,
    /// A step from one state to another; the target is `None` at the end of the run.
    steps: Vec<(usize, Option<usize>, Taken)>,
}

fn explore(steps: &mut Steps<'_, '_>, running: FunctionId) -> Result<Explored, Excess> {
    let mut left = STEPS;
    for values in VALUES {
        steps.machine.values = values;
        loop {
            steps.machine.restart();
            match attempt(steps, running, &mut left) {
                Ok(Ok(explored)) => return Ok(explored),
                Ok(Err(variable)) => {
                    steps.machine.wide.insert(variable);
                }
                Err(Excess::States) if left > 0 => break,
                Err(excess) => return Err(excess),
            }
        }
    }
    Err(Excess::States)
}

/// Finds all states, or returns a variable that has too many values.
fn attempt(
    steps: &Steps<'_, '_>,
    running: FunctionId,
    left: &mut usize,
) -> Result<Result<Explored, VariableId>, Excess> {
    let entry = steps.machine.source.function(running).body.as_ref();
    let node = entry.map_or(0, |graph| graph.entry.index());
    let frames = vec![Frame { function: running, node, call: 0 }];
    let mut first = State { frames, memory: Memory::default(), facts: Facts::new() };
    let count = steps.machine.source.function(running).parameters.first();
    if let Some(count) = count.filter(|_| steps.is_main) {
        // The number of arguments of the program is not negative.
        let ty = steps.machine.source.variable(*count).ty.clone();
        let count = canonical::Expr::load(canonical::Lvalue::variable(*count, ty));
        let count = steps.machine.value(&mut first, &count);
        let zero = value::Val::Int(0);
        let (operator, int) = (canonical::Binary::GreaterEqual, canonical::IntType::INT);
        let condition = value::binary(operator, count, zero, int, &first.facts);
        value::assume(&condition, true, &mut first.facts);
    }
    let mut states: IndexSet<State> = IndexSet::from([first]);
    let mut found = Explored::default();
    let mut from = 0;
    while from < states.len() {
        if let Some(variable) = steps.machine.excess() {
            return Ok(Err(variable));
        }
        for mut taken in steps.steps(&states[from])? {
            let mut after = taken.state.take();
            // A state with one incoming and one outgoing step is not kept as a separate state.
            while let Some(state) = &after {
                *left = left.checked_sub(1).ok_or(Excess::States)?;
                if taken.written.is_some() || taken.lost.is_some() || is_join(steps, state) {
                    break;
                }
                let mut next = steps.steps(state)?;
                match (next.len(), next.pop()) {
                    (1, Some(only))
                        if only.written.is_none()
                            && only.lost.is_none()
                            && only.state.is_some() =>
                    {
                        after = only.state;
                    }
                    _ => break,
                }
            }
            let to = after.map(|mut state| {
                forget_facts(&mut state);
                states.insert_full(state).0
            });
            found.steps.push((from, to, taken));
        }
        if states.len() > STATES {
            return Err(Excess::States);
        }
        from += 1;
    }
    found.states = states.len();
    Ok(Ok(found))
}

/// Returns true for a node that several steps lead to.
fn is_join(steps: &Steps<'_, '_>, state: &State) -> bool {
    let Some(frame) = state.frames.last() else { return true };
    let graph = steps.machine.source.function(frame.function).body.as_ref();
    graph.is_none_or(|graph| graph.nodes[frame.node].incoming.len() > 1)
}

/// Forgets facts about values that no longer occur.
fn forget_facts(state: &mut State) {
    if state.facts.is_empty() {
        return;
    }
    let mut held = BTreeSet::new();
    for (_, value) in state.memory.objects.values().flat_map(|object| object.values()) {
        if let value::Val::Term(term) = value {
            term.inputs(&mut |input| {
                held.insert(input);
            });
        }
    }
    state.facts.retain(|term, _| {
        let mut is_held = true;
        term.inputs(&mut |input| is_held &= held.contains(&input));
        is_held
    });
}

/// Makes programs of one function each.
fn build(
    lowering: &mut Lowering<'_>,
    explored: Explored,
    settings: &Settings,
) -> Result<Followed, Error> {
    let name = settings.program(Role::Producer).main.as_deref().unwrap_or("main");
    let mut program = Program { functions: Vec::new(), main: 0, ..Program::default() };
    let mut function = Function::new(name);
    // The first state is the entry, and the others come after the exit.
    function.nodes += explored.states.saturating_sub(1);
    let node = |state: usize| if state == 0 { 0 } else { state + 1 };
    let mut lost: Vec<(usize, At)> = Vec::new();
    let mut choices = Vec::new();
    let mut valued: BTreeSet<At> = BTreeSet::new();
    for (from, to, taken) in explored.steps {
        let first = function.edges.len();
        let from = node(from);
        match (taken.written, to) {
            (Some((at, target, parts)), Some(to)) => {
                let place = lowering.source.function(at.0).body.as_ref();
                let place = place.and_then(|graph| graph.edges[at.1].place);
                let site = lowering.site(&mut program, (at, target), place, &parts);
                function.add_sequence(from, node(to), &parts, Some(site));
                valued.extend(taken.lost);
            }
            (_, Some(to)) => {
                let action = Action::Nothing;
                function.edges.push(Edge { from, to: node(to), action, site: None });
            }
            (_, None) => {
                let (to, action) = (function.exit, Action::End);
                function.edges.push(Edge { from, to, action, site: None });
            }
        }
        if let Some(at) = taken.lost {
            lost.extend((first..function.edges.len()).map(|edge| (edge, at)));
            choices.push(Choice { function: 0, at, node: from });
        }
    }
    program.functions.push(function);
    let mut matter: BTreeSet<At> = that_matter(&program, &choices).into_keys().collect();
    matter.extend(valued);
    let dropped: BTreeSet<usize> =
        lost.into_iter().filter(|(_, at)| matter.contains(at)).map(|(edge, _)| edge).collect();
    let mut certain = program.clone();
    let mut number = 0;
    certain.functions[0].edges.retain(|_| {
        number += 1;
        !dropped.contains(&(number - 1))
    });
    take_apart(&mut program, &settings.types)?;
    take_apart(&mut certain, &settings.types)?;
    Ok(Followed { all: program, certain, lost: remarks(lowering, &matter) })
}

/// A remark for each value that is not followed.
fn remarks(lowering: &Lowering<'_>, matter: &BTreeSet<At>) -> Vec<Remark> {
    let mut remarks = Remarks::default();
    let mut texts: BTreeMap<String, Option<canonical::Place>> = BTreeMap::new();
    for (id, edge) in matter {
        let function = lowering.source.function(*id);
        let Some(graph) = &function.body else { continue };
        let edge = &graph.edges[*edge];
        let name = |expr| {
            let name = super::causes::name(lowering.source, graph, expr);
            name.map(|name| format!(" by `{name}`")).unwrap_or_default()
        };
        let text = match &edge.action {
            canonical::Action::Guard { condition, .. } => {
                format!(
                    "a condition{} in `{}` of the producer is not followed",
                    name(condition),
                    function.name
                )
            }
            canonical::Action::Call(call) => {
                let callee = call.callee.targets().first();
                let callee = callee.map_or("", |id| &lowering.source.function(*id).name);
                let what = match lowering.doubtful(callee, call) {
                    Some(stream) => format!("the stream `{stream}`, to which `{callee}` writes"),
                    None => format!("an argument of `{callee}`"),
                };
                format!("{what} in `{}` of the producer is not followed", function.name)
            }
            _ => format!("the exit status in `{}` of the producer is not followed", function.name),
        };
        texts.entry(text).or_insert(edge.place);
    }
    for (text, place) in texts {
        remarks.add(text, place.map(|place| lowering.place(Some(place))));
    }
    remarks.told()
}
