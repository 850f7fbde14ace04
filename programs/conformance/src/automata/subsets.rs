//! The automaton of subsets of a finite automaton, created on the fly.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::alphabet::Symbol;
use super::fa::closures;
use super::nwa::{Nwa, State};
use super::observer::{Id, Observer};
use crate::error::Error;

/// Reads nested words like a nested-word automaton that ignores calls and returns.
///
/// It is the determinized [`Nwa::enriched`]: calls and returns may be added and omitted anywhere, so only the events
/// count.
#[derive(Debug, Clone)]
pub struct Subsets {
    close: Vec<Vec<State>>,
    by_symbol: Vec<FxHashMap<Symbol, Vec<State>>>,
    initial: Vec<State>,
    finals: Vec<bool>,
    known: IndexSet<Vec<State>>,
    accepting: Vec<bool>,
    memory: FxHashMap<(Id, Symbol), Id>,
    limit: usize,
}

impl Subsets {
    /// Creates the subsets of the states of the flattened automaton, at most `limit` of them.
    pub fn new(automaton: &Nwa, limit: usize) -> Self {
        let flat = automaton.flattened();
        let silent = flat.internal.iter().filter(|t| t.on.is_none());
        let close = closures(flat.len(), silent.map(|t| (t.from, t.to)));
        let mut by_symbol: Vec<FxHashMap<Symbol, Vec<State>>> =
            vec![FxHashMap::default(); flat.len()];
        for t in &flat.internal {
            if let Some(on) = t.on {
                by_symbol[t.from as usize].entry(on).or_default().push(t.to);
            }
        }
        let mut finals = vec![false; flat.len()];
        for state in &flat.finals {
            finals[*state as usize] = true;
        }
        Self {
            close,
            by_symbol,
            initial: flat.initial.iter().copied().collect(),
            finals,
            known: IndexSet::new(),
            accepting: Vec::new(),
            memory: FxHashMap::default(),
            limit,
        }
    }

    /// The states of the automaton in a subset.
    pub fn members(&self, at: Id) -> &[State] {
        &self.known[at as usize]
    }

    /// Number of subsets so far.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True before the first subset is created.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The number of the closure of these states.
    fn number(&mut self, states: &[State]) -> Result<Id, Error> {
        let mut all: Vec<State> =
            states.iter().flat_map(|s| &self.close[*s as usize]).copied().collect();
        all.sort_unstable();
        all.dedup();
        let accepts = all.iter().any(|s| self.finals[*s as usize]);
        let (index, new) = self.known.insert_full(all);
        if new {
            self.accepting.push(accepts);
        }
        if self.known.len() > self.limit {
            let subject = "the subsets of the consumer";
            return Err(Error::TooLarge { subject, limit: self.limit });
        }
        Ok(Id::try_from(index).unwrap_or(Id::MAX))
    }
}

impl Observer for Subsets {
    fn initial(&mut self) -> Result<Id, Error> {
        let initial = self.initial.clone();
        self.number(&initial)
    }

    fn internal(&mut self, at: Id, on: Symbol) -> Result<Id, Error> {
        if let Some(next) = self.memory.get(&(at, on)) {
            return Ok(*next);
        }
        let members = &self.known[at as usize];
        let next: Vec<State> = members
            .iter()
            .filter_map(|s| self.by_symbol[*s as usize].get(&on))
            .flatten()
            .copied()
            .collect();
        let next = self.number(&next)?;
        self.memory.insert((at, on), next);
        Ok(next)
    }

    fn call(&mut self, at: Id, _on: Symbol) -> Result<Id, Error> {
        Ok(at)
    }

    fn ret(&mut self, exit: Id, _call: Id, _on: Symbol) -> Result<Id, Error> {
        Ok(exit)
    }

    fn accepts(&self, at: Id) -> bool {
        self.accepting[at as usize]
    }
}
