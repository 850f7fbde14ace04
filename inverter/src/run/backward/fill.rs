//! What free elements are given.

use std::ops::Range;

use fixedbitset::{Block, FixedBitSet};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

use super::Backward;
use crate::program::{FieldId, IntType};
use crate::run::error::RunError;
use crate::run::store::{Array, Cells, Slot};
use crate::solve::Fill;

/// A fill in progress.
pub(super) struct Filler {
    fill: Fill,
    rng: ChaCha8Rng,
}

/// Elements of which there are copies: a sample is enough.
const MOST_REAL: usize = 4096;

/// Where `flags` are `wanted`, in runs.
fn runs_of(flags: &FixedBitSet, wanted: bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = next_of(flags, wanted, at)?;
        at = next_of(flags, !wanted, start).unwrap_or(flags.len());
        Some(start..at)
    })
}

/// The first of `flags` from `at` on that is `wanted`.
fn next_of(flags: &FixedBitSet, wanted: bool, at: usize) -> Option<usize> {
    const BITS: usize = Block::BITS as usize;
    let inverted = if wanted { 0 } else { !0 };
    // Of the first block, what is before `at` does not count.
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
    /// The next value, where elements with a value have these.
    fn next(&mut self, int: IntType, real: &[i128]) -> i128 {
        let (lo, hi) = int.range();
        match self.fill {
            Fill::Zeros => lo.max(0),
            Fill::Ones => hi,
            Fill::Copies if real.is_empty() => lo.max(0),
            Fill::Copies => real[(self.rng.random::<u64>() % real.len() as u64) as usize],
            Fill::Random(_) => lo + i128::from(self.rng.random::<u64>()).rem_euclid(hi - lo + 1),
        }
    }

    /// Gives every element that is not known the next value.
    fn rest(&mut self, int: IntType, array: &mut Array, known: &FixedBitSet) {
        let real: Vec<i128> = match self.fill {
            Fill::Copies => {
                let real = runs_of(known, true).flatten().take(MOST_REAL);
                real.filter_map(|k| array.cells.get(k)).collect()
            }
            _ => Vec::new(),
        };
        match (self.fill, &mut array.cells) {
            // Arrays are made of zeros.
            (Fill::Zeros, _) => {}
            (Fill::Random(_), Cells::U8(bytes)) => {
                for run in runs_of(known, false) {
                    self.rng.fill_bytes(&mut bytes[run]);
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

impl Backward<'_> {
    /// The fill of an array, asked for once.
    fn filler(&mut self, field: FieldId) -> Result<&mut Filler, RunError> {
        let filler = match self.fills[field].take() {
            Some(filler) => filler,
            None => {
                let fill = self.source.fill(&self.names(field).fill)?;
                Filler {
                    fill,
                    rng: Fill::rng(if let Fill::Random(seed) = fill { seed } else { 0 }),
                }
            }
        };
        Ok(self.fills[field].insert(filler))
    }

    /// The value of the next free element of an array.
    pub(super) fn fill_value(&mut self, field: FieldId) -> Result<i128, RunError> {
        let int = self.program.input.fields[field].int;
        Ok(self.filler(field)?.next(int, &[]))
    }

    /// Gives every element of an array that has no value yet the next one.
    pub(super) fn fill_rest(&mut self, field: FieldId) -> Result<(), RunError> {
        let whole = |slot: &Slot| match slot {
            Slot::Array(_, known) => known.is_full(),
            _ => true,
        };
        if whole(&self.input.slots[field]) {
            return Ok(());
        }
        self.filler(field)?;
        let int = self.program.input.fields[field].int;
        let (slot, filler) = (&mut self.input.slots[field], &mut self.fills[field]);
        if let (Slot::Array(array, known), Some(filler)) = (slot, filler) {
            filler.rest(int, array, known);
        }
        Ok(())
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
