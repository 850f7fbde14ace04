//! A cache of inverted stages.
//!
//! Variants of one picture share most of the inverted stages, because there are only eight orientations, a few
//! photometric interpretations, and a few numbers of bits. If the scalars of a stage's input determine all of it, they
//! are the key of its result. All caches of one picture share a budget of bytes. No variant depends on the content of
//! the cache.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use inverter::run::{Made, Prepared, Record};
use inverter::solve::ChoiceSource;
use rustc_hash::FxHashMap;

use crate::error::VariantError;

/// The maximum number of bytes that the caches of one picture hold together.
const MAX_BYTES: usize = 32 << 20;

/// The number of bytes that may still be cached. Clones share them.
#[derive(Debug, Clone)]
pub struct Budget(Arc<AtomicUsize>);

impl Default for Budget {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(MAX_BYTES)))
    }
}

impl Budget {
    /// Takes `bytes` from the budget. Returns false, and takes nothing, if too few are left.
    fn reserve(&self, bytes: usize) -> bool {
        let rest = |left: usize| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).is_ok()
    }
}

/// Results of one stage, by the scalars that decide them.
#[derive(Debug)]
pub(super) struct Cache<T>(Mutex<FxHashMap<Vec<i128>, Arc<T>>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// The inversion of stages, one after another, as one choice source decides.
pub(super) struct Walk<'w> {
    /// The source of all choices.
    pub(super) source: &'w mut ChoiceSource,
    /// The budget for caching; `None` once a result was not cached, because nothing that follows from it can be found
    /// again.
    budget: Option<&'w Budget>,
}

impl<'w> Walk<'w> {
    /// Begins a walk that caches within `budget`.
    pub(super) fn new(source: &'w mut ChoiceSource, budget: &'w Budget) -> Self {
        Self { source, budget: Some(budget) }
    }

    /// Inverts one stage at its canonical value `y`. Returns the cached result for the scalars that the source chooses.
    /// Otherwise it builds the result with `build`, which also returns its size in bytes, and caches it if those
    /// scalars determine all of it.
    pub(super) fn invert<T>(
        &mut self,
        y: &Prepared<'_>,
        cache: &Cache<T>,
        build: impl FnOnce(Record) -> Result<(T, usize), VariantError>,
    ) -> Result<Arc<T>, VariantError> {
        let mut key = None;
        let look_up = |scalars: &[i128]| {
            let found = cache.0.lock().ok()?.get(scalars).cloned();
            key = found.is_none().then(|| scalars.to_vec());
            found
        };
        let (x, settled) = match y.invert_unless(self.source, look_up)? {
            Made::Known(cached) => return Ok(cached),
            Made::New { value, settled } => (value, settled),
        };
        let (built, bytes) = build(x)?;
        let built = Arc::new(built);
        if settled
            && let (Some(key), Some(budget)) = (key, self.budget)
            && budget.reserve(bytes)
            && let Ok(mut cached) = cache.0.lock()
        {
            cached.insert(key, Arc::clone(&built));
        } else {
            self.stop_caching();
        }
        Ok(built)
    }

    /// Stops caching.
    pub(super) fn stop_caching(&mut self) {
        self.budget = None;
    }
}
