//! Explorations with a single run, on a random or a given input.

use super::class::{Class, Element};
use super::goals::{AnyInput, Matches};
use super::options::Options;
use super::run::{Bounds, Goal, explore};
use crate::program::Program;
use crate::run::store::Record;
use crate::solve::domain::Domain;

/// Returns an input that the program accepts, with small values picked at random; `pick(n)` returns a number below `n`.
/// `None` if these picks lead to none.
pub fn any_input(
    program: &Program,
    options: &mut dyn Options,
    bounds: Bounds,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Record> {
    let mut value = None;
    let mut picked = Picked { options, pick };
    let once = Bounds { runs: 1, ..bounds };
    explore(program, &AnyInput, &mut picked, once, &mut |_, class| {
        value = class.value(program);
        false
    });
    value
}

/// Runs `goal` once, on values picked at random; `pick(n)` returns a number below `n`. Returns the goal as the run left
/// it, with the values read; `None` if the run does not count.
pub fn any_run<G: Goal>(
    program: &Program,
    goal: &G,
    options: &mut dyn Options,
    bounds: Bounds,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<(G, Class)> {
    let mut found = None;
    let mut picked = Picked { options, pick };
    let once = Bounds { runs: 1, ..bounds };
    explore(program, goal, &mut picked, once, &mut |goal, class| {
        found = Some((goal, class));
        false
    });
    found
}

/// Picks one of the values that other options propose.
struct Picked<'a> {
    options: &'a mut dyn Options,
    pick: &'a mut dyn FnMut(usize) -> usize,
}

impl Options for Picked<'_> {
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128> {
        let mut all = self.options.of(program, element, domain, settled);
        if all.is_empty() {
            return all;
        }
        let at = (self.pick)(all.len());
        vec![all.swap_remove(at)]
    }
}

/// The values of one input.
struct Given<'a>(&'a Record);

impl Options for Given<'_> {
    fn of(&mut self, _: &Program, element: Element, _: &Domain, _: bool) -> Vec<i128> {
        element.of(self.0).into_iter().collect()
    }
}

impl Class {
    /// Returns the class of a representation `x` of `y`; `None` if it is not one, or reads a stream.
    pub fn of(program: &Program, x: &Record, y: &Record) -> Option<Class> {
        let mut found = None;
        let bounds = Bounds { runs: 1, steps: 1 << 24 };
        explore(program, &Matches::of(y), &mut Given(x), bounds, &mut |_, class| {
            found = Some(class);
            false
        });
        found
    }
}
