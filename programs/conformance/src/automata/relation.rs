//! Binary relations of states, as matrices of bits.

use super::nwa::State;

/// A set of pairs of states of one automaton.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation {
    /// The number of words of a row.
    width: usize,
    /// The rows, one after another.
    bits: Vec<u64>,
}

impl Relation {
    /// The empty relation of an automaton with this number of states.
    pub fn empty(states: usize) -> Self {
        let width = states.div_ceil(64).max(1);
        Self { width, bits: vec![0; width * states] }
    }

    /// Adds a pair.
    pub fn insert(&mut self, from: State, to: State) {
        self.bits[from as usize * self.width + to as usize / 64] |= 1 << (to % 64);
    }

    /// Returns true if a pair is in the relation.
    pub fn contains(&self, from: State, to: State) -> bool {
        self.bits[from as usize * self.width + to as usize / 64] >> (to % 64) & 1 == 1
    }

    /// Returns the second states of the pairs with this first state, in ascending order.
    pub fn row(&self, from: usize) -> impl Iterator<Item = State> + '_ {
        let row = &self.bits[from * self.width..(from + 1) * self.width];
        row.iter().enumerate().flat_map(|(k, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros();
                word &= word - 1;
                Some(State::try_from(k).unwrap_or(State::MAX) * 64 + bit)
            })
        })
    }

    /// Number of rows.
    pub fn states(&self) -> usize {
        self.bits.len() / self.width
    }

    /// The composition: first this relation, then the other.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let mut result = Self { width: self.width, bits: vec![0; self.bits.len()] };
        for from in 0..self.states() {
            let begin = from * self.width;
            for middle in self.row(from) {
                let row = middle as usize * self.width;
                for k in 0..self.width {
                    result.bits[begin + k] |= other.bits[row + k];
                }
            }
        }
        result
    }
}
