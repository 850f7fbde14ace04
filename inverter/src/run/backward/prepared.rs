//! A canonical value from which many representations are built.
//!
//! A [`Runner`] holds an inverse with the cache of results that depend only on the inverse; a [`Prepared`] value adds
//! one canonical value with its own cache. Both can be used from any thread. After a few representations a choice costs
//! little more than a draw from a set that is already computed.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::cache::{SharedCache, ValueCache};
use super::limits::Limits;
use crate::invert::EnsureId;
use crate::run::condition_values::ConditionValues;
use crate::run::error::RunError;
use crate::run::executable::Executable;
use crate::run::steps::Steps;
use crate::run::store::{Record, Slot, Store};

/// An inverse with the cache shared by the values that it prepares.
#[derive(Debug)]
pub struct Runner<'i> {
    pub(super) inverse: &'i Executable,
    pub(super) cache: LazyCache<'i>,
}

/// The cache is created when it is first needed, because values that are only compared need neither it nor the inverse.
#[derive(Debug)]
pub(super) struct LazyCache<'i> {
    inverse: &'i Executable,
    limits: Limits,
    made: OnceLock<Arc<SharedCache>>,
}

impl Deref for LazyCache<'_> {
    type Target = SharedCache;

    fn deref(&self) -> &SharedCache {
        self.made.get_or_init(|| Arc::new(SharedCache::new(self.inverse, self.limits)))
    }
}

/// A canonical value on which its inverse runs many times, on any thread. The caches do not change any representation.
#[derive(Debug)]
pub struct Prepared<'i> {
    pub(super) runner: Arc<Runner<'i>>,
    pub(super) output: Store,
    /// The number of scalars and elements of the value.
    pub(super) elements: usize,
    /// Scalars of the value; behaviour may change near them, so draws prefer them.
    pub(super) interesting_values: Vec<i128>,
    /// The input as the canonical value alone determines it.
    pub(super) start: OnceLock<Result<Store, RunError>>,
    pub(super) cache: ValueCache,
    pub(super) conditions: ConditionValues,
}

impl<'i> Runner<'i> {
    /// Creates the runner of an inverse.
    pub fn new(inverse: &'i Executable, limits: Limits) -> Self {
        Self { inverse, cache: LazyCache { inverse, limits, made: OnceLock::new() } }
    }

    /// Creates a runner with the cache of an earlier runner of the same inverse.
    pub(crate) fn with_cache(inverse: &'i Executable, cache: Arc<SharedCache>) -> Self {
        let limits = cache.limits;
        Self { inverse, cache: LazyCache { inverse, limits, made: cache.into() } }
    }

    /// Prepares `y`.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a value of the inverse's program.
    pub fn prepare(self: &Arc<Self>, y: Record) -> Result<Prepared<'i>, RunError> {
        let program = self.inverse.program();
        y.fits(&program.output).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
        let elements = y.elements();
        let output = Store::whole(y);
        let scalar = |slot: &Slot| match slot {
            Slot::Scalar(n) => Some(*n),
            _ => None,
        };
        let mut interesting_values: Vec<i128> = output.slots.iter().filter_map(scalar).collect();
        interesting_values.sort_unstable();
        interesting_values.dedup();
        Ok(Prepared {
            runner: Arc::clone(self),
            output,
            elements,
            interesting_values,
            start: OnceLock::new(),
            cache: ValueCache::default(),
            conditions: ConditionValues::default(),
        })
    }
}

impl<'i> Prepared<'i> {
    /// Prepares `y` with a new runner.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a value of the inverse's program.
    pub fn new(inverse: &'i Executable, y: Record, limits: Limits) -> Result<Self, RunError> {
        Arc::new(Runner::new(inverse, limits)).prepare(y)
    }

    /// Returns the canonical value.
    pub fn canonical(&self) -> &Store {
        &self.output
    }

    /// Returns the inverse that it was prepared for.
    pub(in crate::run) fn inverse(&self) -> &'i Executable {
        self.runner.inverse
    }

    /// Returns the part of the canonical value on which ensure `n` depends, as a key: the size of the value and some of
    /// its scalars. `None` if the ensure depends on elements.
    pub(super) fn shared_key(&self, n: EnsureId) -> Option<Vec<i128>> {
        let reads = self.runner.cache.plan_reads(n)?;
        let fields = reads.output.as_deref()?;
        let size = if reads.sized { self.elements as i128 } else { 0 };
        let scalars = fields.iter().map(|f| self.output.scalar(*f));
        std::iter::once(Some(size)).chain(scalars).collect()
    }

    /// Returns the bound on the loops of one run.
    pub(super) fn steps(&self) -> Steps {
        let steps = Steps::default();
        steps.allow(self.elements);
        steps
    }
}
