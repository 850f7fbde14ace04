//! The content of free elements.
//!
//! Elements to which no statement and no ensure assigns a value are free. One choice per array,
//! its `fill`, decides their content; a [`Filler`] generates it element by element, or in runs.

use std::ops::Range;

use fixedbitset::{Block, FixedBitSet};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

use crate::program::IntType;
use crate::run::backward::limits::MOST_VALUES;
use crate::run::store::{Array, Cells};
use crate::solve::Fill;

/// A generator of free elements.
#[derive(Debug)]
pub struct Filler {
    fill: Fill,
    rng: ChaCha8Rng,
}

/// Returns the runs of `flags` that are `wanted`.
fn runs_of(flags: &FixedBitSet, wanted: bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = next_of(flags, wanted, at)?;
        at = next_of(flags, !wanted, start).unwrap_or(flags.len());
        Some(start..at)
    })
}

/// Returns the first of `flags` at or after `at` that is `wanted`.
fn next_of(flags: &FixedBitSet, wanted: bool, at: usize) -> Option<usize> {
    const BITS: usize = Block::BITS as usize;
    let inverted = if wanted { 0 } else { !0 };
    // The first block may begin before `at`, so its lower bits are masked.
    let mut left = !0 << (at % BITS);
    for (k, block) in flags.as_slice().iter().enumerate().skip(at / BITS) {
        let found = (block ^ inverted) & std::mem::replace(&mut left, !0);
        if found != 0 {
            let place = k * BITS + found.trailing_zeros() as usize;
            return (place < flags.len()).then_some(place);
        }
    }
    None
}

impl Filler {
    /// Creates the generator of a fill.
    pub fn new(fill: Fill) -> Self {
        let seed = if let Fill::Random(seed) = fill { seed } else { 0 };
        Self { fill, rng: Fill::rng(seed) }
    }

    /// Returns the next value; copies are drawn from `real`, the values of elements in use.
    pub fn next(&mut self, int: IntType, real: &[i128]) -> i128 {
        let (lo, hi) = int.range();
        match self.fill {
            Fill::Zeros => lo.max(0),
            Fill::Ones => hi,
            Fill::Copies if real.is_empty() => lo.max(0),
            Fill::Copies => real[(self.rng.random::<u64>() % real.len() as u64) as usize],
            Fill::Random(_) => lo + i128::from(self.rng.random::<u64>()).rem_euclid(hi - lo + 1),
        }
    }

    /// Assigns the next value to every element that is not `known`.
    pub fn rest(&mut self, int: IntType, array: &mut Array, known: &FixedBitSet) {
        let real: Vec<i128> = match self.fill {
            Fill::Copies => {
                let real = runs_of(known, true).flatten().take(MOST_VALUES as usize);
                real.filter_map(|k| array.cells.get(k)).collect()
            }
            _ => Vec::new(),
        };
        match (self.fill, &mut array.cells) {
            // Arrays are allocated as zeros.
            (Fill::Zeros, _) => {}
            (fill, Cells::U8(bytes)) => {
                for run in runs_of(known, false) {
                    let free = bytes.fresh(run);
                    match fill {
                        Fill::Random(_) => self.rng.fill_bytes(free),
                        Fill::Copies => free.fill_with(|| self.next(int, &real) as u8),
                        _ => free.fill(self.next(int, &real) as u8),
                    }
                }
            }
            _ => {
                for at in runs_of(known, false).flatten() {
                    array.cells.set(at, self.next(int, &real));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_all_that_is_wanted(
            lengths in prop::collection::vec(0..150usize, 0..6),
            wanted in any::<bool>(),
        ) {
            let mut flags = FixedBitSet::with_capacity(lengths.iter().sum());
            let mut start = 0;
            for (k, length) in lengths.iter().enumerate() {
                flags.set_range(start..start + length, k % 2 == 0);
                start += length;
            }
            let expected: Vec<usize> =
                (0..flags.len()).filter(|k| flags.contains(*k) == wanted).collect();
            prop_assert_eq!(runs_of(&flags, wanted).flatten().collect::<Vec<_>>(), expected);
            let runs: Vec<_> = runs_of(&flags, wanted).collect();
            prop_assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
