//! Finite automata over plain numbers: determinized by subsets, minimized by refinement.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::nwa::State;
use crate::error::Error;

/// A nondeterministic finite automaton. Labels are numbers that the caller gives a meaning.
#[derive(Debug, Clone, Default)]
pub struct Fa {
    /// Number of states.
    pub states: usize,
    /// The states in which words begin.
    pub initial: BTreeSet<State>,
    /// The states in which they end.
    pub finals: BTreeSet<State>,
    /// From, label (none for nothing), to.
    pub edges: Vec<(State, Option<u32>, State)>,
}

/// A deterministic finite automaton without a state from which nothing is accepted: a missing
/// transition refuses the word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dfa {
    /// The states in which words begin.
    pub initial: State,
    /// True for states where words may end.
    pub finals: Vec<bool>,
    /// The state after each label.
    pub next: Vec<BTreeMap<u32, State>>,
}

/// The states that each state reaches by transitions on nothing, with itself, ascending.
pub fn closures(states: usize, silent: impl Iterator<Item = (State, State)>) -> Vec<Vec<State>> {
    let mut next: Vec<Vec<State>> = vec![Vec::new(); states];
    for (from, to) in silent {
        next[from as usize].push(to);
    }
    // The number of the last search that saw a state.
    let mut seen = vec![0; states];
    (0..states)
        .map(|state| {
            let number = state + 1;
            seen[state] = number;
            let mut found = vec![State::try_from(state).unwrap_or(State::MAX)];
            let mut searched = 0;
            while let Some(state) = found.get(searched).copied() {
                searched += 1;
                for to in &next[state as usize] {
                    if std::mem::replace(&mut seen[*to as usize], number) != number {
                        found.push(*to);
                    }
                }
            }
            found.sort_unstable();
            found
        })
        .collect()
}

impl Fa {
    /// The equivalent deterministic automaton, by subsets.
    ///
    /// # Errors
    ///
    /// If it has more than `limit` states.
    pub fn determinize(&self, limit: usize) -> Result<Dfa, Error> {
        let mut silent: Vec<Vec<State>> = vec![Vec::new(); self.states];
        let mut loud: Vec<Vec<(u32, State)>> = vec![Vec::new(); self.states];
        for (from, on, to) in &self.edges {
            match on {
                Some(on) => loud[*from as usize].push((*on, *to)),
                None => silent[*from as usize].push(*to),
            }
        }
        let mut seen = vec![0; self.states];
        let mut searches = 0;
        // The states that these reach by transitions on nothing, of those from which something else leads or where words
        // end: the others make no difference.
        let mut closed = |states: &[State]| -> Vec<State> {
            searches += 1;
            let mut found = Vec::new();
            let mut work: Vec<State> = states.to_vec();
            while let Some(state) = work.pop() {
                if std::mem::replace(&mut seen[state as usize], searches) != searches {
                    if !loud[state as usize].is_empty() || self.finals.contains(&state) {
                        found.push(state);
                    }
                    work.extend(&silent[state as usize]);
                }
            }
            found.sort_unstable();
            found
        };
        let mut subsets: IndexSet<Vec<State>> = IndexSet::new();
        subsets.insert(closed(&self.initial.iter().copied().collect::<Vec<_>>()));
        let mut dfa = Dfa::default();
        while let Some(subset) = subsets.get_index(dfa.next.len()).cloned() {
            let mut reached: BTreeMap<u32, Vec<State>> = BTreeMap::new();
            for (on, to) in subset.iter().flat_map(|s| &loud[*s as usize]) {
                reached.entry(*on).or_default().push(*to);
            }
            let mut next = BTreeMap::new();
            for (on, states) in reached {
                let (index, _) = subsets.insert_full(closed(&states));
                next.insert(on, State::try_from(index).unwrap_or(State::MAX));
            }
            if subsets.len() > limit {
                return Err(Error::TooLarge { subject: "the automaton of a function", limit });
            }
            dfa.finals.push(subset.iter().any(|s| self.finals.contains(s)));
            dfa.next.push(next);
        }
        Ok(dfa)
    }
}

impl Dfa {
    /// The smallest equivalent automaton, by refining a partition of the states. States from which
    /// nothing is accepted are left out, except the initial one.
    #[must_use]
    pub fn minimize(&self) -> Self {
        let live = self.live();
        // The class of a state: 0 for those that accept nothing.
        let mut class: Vec<usize> = live
            .iter()
            .zip(&self.finals)
            .map(|(live, last)| if *live { 1 + usize::from(*last) } else { 0 })
            .collect();
        let mut count = class.iter().collect::<BTreeSet<_>>().len();
        loop {
            let mut signatures: IndexSet<(usize, Vec<(u32, usize)>)> = IndexSet::new();
            let refined: Vec<usize> = (0..self.next.len())
                .map(|state| {
                    let to = self.next[state].iter().map(|(on, to)| (*on, class[*to as usize]));
                    let to = to.filter(|(_, class)| *class != 0).collect();
                    let signature = (class[state], if live[state] { to } else { Vec::new() });
                    signatures.insert_full(signature).0
                })
                .collect();
            // Class 0 is kept for what accepts nothing.
            class = refined.iter().zip(&live).map(|(c, l)| if *l { c + 1 } else { 0 }).collect();
            if signatures.len() == count {
                break;
            }
            count = signatures.len();
        }
        self.quotient(&class)
    }

    /// The automaton whose states are the classes, in the order in which they are reached.
    fn quotient(&self, class: &[usize]) -> Self {
        let mut order: IndexSet<usize> = IndexSet::new();
        order.insert(class[self.initial as usize]);
        let mut representatives = vec![self.initial];
        let mut small = Self::default();
        while let Some(state) = representatives.get(small.next.len()).copied() {
            let mut next = BTreeMap::new();
            for (on, to) in &self.next[state as usize] {
                let to_class = class[*to as usize];
                if to_class == 0 {
                    continue;
                }
                let (index, new) = order.insert_full(to_class);
                if new {
                    representatives.push(*to);
                }
                next.insert(*on, State::try_from(index).unwrap_or(State::MAX));
            }
            small.finals.push(self.finals[state as usize]);
            small.next.push(next);
        }
        small
    }

    /// True for each state from which a word is accepted.
    fn live(&self) -> Vec<bool> {
        let mut before: Vec<Vec<State>> = vec![Vec::new(); self.next.len()];
        for (from, next) in self.next.iter().enumerate() {
            for to in next.values() {
                before[*to as usize].push(State::try_from(from).unwrap_or(State::MAX));
            }
        }
        let mut live = self.finals.clone();
        let mut work: Vec<usize> = (0..live.len()).filter(|s| live[*s]).collect();
        while let Some(state) = work.pop() {
            for from in &before[state] {
                if !std::mem::replace(&mut live[*from as usize], true) {
                    work.push(*from as usize);
                }
            }
        }
        live
    }

    /// True if every word over the labels is accepted.
    pub fn is_universal(&self, labels: &BTreeSet<u32>) -> bool {
        self.finals.iter().all(|last| *last)
            && self.next.iter().all(|next| labels.iter().all(|label| next.contains_key(label)))
    }
}
