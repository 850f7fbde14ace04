//! Finite automata over plain numbers, which are determinized by subsets and minimized by refinement.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::nwa::State;
use super::partition::Partition;
use crate::error::Error;
use crate::search::Search;

/// A nondeterministic finite automaton. The caller defines the meaning of the labels, which are numbers.
#[derive(Debug, Clone, Default)]
pub struct Fa {
    /// Number of states.
    pub states: usize,
    /// The states in which words begin.
    pub initial: BTreeSet<State>,
    /// The states in which words end.
    pub finals: BTreeSet<State>,
    /// Transitions: source, label (`None` for an empty transition), and target.
    pub edges: Vec<(State, Option<u32>, State)>,
}

/// A deterministic finite automaton without states from which nothing is accepted. A missing transition refuses the
/// word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dfa {
    /// The states in which words begin.
    pub initial: State,
    /// True for states in which words may end.
    pub finals: Vec<bool>,
    /// The state after each label.
    pub next: Vec<BTreeMap<u32, State>>,
}

/// Returns the states that each state reaches by empty transitions, including itself, in ascending order.
pub fn closures(states: usize, silent: impl Iterator<Item = (State, State)>) -> Vec<Vec<State>> {
    let mut next: Vec<Vec<State>> = vec![Vec::new(); states];
    for (from, to) in silent {
        next[from as usize].push(to);
    }
    let mut search = Search::default();
    (0..states)
        .map(|state| {
            search.begin(states);
            search.is_new(state);
            let mut found = vec![State::try_from(state).unwrap_or(State::MAX)];
            let mut searched = 0;
            while let Some(state) = found.get(searched).copied() {
                searched += 1;
                for to in &next[state as usize] {
                    if search.is_new(*to as usize) {
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
    /// Returns an error if it has more than `limit` states.
    pub fn determinize(&self, limit: usize) -> Result<Dfa, Error> {
        let mut silent: Vec<Vec<State>> = vec![Vec::new(); self.states];
        let mut loud: Vec<Vec<(u32, State)>> = vec![Vec::new(); self.states];
        for (from, on, to) in &self.edges {
            match on {
                Some(on) => loud[*from as usize].push((*on, *to)),
                None => silent[*from as usize].push(*to),
            }
        }
        let mut search = Search::default();
        // Returns the states that these reach by empty transitions, without states that have no other transitions and
        // in which no words end, because such states make no difference.
        let mut closed = |states: &[State]| -> Vec<State> {
            search.begin(self.states);
            let mut found = Vec::new();
            let mut work: Vec<State> = states.to_vec();
            while let Some(state) = work.pop() {
                if search.is_new(state as usize) {
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
    /// Returns the smallest equivalent automaton, by refining a partition of the states. Omits states from which
    /// nothing is accepted, except the initial one.
    #[must_use]
    pub fn minimize(&self) -> Self {
        let live = self.live();
        let transitions: Vec<(usize, u32, usize)> = (0..self.next.len())
            .filter(|from| live[*from])
            .flat_map(|from| self.next[from].iter().map(move |(on, to)| (from, *on, *to as usize)))
            .filter(|(_, _, to)| live[*to])
            .collect();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.next.len()];
        for (k, (_, _, to)) in transitions.iter().enumerate() {
            into[*to].push(k);
        }
        let mut states = Partition::whole(self.next.len());
        (0..live.len()).filter(|state| !live[*state]).for_each(|state| states.mark(state));
        states.split();
        (0..live.len()).filter(|state| self.finals[*state]).for_each(|state| states.mark(state));
        states.split();
        // Transitions of one block have the same label, and lead to the same block of states.
        let labels: Vec<u32> = transitions.iter().map(|(_, on, _)| *on).collect();
        let mut cords = Partition::by_key(&labels);
        let (mut block, mut cord) = (0, 0);
        while cord < cords.len() {
            cords.elements(cord).iter().for_each(|k| states.mark(transitions[*k].0));
            states.split();
            cord += 1;
            while block < states.len() {
                let all = states.elements(block).iter();
                all.flat_map(|state| &into[*state]).for_each(|k| cords.mark(*k));
                cords.split();
                block += 1;
            }
        }
        // Returns the class of a state: 0 if nothing is accepted from it.
        let class: Vec<usize> = (0..live.len())
            .map(|state| if live[state] { states.block(state) + 1 } else { 0 })
            .collect();
        self.quotient(&class)
    }

    /// Returns the automaton whose states are the classes, in the order in which they are reached.
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

    /// Returns true for each state from which a word is accepted.
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

    /// Returns true if every word over the labels is accepted.
    pub fn is_universal(&self, labels: &BTreeSet<u32>) -> bool {
        self.finals.iter().all(|last| *last)
            && self.next.iter().all(|next| labels.iter().all(|label| next.contains_key(label)))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Counts the classes of reachable states from which something is accepted, by distinguishing pairs until no more
    /// can be distinguished.
    fn classes(dfa: &Dfa) -> usize {
        let states = dfa.next.len();
        let live = dfa.live();
        let after = |state: usize, on: u32| {
            dfa.next[state].get(&on).map(|to| *to as usize).filter(|to| live[*to])
        };
        let mut apart = vec![vec![false; states]; states];
        loop {
            let before = apart.clone();
            for (a, row) in apart.iter_mut().enumerate() {
                for (b, known) in row.iter_mut().enumerate() {
                    *known |= dfa.finals[a] != dfa.finals[b]
                        || (0..3).any(|on| match (after(a, on), after(b, on)) {
                            (Some(a), Some(b)) => before[a][b],
                            (None, None) => false,
                            _ => true,
                        });
                }
            }
            if apart == before {
                break;
            }
        }
        let mut reached = vec![dfa.initial as usize];
        let mut searched = 0;
        while let Some(state) = reached.get(searched).copied() {
            let next = (0..3).filter_map(|on| after(state, on)).filter(|to| !reached.contains(to));
            let next: BTreeSet<usize> = next.collect();
            reached.extend(next);
            searched += 1;
        }
        let first = |k: usize| (0..k).all(|other| apart[reached[k]][reached[other]]);
        (0..reached.len()).filter(|k| first(*k)).count()
    }

    #[test]
    fn minimized_automata_have_the_fewest_states() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..500 {
            let states = rng.random_range(1..12);
            let mut dfa = Dfa::default();
            for _ in 0..states {
                dfa.finals.push(rng.random_bool(0.3));
                let on = (0..3).filter(|_| rng.random_bool(0.6)).collect::<Vec<u32>>();
                let next = on.into_iter().map(|on| (on, rng.random_range(0..states)));
                dfa.next.push(next.collect());
            }
            assert_eq!(dfa.minimize().next.len(), classes(&dfa), "{dfa:?}");
        }
    }
}
