//! Determinized nested-word automata, whose states are relations between the state before the pending call and the
//! current one (Alur and Madhusudan, *Adding Nesting Structure to Words*).

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::alphabet::Symbol;
use super::fa::closures;
use super::nwa::{Nwa, State};
use super::observer::{Id, Observer};
use super::relation::Relation;
use crate::error::Error;

/// The deterministic automaton that reads the same nested words. Its states are created when they are reached;
/// [`Determinized::explore`] creates all of them.
#[derive(Debug, Clone)]
pub struct Determinized {
    states: usize,
    close: Relation,
    internal: FxHashMap<Symbol, Relation>,
    calls: FxHashMap<Symbol, Relation>,
    /// For each symbol, the state before the return, the state before the call, and the state after the return.
    returns: FxHashMap<Symbol, Vec<(State, State, State)>>,
    initial: Vec<State>,
    finals: Vec<State>,
    known: IndexSet<Relation>,
    internal_memory: FxHashMap<(Id, Symbol), Id>,
    call_memory: FxHashMap<Symbol, Id>,
    return_memory: FxHashMap<(Id, Id, Symbol), Id>,
    /// The effect of a return from a state on the states before the call.
    pops: FxHashMap<(Id, Symbol), Relation>,
    limit: usize,
}

impl Determinized {
    /// Creates the automaton of relations of `automaton`, with at most `limit` states.
    pub fn new(automaton: &Nwa, limit: usize) -> Self {
        let states = automaton.len();
        let silent = automaton.internal.iter().filter(|t| t.on.is_none());
        let mut close = Relation::empty(states);
        let closed = closures(states, silent.map(|t| (t.from, t.to)));
        for (from, to) in closed.iter().enumerate() {
            let from = State::try_from(from).unwrap_or(State::MAX);
            to.iter().for_each(|to| close.insert(from, *to));
        }
        let mut internal = FxHashMap::default();
        let mut calls = FxHashMap::default();
        let mut returns: FxHashMap<Symbol, Vec<_>> = FxHashMap::default();
        let empty = || Relation::empty(states);
        for t in &automaton.internal {
            if let Some(on) = t.on {
                internal.entry(on).or_insert_with(empty).insert(t.from, t.to);
            }
        }
        for t in &automaton.calls {
            calls.entry(t.on).or_insert_with(empty).insert(t.from, t.to);
        }
        for t in &automaton.returns {
            returns.entry(t.on).or_default().push((t.from, t.call, t.to));
        }
        Self {
            states,
            close,
            internal,
            calls,
            returns,
            initial: automaton.initial.iter().copied().collect(),
            finals: automaton.finals.iter().copied().collect(),
            known: IndexSet::new(),
            internal_memory: FxHashMap::default(),
            call_memory: FxHashMap::default(),
            return_memory: FxHashMap::default(),
            pops: FxHashMap::default(),
            limit,
        }
    }

    /// Number of states so far.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True before the first state is created.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Creates every state: the states after each symbol, and the states after returns from each state to each other
    /// state. Symbols without transitions lead to the empty relation.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more states than the limit.
    pub fn explore(&mut self, symbols: &[Symbol]) -> Result<(), Error> {
        self.initial()?;
        let mut done = 0;
        while done < self.known.len() {
            let at = id(done);
            for on in symbols {
                self.internal(at, *on)?;
                self.call(at, *on)?;
                for other in 0..=at {
                    self.ret(at, other, *on)?;
                    self.ret(other, at, *on)?;
                }
            }
            done += 1;
        }
        Ok(())
    }

    fn number(&mut self, relation: Relation) -> Result<Id, Error> {
        let (index, _) = self.known.insert_full(relation);
        if self.known.len() > self.limit {
            let subject = "the determinized automaton";
            return Err(Error::TooLarge { subject, limit: self.limit });
        }
        Ok(id(index))
    }
}

fn id(index: usize) -> Id {
    Id::try_from(index).unwrap_or(Id::MAX)
}

impl Observer for Determinized {
    fn initial(&mut self) -> Result<Id, Error> {
        let mut relation = Relation::empty(self.states);
        for from in &self.initial {
            self.initial.iter().for_each(|to| relation.insert(*from, *to));
        }
        self.number(relation.then(&self.close))
    }

    fn internal(&mut self, at: Id, on: Symbol) -> Result<Id, Error> {
        if let Some(next) = self.internal_memory.get(&(at, on)) {
            return Ok(*next);
        }
        let next = match self.internal.get(&on) {
            Some(step) => self.known[at as usize].then(step).then(&self.close),
            None => Relation::empty(self.states),
        };
        let next = self.number(next)?;
        self.internal_memory.insert((at, on), next);
        Ok(next)
    }

    fn call(&mut self, _at: Id, on: Symbol) -> Result<Id, Error> {
        if let Some(next) = self.call_memory.get(&on) {
            return Ok(*next);
        }
        let next = match self.calls.get(&on) {
            Some(step) => step.then(&self.close),
            None => Relation::empty(self.states),
        };
        let next = self.number(next)?;
        self.call_memory.insert(on, next);
        Ok(next)
    }

    fn ret(&mut self, exit: Id, call: Id, on: Symbol) -> Result<Id, Error> {
        if let Some(next) = self.return_memory.get(&(exit, call, on)) {
            return Ok(*next);
        }
        if !self.pops.contains_key(&(exit, on)) {
            let relation = &self.known[exit as usize];
            let mut pop = Relation::empty(self.states);
            for (from, call, to) in self.returns.get(&on).into_iter().flatten() {
                if relation.contains(*call, *from) {
                    pop.insert(*call, *to);
                }
            }
            self.pops.insert((exit, on), pop.then(&self.close));
        }
        let next = self.known[call as usize].then(&self.pops[&(exit, on)]);
        let next = self.number(next)?;
        self.return_memory.insert((exit, call, on), next);
        Ok(next)
    }

    fn accepts(&self, at: Id) -> bool {
        let relation = &self.known[at as usize];
        let mut pairs = self.initial.iter().flat_map(|q| self.finals.iter().map(move |f| (*q, *f)));
        pairs.any(|(from, to)| relation.contains(from, to))
    }
}
