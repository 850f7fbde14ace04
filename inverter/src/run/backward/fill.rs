//! What free elements are given.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Backward;
use crate::program::IntType;
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
    fn rest(&mut self, int: IntType, array: &mut Array, known: &[bool]) {
        let real: Vec<i128> = match self.fill {
            Fill::Copies => {
                let real = (0..known.len()).filter(|k| known[*k]).take(MOST_REAL);
                real.filter_map(|k| array.cells.get(k)).collect()
            }
            _ => Vec::new(),
        };
        match (self.fill, &mut array.cells) {
            // Arrays are made of zeros.
            (Fill::Zeros, _) => {}
            (Fill::Random(_), Cells::U8(bytes)) => {
                for (byte, _) in bytes.iter_mut().zip(known).filter(|(_, known)| !**known) {
                    *byte = self.rng.random::<u64>() as u8;
                }
            }
            _ => {
                for at in (0..known.len()).filter(|k| !known[*k]) {
                    array.cells.set(at, self.next(int, &real));
                }
            }
        }
    }
}

impl Backward<'_> {
    /// The fill of an array, asked for once.
    fn filler(&mut self, field: usize) -> Result<&mut Filler, RunError> {
        let filler = match self.fills[field].take() {
            Some(filler) => filler,
            None => {
                let dimension = self.program.input.fields[field].dimension();
                let fill = self.source.fill(&format!("{dimension} fill"))?;
                Filler {
                    fill,
                    rng: Fill::rng(if let Fill::Random(seed) = fill { seed } else { 0 }),
                }
            }
        };
        Ok(self.fills[field].insert(filler))
    }

    /// The value of the next free element of an array.
    pub(super) fn fill_value(&mut self, field: usize) -> Result<i128, RunError> {
        let int = self.program.input.fields[field].int;
        Ok(self.filler(field)?.next(int, &[]))
    }

    /// Gives every element of an array that has no value yet the next one.
    pub(super) fn fill_rest(&mut self, field: usize) -> Result<(), RunError> {
        let whole = |slot: &Slot| match slot {
            Slot::Array(_, known) => !known.contains(&false),
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
