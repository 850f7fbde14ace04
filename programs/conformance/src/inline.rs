//! The automaton of a program in which each call has a copy of its function, so every return leads to its own call. It
//! shows whether a verdict depends on returns that lead elsewhere (Enrich).

use std::collections::BTreeMap;

use crate::automata::nwa::Internal;
use crate::automata::{Alphabet, Nwa, State};
use crate::error::Error;
use crate::infer::{Label, Parts, parts};
use crate::program::{FunctionId, Program};

/// The maximum number of states of all copies.
const STATES: usize = 50_000;

/// The program with copies in place of calls.
#[derive(Debug)]
pub enum Inlined {
    /// No function is called twice: returns lead to the only call.
    Same,
    /// Returns the names of the functions that are called in several states, in the order of the program, and the
    /// automaton, which has no calls. `None` if a function calls itself or there are too many copies.
    Copies(Vec<String>, Option<Nwa>),
}

/// Copies the functions of a program.
///
/// # Errors
///
/// Returns an error if the automaton of a function is too large.
pub fn inlined(program: &Program, alphabet: &mut Alphabet) -> Result<Inlined, Error> {
    let parts = parts(program, &program.relevant())?;
    let shared = called_twice(program, &parts);
    if shared.is_empty() {
        return Ok(Inlined::Same);
    }
    let shared = shared.into_iter().map(|k| program.functions[k].name.clone()).collect();
    let mut nwa = Nwa::default();
    let accept = nwa.add_state("end".to_owned());
    nwa.finals.insert(accept);
    let mut copies = Copies { parts: &parts, alphabet, nwa, accept, active: Vec::new() };
    let Some(base) = copies.function(program.main) else {
        return Ok(Inlined::Copies(shared, None));
    };
    let main = &parts.0[&program.main];
    let mut nwa = copies.nwa;
    nwa.initial.insert(base + main.initial);
    let finals = (base..).zip(&main.finals).filter(|(_, last)| **last);
    nwa.finals.extend(finals.map(|(state, _)| state));
    Ok(Inlined::Copies(shared, Some(nwa)))
}

fn called_twice(program: &Program, (parts, labels): &Parts) -> Vec<FunctionId> {
    let mut calls: BTreeMap<FunctionId, usize> = BTreeMap::new();
    for label in parts.values().flat_map(|dfa| &dfa.next).flat_map(BTreeMap::keys) {
        if let Label::Call(callee) = &labels[*label as usize] {
            *calls.entry(*callee).or_default() += 1;
        }
    }
    // The call that begins the run enters the first function.
    *calls.entry(program.main).or_default() += 1;
    calls.into_iter().filter(|(_, count)| *count > 1).map(|(callee, _)| callee).collect()
}

struct Copies<'a> {
    parts: &'a Parts,
    alphabet: &'a mut Alphabet,
    nwa: Nwa,
    /// The end of the run.
    accept: State,
    /// The functions that are being copied.
    active: Vec<FunctionId>,
}

impl Copies<'_> {
    /// Adds a copy of a function; returns its first state. `None` if there are too many copies or a function calls
    /// itself.
    fn function(&mut self, k: FunctionId) -> Option<State> {
        let (dfas, labels) = self.parts;
        let dfa = &dfas[&k];
        if self.active.contains(&k) || self.nwa.len() + dfa.next.len() > STATES {
            return None;
        }
        self.active.push(k);
        let base = State::try_from(self.nwa.len()).ok()?;
        for _ in &dfa.next {
            self.nwa.add_state(String::new());
        }
        for (from, next) in (base..).zip(&dfa.next) {
            let mut made: BTreeMap<FunctionId, State> = BTreeMap::new();
            for (label, to) in next {
                let to = base + to;
                let (on, to) = match &labels[*label as usize] {
                    Label::Event(event) => (Some(self.alphabet.symbol(event.clone())), to),
                    Label::End => (None, self.accept),
                    Label::Call(callee) | Label::Last(callee) => {
                        let inside = match made.get(callee) {
                            Some(inside) => *inside,
                            None => {
                                let inside = self.function(*callee)?;
                                made.insert(*callee, inside);
                                inside
                            }
                        };
                        let called = &dfas[callee];
                        if matches!(labels[*label as usize], Label::Call(_)) {
                            let finals = (inside..).zip(&called.finals);
                            for (exit, _) in finals.filter(|(_, last)| **last) {
                                self.nwa.internal.push(Internal { from: exit, on: None, to });
                            }
                        }
                        (None, inside + called.initial)
                    }
                };
                self.nwa.internal.push(Internal { from, on, to });
            }
        }
        self.active.pop();
        Some(base)
    }
}
