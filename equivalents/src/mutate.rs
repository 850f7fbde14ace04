//! Custom mutators for fuzzers, which turn one file into another that means the same.

use std::cell::RefCell;
use std::sync::Arc;

use inverter::solve::{ChoiceSource, Vary};

use crate::subject::Subject;
use crate::{Equivalent, Format};

/// The share of dimensions that vary, attempt by attempt. Coverage guides small steps, and a file that was too large
/// becomes smaller with fewer changes.
const SHARES: [f64; 4] = [1.0, 0.3, 0.1, 0.03];

/// The shares for files near the plainest one, which are tried if none near the file fits. Without them, most files
/// would be too large in the end, because mutations of mutated files add more bytes than they remove.
const SHARES_OF_PLAIN: [f64; 3] = [0.3, 0.1, 0.03];

/// A mutator that builds equivalents of any file that it receives.
#[derive(Default)]
pub struct Mutator {
    format: Format,
    /// The file that was read last: fuzzers request many mutations of one file.
    last: Option<Arc<dyn Subject>>,
}

impl Mutator {
    /// Returns a mutator of files of `format`.
    pub fn new(format: Format) -> Self {
        Self { format, last: None }
    }

    /// Builds another file of at most `max_size` bytes that means the same as `file`, derived from the number `seed`.
    /// Its choices are those that differ from `file`'s. Returns `None` if `file` cannot be read, or nothing fits.
    pub fn mutate(&mut self, file: &[u8], max_size: usize, seed: u64) -> Option<Equivalent> {
        let read = self.read(file)?;
        let build = |source: ChoiceSource, share: f64| {
            let source = source.with_vary(Vary::Share(share));
            let made = Equivalent::of(&*read, read.variant_from(source).ok()?);
            (made.bytes.len() <= max_size && made.bytes != file).then_some(made)
        };
        let first = (seed % SHARES.len() as u64) as usize;
        let near = (0..SHARES.len()).find_map(|k| {
            build(ChoiceSource::seeded(seed, k as u64), SHARES[(first + k) % SHARES.len()])
        });
        near.or_else(|| {
            let plain = Arc::new(read.plainest_choices()?);
            (SHARES.len() as u64..).zip(SHARES_OF_PLAIN).find_map(|(index, share)| {
                build(ChoiceSource::seeded(seed, index).with_baseline(Arc::clone(&plain)), share)
            })
        })
    }

    /// Replaces the file in the first `size` bytes of `data` by an equivalent one, and returns the new
    /// size. [`mutate`] does this for TIFF.
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

/// Replaces the TIFF file in the first `size` bytes of `data` by another one that means the same, derived from the
/// number `seed`. Returns its size, which is at most `max_size` and the length of `data`. Returns `None`, with `data`
/// unchanged, if the file cannot be read or nothing fits; the fuzzer's own mutator then takes over:
///
/// ```text
/// fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
///     equivalents::mutate(data, size, max_size, seed)
///         .unwrap_or_else(|| libfuzzer_sys::fuzzer_mutate(data, size, max_size))
/// });
/// ```
///
/// [`Mutator::mutate_in_place`] does it for other formats.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    TIFF.with_borrow_mut(|mutator| mutator.mutate_in_place(data, size, max_size, seed))
}
