//! Computes the reachability of pushdown systems by `post*`, with witnesses, and decides emptiness with it.
//!
//! As in section 3.5 of the paper, the state of a nested-word automaton is the top of a stack, and the states before
//! the pending calls are below it. The set of reachable stacks is regular. The automaton of stacks is saturated as in
//! Schwoon's thesis (*Model-Checking Pushdown Systems*, 2002, algorithm 2).

use rustc_hash::FxHashMap;

use super::nwa::{Nwa, State};
use super::run::Step;

/// A state of the automaton of stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// The control location `s`.
    Control,
    /// The control location `s_x`: a return popped the state `x`.
    Popped(State),
    /// The place between the two symbols of a push of this state.
    Middle(State),
    /// The bottom of the stack, where stacks are accepted.
    Bottom,
}

/// A transition of the automaton of stacks. Without a symbol, it is an empty transition.
type Edge = (Place, Option<State>, Place);

/// The reason why an edge was added. Numbers identify edges.
#[derive(Debug, Clone, Copy)]
enum Reason {
    Initial,
    /// A rule that replaces the top of the stack.
    Step(Step, usize),
    /// The lower symbol of a push.
    Push(Step, usize),
    /// The upper symbol of a push. Its reason is that of the lower symbol.
    Top,
    /// The first half of a return.
    Pop(usize),
    /// An empty edge, followed by another edge.
    Joined(usize, usize),
}

#[derive(Default)]
struct Saturation {
    edges: Vec<(Edge, Reason)>,
    known: FxHashMap<Edge, usize>,
    /// Edges with a symbol by the state that they leave.
    leaving: FxHashMap<Place, Vec<usize>>,
    /// Empty edges, by the state that they enter.
    silent: FxHashMap<Place, Vec<usize>>,
}

impl Saturation {
    fn add(&mut self, edge: Edge, reason: Reason) {
        if self.known.contains_key(&edge) {
            return;
        }
        let number = self.edges.len();
        self.known.insert(edge, number);
        self.edges.push((edge, reason));
        let (from, on, to) = edge;
        match on {
            Some(_) => self.leaving.entry(from).or_default().push(number),
            None => self.silent.entry(to).or_default().push(number),
        }
    }
}

/// Returns a run whose calls and returns match, if the automaton accepts any such word; `None` if its language is
/// empty. The run need not be the shortest. It is cut off after `limit` steps.
pub fn witness(automaton: &Nwa, limit: usize) -> Option<Vec<Step>> {
    let mut all = Saturation::default();
    for state in &automaton.initial {
        all.add((Place::Control, Some(*state), Place::Bottom), Reason::Initial);
    }
    let out = automaton.outgoing();
    let mut pops: FxHashMap<(State, State), Vec<usize>> = FxHashMap::default();
    for (k, t) in automaton.returns.iter().enumerate() {
        pops.entry((t.from, t.call)).or_default().push(k);
    }
    let mut done = 0;
    while done < all.edges.len() {
        let (edge, _) = all.edges[done];
        match edge {
            (Place::Control, Some(top), to) => {
                for k in &out.internal[top as usize] {
                    let next = (Place::Control, Some(automaton.internal[*k].to), to);
                    all.add(next, Reason::Step(Step::Internal(*k), done));
                }
                for k in &out.calls[top as usize] {
                    let middle = Place::Middle(automaton.calls[*k].to);
                    let entry = Some(automaton.calls[*k].to);
                    let lower = (middle, Some(top), to);
                    let new = !all.known.contains_key(&lower);
                    all.add(lower, Reason::Push(Step::Call(*k), done));
                    all.add((Place::Control, entry, middle), Reason::Top);
                    if new {
                        join_behind(&mut all, middle);
                    }
                }
                if !out.returns[top as usize].is_empty() {
                    all.add((Place::Popped(top), None, to), Reason::Pop(done));
                }
            }
            (Place::Popped(from), Some(call), to) => {
                for k in pops.get(&(from, call)).into_iter().flatten() {
                    let next = (Place::Control, Some(automaton.returns[*k].to), to);
                    all.add(next, Reason::Step(Step::Return(*k), done));
                }
            }
            (from, None, to) => join(&mut all, from, done, to),
            _ => {}
        }
        done += 1;
    }
    let last = automaton
        .finals
        .iter()
        .find_map(|state| all.known.get(&(Place::Control, Some(*state), Place::Bottom)).copied())?;
    Some(unroll(&all, last, limit))
}

/// Joins an empty edge with the edges that leave the state that it enters.
fn join(all: &mut Saturation, from: Place, silent: usize, to: Place) {
    for second in all.leaving.get(&to).cloned().unwrap_or_default() {
        let (_, on, end) = all.edges[second].0;
        all.add((from, on, end), Reason::Joined(silent, second));
    }
}

/// Joins the empty edges that enter a state with a new edge of that state.
fn join_behind(all: &mut Saturation, middle: Place) {
    for silent in all.silent.get(&middle).cloned().unwrap_or_default() {
        let (from, _, _) = all.edges[silent].0;
        join(all, from, silent, middle);
    }
}

/// Returns the steps that reach the stack of one symbol at this edge.
fn unroll(all: &Saturation, last: usize, limit: usize) -> Vec<Step> {
    // The stack as edges, its top at the end.
    let mut stack = vec![last];
    let mut steps = Vec::new();
    while steps.len() < limit {
        let Some(top) = stack.pop() else { break };
        match all.edges[top].1 {
            Reason::Initial => break,
            Reason::Step(step, before) => {
                steps.push(step);
                stack.push(before);
            }
            Reason::Top => {
                let Some(lower) = stack.pop() else { break };
                if let Reason::Push(step, before) = all.edges[lower].1 {
                    steps.push(step);
                    stack.push(before);
                }
            }
            Reason::Joined(silent, second) => {
                stack.push(second);
                stack.push(silent);
            }
            Reason::Pop(before) => stack.push(before),
            Reason::Push(..) => break,
        }
    }
    steps.reverse();
    steps
}
