//! A canonical value of which many representations are made.
//!
//! What the ensures of scalars leave open depends on nothing but the canonical value and the
//! scalars that have been chosen before. It is worked out when it is first met, and then kept:
//! after a few representations a choice is little more than a draw from a set that is known.

use crate::program::FieldId;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use super::learnt::Learnt;
use super::places::Problem;
use super::plan::{Memo, Plan, Trouble};
use super::search::{SEARCH, Searched};
use super::{Backward, Limits};
use crate::invert::{ConjunctId, EnsureId, EnsureKind, Inst, InstKind};
use crate::run::condition_values::ConditionValues;
use crate::run::error::RunError;
use crate::run::executable::Executable;
use crate::run::steps::Steps;
use crate::run::store::{Slot, Store, Value};

use crate::solve::ChoiceSource;

/// A canonical value, ready for its inverse to run on it many times, on any thread. What it
/// remembers changes no representation.
#[derive(Debug)]
pub struct Prepared<'i> {
    pub(super) runner: Arc<Runner<'i>>,
    pub(super) output: Store,
    /// How many scalars and elements it has.
    pub(super) elements: usize,
    /// Values about which behaviour may change.
    pub(super) landmarks: Vec<i128>,
    start: OnceLock<Result<Store, RunError>>,
    pub(super) memo: Memo,
    conditions: ConditionValues,
}

/// What [`Prepared::invert_unless`] comes to.
#[derive(Debug)]
pub enum Made<T> {
    /// What the caller knows of these scalars.
    Known(T),
    /// A representation. It is `settled` if its scalars decided all of it: then these scalars
    /// always give it.
    New {
        /// The representation.
        value: Value,
        /// Whether no choice was made beside those of the scalars.
        settled: bool,
    },
}

/// An inverse, with what has been worked out of it. Values that are prepared by one runner share
/// that.
#[derive(Debug)]
pub struct Runner<'i> {
    pub(super) inverse: &'i Executable,
    pub(super) learnt: Arc<Learnt>,
}

impl<'i> Runner<'i> {
    /// Of an inverse.
    pub fn new(inverse: &'i Executable, limits: Limits) -> Self {
        Self { inverse, learnt: Arc::new(Learnt::new(inverse, limits)) }
    }

    /// Of the inverse that `learnt` is of.
    pub(crate) fn with(inverse: &'i Executable, learnt: Arc<Learnt>) -> Self {
        Self { inverse, learnt }
    }

    /// Prepares `y`.
    ///
    /// # Errors
    ///
    /// If it is no value of the inverse's program.
    pub fn prepare(self: &Arc<Self>, y: Value) -> Result<Prepared<'i>, RunError> {
        let inverse = self.inverse;
        y.fits(&inverse.program.output)
            .map_err(|(span, why)| RunError::at(&inverse.program.source, span, why))?;
        let elements = y.elements();
        let output = Store::whole(y);
        let scalar = |slot: &Slot| match slot {
            Slot::Scalar(n) => Some(*n),
            _ => None,
        };
        let mut landmarks: Vec<i128> = output.slots.iter().filter_map(scalar).collect();
        landmarks.sort_unstable();
        landmarks.dedup();
        let (runner, start, memo) = (Arc::clone(self), OnceLock::new(), Memo::default());
        let conditions = ConditionValues::new(inverse);
        Ok(Prepared { runner, output, elements, landmarks, start, memo, conditions })
    }
}

impl<'i> Prepared<'i> {
    /// Prepares `y` by itself.
    ///
    /// # Errors
    ///
    /// If it is no value of the inverse's program.
    pub fn new(inverse: &'i Executable, y: Value, limits: Limits) -> Result<Self, RunError> {
        Arc::new(Runner::new(inverse, limits)).prepare(y)
    }

    pub(super) fn inverse(&self) -> &'i Executable {
        self.runner.inverse
    }

    pub(super) fn conditions(&self) -> &ConditionValues {
        &self.conditions
    }

    pub(super) fn limits(&self) -> Limits {
        self.runner.learnt.limits
    }

    /// What ensure `n` depends on beside inputs, if that is few enough to be told: the size of
    /// the canonical value, and scalars of it.
    fn shared(&self, n: EnsureId) -> Option<Vec<i128>> {
        let fields = self.runner.learnt.scalars.get(n.0)?.as_ref()?;
        let size = match self.inverse().extents.is_empty() {
            true => 0,
            false => self.elements as i128,
        };
        let scalars = fields.iter().map(|f| self.output.scalar(*f));
        std::iter::once(Some(size)).chain(scalars).collect()
    }

    /// The canonical value.
    pub fn canonical(&self) -> &Store {
        &self.output
    }

    /// One of its representations, with what is free decided by `source`.
    ///
    /// # Errors
    ///
    /// [`RunError::NoRepresentation`] if the value has none under the choices made,
    /// [`RunError::Choice`] if a given choice does not fit.
    pub fn invert(&self, source: &mut ChoiceSource) -> Result<Value, RunError> {
        match self.invert_unless(source, |_| None::<Infallible>)? {
            Made::New { value, .. } => Ok(value),
            Made::Known(never) => match never {},
        }
    }

    /// The same, unless the caller knows what comes of the scalars that are chosen (in the
    /// order of the record's fields, 0 for an array). It is asked only where all scalars have
    /// their values before any element.
    ///
    /// # Errors
    ///
    /// As [`Prepared::invert`].
    pub fn invert_unless<T>(
        &self,
        source: &mut ChoiceSource,
        known: impl FnOnce(&[i128]) -> Option<T>,
    ) -> Result<Made<T>, RunError> {
        let before = source.recorded().len();
        let mut why = None;
        if source.given(SEARCH).is_none() {
            match self.by_ensures(source, known) {
                Ok(made) => return Ok(made),
                Err(e @ RunError::Choice(_)) => return Err(e),
                Err(e) => why = Some(e),
            }
        }
        source.rewind(before);
        let mut run = Backward::new(self, source);
        match run.search() {
            Searched::Found(class) => {
                run.take(&class)?;
                Ok(Made::New { value: run.finish()?, settled: false })
            }
            // What the ensures say is told in the spec's words.
            Searched::None | Searched::Spent => Err(RunError::NoRepresentation(match why {
                Some(why) => why.to_string(),
                None => "none was found with the given values".to_owned(),
            })),
        }
    }

    fn by_ensures<T>(
        &self,
        source: &mut ChoiceSource,
        known: impl FnOnce(&[i128]) -> Option<T>,
    ) -> Result<Made<T>, RunError> {
        let mut run = Backward::new(self, source);
        run.input = self.start()?;
        let body = &self.inverse().body;
        let decided = body.iter().rposition(decides).map_or(0, |last| last + 1);
        run.top(0..decided)?;
        let asked = run.source.recorded().len();
        let scalars = run.all_scalars();
        if let Some(known) = scalars.as_deref().and_then(known) {
            return Ok(Made::Known(known));
        }
        run.top(decided..body.len())?;
        let value = run.finish()?;
        Ok(Made::New { value, settled: scalars.is_some() && source.recorded().len() == asked })
    }

    /// The input as the canonical value alone determines it.
    fn start(&self) -> Result<Store, RunError> {
        let start = || {
            let mut source = ChoiceSource::seeded(0, 0);
            let mut run = Backward::new(self, &mut source);
            run.presettle()?;
            run.check_at_once()?;
            Ok(run.input)
        };
        self.start.get_or_init(start).clone()
    }

    /// The bound on a run's loops.
    pub(super) fn steps(&self) -> Steps {
        let steps = Steps::default();
        steps.allow(self.elements);
        steps
    }
}

/// Whether something is chosen in a statement, other than the content of free elements.
fn decides(inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Ensure(_) | InstKind::Encode(_) => true,
        InstKind::Free(r) => r.index.is_empty(),
        InstKind::Assign { target, .. } => target.index.is_empty(),
        InstKind::If { then, els, .. } => then.iter().chain(els).any(decides),
        InstKind::For { body, .. } => body.iter().any(decides),
        InstKind::Assume(..) | InstKind::Reserve { .. } => false,
    }
}

impl Backward<'_> {
    /// The scalars that have a value; `None` if an array has begun to be made: then they do
    /// not tell all that is known.
    fn scalars(&self) -> Option<Vec<Option<i128>>> {
        let scalar = |slot: &Slot| match slot {
            Slot::Array(..) => None,
            Slot::Scalar(n) => Some(Some(*n)),
            Slot::Unset => Some(None),
        };
        self.input.slots.iter().map(scalar).collect()
    }

    /// The same if every scalar has a value.
    fn all_scalars(&self) -> Option<Vec<i128>> {
        let scalars = self.scalars()?;
        let fields = self.program.input.fields.iter();
        let known = |(n, f): (Option<i128>, &crate::program::Field)| match n {
            None if !f.is_scalar() => Some(0),
            n => n,
        };
        scalars.into_iter().zip(fields).map(known).collect()
    }

    /// What ensure `n` leaves open, worked out once.
    pub(super) fn plan(&mut self, n: EnsureId, open: &[FieldId]) -> Result<Arc<Plan>, RunError> {
        let prepared = self.prepared;
        let Some(scalars) = self.scalars() else { return self.new_plan(n, open).map(Arc::new) };
        let key = (n, scalars);
        let worked_out = || self.new_plan(n, open).map(Arc::new);
        match prepared.shared(n) {
            Some(of) => prepared.runner.learnt.plans.get((of, key), worked_out),
            None => prepared.memo.plans.get(key, worked_out),
        }
    }

    /// The layout of `array` that ensure `n` leaves, worked out once for all that it depends on.
    pub(super) fn problem_once(
        &mut self,
        n: EnsureId,
        array: FieldId,
    ) -> Result<Arc<Problem>, RunError> {
        self.allocate_bases(array)?;
        let (prepared, of) = (self.prepared, self.mentioned(n));
        let mut problem = || self.problem(n, array).map(Arc::new);
        match of {
            Some(of) => prepared.runner.learnt.problems.get((n, of), problem),
            None => problem(),
        }
    }

    /// [`fine`](Backward::fine), looked at once for all that it depends on.
    pub(super) fn fine_once(&mut self, n: EnsureId, field: FieldId) -> Result<bool, RunError> {
        let (prepared, of) = (self.prepared, self.mentioned(n));
        match of {
            Some(of) => prepared.runner.learnt.fine.get((n, of), || self.fine(n, field)),
            None => self.fine(n, field),
        }
    }

    /// The values that ensure `n` depends on, if they are told.
    fn mentioned(&self, n: EnsureId) -> Option<Vec<i128>> {
        let mentioned = self.prepared.runner.learnt.mentioned.get(n.0)?.as_ref()?;
        mentioned.values(&self.input, self.output)
    }

    /// What does not work out with the scalars as they are after ensure `n`, worked out once.
    pub(super) fn trouble(
        &mut self,
        n: EnsureId,
        deferred: &[ConjunctId],
        every_write: bool,
    ) -> Result<Option<Arc<Trouble>>, RunError> {
        let (prepared, inverse) = (self.prepared, self.inverse);
        // A layout's room may depend on lengths that are drawn.
        let layouts = inverse.ensures.iter().any(|e| matches!(e.kind, EnsureKind::Places { .. }));
        let Some(scalars) = self.scalars().filter(|_| !layouts && !every_write) else {
            return Ok(self.new_trouble(n, deferred, every_write)?.map(Arc::new));
        };
        prepared
            .memo
            .troubles
            .get((n, scalars), || Ok(self.new_trouble(n, deferred, every_write)?.map(Arc::new)))
    }
}
