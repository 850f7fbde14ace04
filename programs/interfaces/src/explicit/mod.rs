//! Runs libraries state by state. Reachable states are listed; only the parameters of a call and unknown values are
//! diagrams. This suffices for a library with few states, however many bits its variables have and whatever it
//! computes.

mod graphs;
mod partition;
mod run;
mod stop;

pub use graphs::{direct, stable};
pub use stop::Stop;

use std::collections::HashMap;

use biodivine_lib_bdd::Bdd;

use crate::library::{Library, Problem, State, initial_states};
use crate::symbolic::Space;
use crate::watch::Watch;
use run::Machine;
use stop::too_much;

/// The maximum number of states for which [`stable`] does not leave a library to diagrams.
pub const MOST_STATES: usize = 1 << 13;

/// The maximum number of states for which [`direct`] builds a graph.
pub const MOST_DIRECT: usize = 1 << 17;

/// The maximum number of steps for which [`stable`] does not leave a library to diagrams.
pub const MOST_STEPS: u64 = 1 << 22;

/// Bounds of a listing.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    states: usize,
    steps: u64,
    /// True if a call that fails with some arguments is not followed with any arguments.
    is_strict: bool,
}

/// A set of values of parameters, by its number in [`Listing::labels`].
type Label = usize;

/// The effect of a call in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Transition {
    /// Arguments with which it may fail or never return; `None` if there are none.
    fails: Option<Label>,
    /// The states to which the call leads, each with its arguments.
    to: Vec<(usize, Label)>,
}

/// The reachable states of a library, and its calls in each.
#[derive(Debug, Clone)]
struct Listing {
    states: Vec<State>,
    /// The number of initial states, which are the first ones.
    initial: usize,
    /// For each state, the effect of each function.
    calls: Vec<Vec<Transition>>,
    labels: Labels,
}

/// The distinct sets of values of parameters.
#[derive(Debug, Clone, Default)]
struct Labels {
    sets: Vec<Bdd>,
    numbers: HashMap<Bdd, Label>,
    unions: HashMap<(Label, Label), Label>,
}

impl Labels {
    fn number(&mut self, set: Bdd) -> Label {
        let next = self.sets.len();
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }

    fn union(&mut self, a: Label, b: Label) -> Label {
        let pair = (a.min(b), a.max(b));
        if a == b {
            return a;
        }
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        let both = self.sets[a].or(&self.sets[b]);
        let label = self.number(both);
        self.unions.insert(pair, label);
        label
    }
}

/// Lists the reachable states of a library.
fn list(library: &Library, space: &Space, watch: &Watch, bounds: Bounds) -> Result<Listing, Stop> {
    watch.begin("the reachable states were listed");
    let initial = initial_states(library).map_err(Stop::TooMuch)?;
    let problem = |message: &str| Err(Stop::Problem(Problem::new(library.places.initial, message)));
    if initial.is_empty() {
        return problem("no state satisfies the initial condition");
    }
    if initial.iter().any(|state| crate::library::is_error(library, state)) {
        return problem("an initial state is an error");
    }
    let mut number: HashMap<State, usize> =
        initial.iter().cloned().enumerate().map(|(k, s)| (s, k)).collect();
    let count = initial.len();
    let mut out =
        Listing { states: initial, initial: count, calls: Vec::new(), labels: Labels::default() };
    let mut machine = Machine::new(library, space, watch, bounds.states, bounds.steps);
    while out.calls.len() < out.states.len() {
        let from = out.calls.len();
        watch.begin(format!(
            "reachable states were listed: {from} are done, {} more are known",
            out.states.len() - from
        ));
        let mut calls = Vec::with_capacity(library.functions.len());
        for f in 0..library.functions.len() {
            watch.in_time()?;
            let outcome = machine.call(f, &out.states[from])?;
            let is_followed = outcome.fails.is_false() || !bounds.is_strict;
            let fails = (!outcome.fails.is_false()).then(|| out.labels.number(outcome.fails));
            let mut to = Vec::new();
            for (state, set) in outcome.returns.into_iter().filter(|_| is_followed) {
                let next = out.states.len();
                let target = *number.entry(state).or_insert_with_key(|state| {
                    out.states.push(state.clone());
                    next
                });
                to.push((target, out.labels.number(set)));
            }
            calls.push(Transition { fails, to });
            if out.states.len() > bounds.states {
                let message = format!("more than {} states are reached", bounds.states);
                return Err(too_much(library.places.module, message));
            }
        }
        out.calls.push(calls);
    }
    Ok(out)
}
