//! Compares a graph exhaustively with its library by running every sequence of calls up to a length. The graph is safe
//! if no sequence that it treats as legal fails, and permissive if every sequence that does not fail is legal.

use crate::graph::{Call, Graph};
use crate::library::{Library, Problem, State, call, initial_states, is_error};

/// Sequences on which two libraries, or a library and a graph, disagree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Sequences that were run.
    pub sequences: u64,
    /// The shortest sequence that fails although the graph treats it as legal.
    pub unsafe_sequence: Option<Vec<Call>>,
    /// The shortest sequence that does not fail although the graph treats it as illegal.
    pub refused_sequence: Option<Vec<Call>>,
}

impl Comparison {
    /// Records that the last call of a sequence failed or did not fail where the graph differs.
    fn record(&mut self, sequence: &[Call], fails: bool) {
        let slot = if fails { &mut self.unsafe_sequence } else { &mut self.refused_sequence };
        if slot.as_ref().is_none_or(|known| known.len() > sequence.len()) {
            *slot = Some(sequence.to_vec());
        }
    }
}

/// Returns the calls from which sequences are made. For each function, they have the examples and the ends of the
/// ranges of all its argument classes.
pub fn alphabet(graph: &Graph) -> Vec<Call> {
    let mut out: Vec<Call> = Vec::new();
    for function in 0..graph.functions.len() {
        for edge in graph.edges.iter().filter(|e| e.function == function) {
            let ends = edge.arguments.ends();
            for arguments in std::iter::once(edge.arguments.example.clone()).chain(ends) {
                let call = Call { function, arguments };
                if !out.contains(&call) {
                    out.push(call);
                }
            }
        }
    }
    out
}

/// Compares a graph with its library, run on values.
///
/// # Errors
///
/// The library has too many initial states, or a call takes too many steps.
pub fn compare_library(
    graph: &Graph,
    library: &Library,
    alphabet: &[Call],
    length: usize,
) -> Result<Comparison, Problem> {
    let mut walk = Walk { graph, library, alphabet, out: Comparison::default(), calls: Vec::new() };
    let states = initial_states(library)?;
    debug_assert!(states.iter().all(|s| !is_error(library, s)), "checked by `Calls::new`");
    walk.run(&states, Some(graph.initial.clone()), length)?;
    Ok(walk.out)
}

struct Walk<'a> {
    graph: &'a Graph,
    library: &'a Library,
    alphabet: &'a [Call],
    out: Comparison,
    calls: Vec<Call>,
}

impl Walk<'_> {
    /// Runs all sequences that begin with the current one. `nodes` is `None` once the graph refuses.
    fn run(
        &mut self,
        states: &[State],
        nodes: Option<Vec<usize>>,
        length: usize,
    ) -> Result<(), Problem> {
        if length == 0 {
            return Ok(());
        }
        for next in self.alphabet {
            let function = &self.library.functions[next.function];
            let mut after: Vec<State> = Vec::new();
            let mut fails = false;
            for state in states {
                let outcome = call(self.library, function, state, &next.arguments)?;
                fails |= outcome.error;
                after.extend(outcome.returns);
            }
            after.sort();
            after.dedup();
            let step = nodes.as_ref().and_then(|n| self.graph.step(n, next));
            self.out.sequences += 1;
            self.calls.push(next.clone());
            if fails == step.is_some() {
                self.out.record(&self.calls, fails);
            } else if !fails {
                self.run(&after, step, length - 1)?;
            }
            self.calls.pop();
        }
        Ok(())
    }
}

/// Compares a graph with answers of a program that runs all sequences up to a length, each call of the alphabet in
/// turn, and continues after those that do not fail. `answers` has `.` for a call that does not fail and `E` for one
/// that fails, in that order.
///
/// # Errors
///
/// There are too few answers: the program stopped.
pub fn compare_answers(
    graph: &Graph,
    alphabet: &[Call],
    length: usize,
    answers: &[u8],
) -> Result<Comparison, Problem> {
    let mut out = Comparison::default();
    let mut answers = answers.iter();
    // The nodes of the graph after each prefix, and the next call to try after it.
    let mut stack: Vec<(Option<Vec<usize>>, usize)> = vec![(Some(graph.initial.clone()), 0)];
    let mut calls: Vec<Call> = Vec::new();
    while let Some((nodes, next)) = stack.last_mut() {
        let Some(call) = alphabet.get(*next) else {
            stack.pop();
            calls.pop();
            continue;
        };
        *next += 1;
        let step = nodes.as_ref().and_then(|n| graph.step(n, call));
        let Some(answer) = answers.next() else {
            calls.push(call.clone());
            let texts: Vec<String> = calls.iter().map(|c| graph.call_text(c)).collect();
            let message = format!("the program stopped in: {}", texts.join(" "));
            return Err(Problem::new(crate::library::Place::default(), message));
        };
        out.sequences += 1;
        calls.push(call.clone());
        let fails = *answer == b'E';
        if fails == step.is_some() {
            out.record(&calls, fails);
        }
        if !fails && stack.len() < length {
            stack.push((step, 0));
        } else {
            calls.pop();
        }
    }
    Ok(out)
}
