//! For the custom mutators of fuzzers: another file that means the same.

use std::cell::RefCell;
use std::sync::Arc;

use inverter::solve::{ChoiceSource, Vary};

use crate::subject::Subject;
use crate::{Equivalent, Format};

/// What share of the dimensions varies, from attempt to attempt: small steps are what coverage can guide,
/// and files that were too large become smaller with fewer.
const SHARES: [f64; 4] = [1.0, 0.3, 0.1, 0.03];

/// Makes equivalents of whatever file it is given.
#[derive(Default)]
pub struct Mutator {
    format: Format,
    /// The file that was read last: fuzzers ask for many mutations of one.
    last: Option<Arc<dyn Subject>>,
}

impl Mutator {
    /// For files of `format`.
    pub fn new(format: Format) -> Self {
        Self { format, last: None }
    }

    /// Another file of at most `max_size` bytes that means what `file` means, by the number `seed`; its
    /// choices are those that differ from `file`'s. `None` if `file` cannot be read, or nothing fits.
    pub fn mutate(&mut self, file: &[u8], max_size: usize, seed: u64) -> Option<Equivalent> {
        let read = self.read(file)?;
        let first = (seed % SHARES.len() as u64) as usize;
        (0..SHARES.len()).find_map(|k| {
            let share = SHARES[(first + k) % SHARES.len()];
            let source = ChoiceSource::seeded(seed, k as u64).with_vary(Vary::Share(share));
            let made = Equivalent::of(&*read, read.variant_from(source).ok()?);
            (made.bytes.len() <= max_size && made.bytes != file).then_some(made)
        })
    }

    /// Changes the file in the first `size` bytes of `data`, and gives the new size: what [`mutate`] does
    /// for TIFF.
    pub fn mutate_in_place(
        &mut self,
        data: &mut [u8],
        size: usize,
        max_size: usize,
        seed: u32,
    ) -> Option<usize> {
        let most = max_size.min(data.len());
        let made = self.mutate(data.get(..size)?, most, seed.into())?;
        data[..made.bytes.len()].copy_from_slice(&made.bytes);
        Some(made.bytes.len())
    }

    fn read(&mut self, file: &[u8]) -> Option<Arc<dyn Subject>> {
        match &self.last {
            Some(last) if last.seed_bytes() == file => {}
            _ => self.last = Some(self.format.seed(file).ok()?),
        }
        self.last.clone()
    }
}

thread_local! {
    static TIFF: RefCell<Mutator> = RefCell::default();
}

/// Changes the TIFF file in the first `size` bytes of `data` to another one that means the same, by the
/// number `seed`, and gives its size: at most `max_size`, and what `data` has room for. `None` if it cannot
/// be read, or nothing fits; then `data` is as it was, and the fuzzer's own mutator is to be asked:
///
/// ```text
/// fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
///     equivalents::mutate(data, size, max_size, seed)
///         .unwrap_or_else(|| libfuzzer_sys::fuzzer_mutate(data, size, max_size))
/// });
/// ```
///
/// Of other formats: [`Mutator::mutate_in_place`].
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    TIFF.with_borrow_mut(|mutator| mutator.mutate_in_place(data, size, max_size, seed))
}
