//! Makes a representation of a canonical value.
//!
//! The inverse runs and solves its ensures one after another. If that does not lead to a representation, the last
//! resort is a search over runs of the normalization program.

use std::convert::Infallible;

use super::limits::Limits;
use super::prepared::Prepared;
use super::search::{SEARCH, Searched, search, take_over};
use super::state::Backward;
use crate::run::error::RunError;
use crate::run::executable::Executable;
use crate::run::store::{Record, Store};
use crate::run::walk;
use crate::solve::{ChoiceSource, DimensionId};

/// The maximum number of times that all choices are drawn again.
const ATTEMPTS: u64 = 6;

/// Runs the inverse on a canonical value, with all freedom decided by `source`.
///
/// # Errors
///
/// Returns [`RunError::NoRepresentation`] if the value has none under the choices made, [`RunError::Choice`] if a given
/// choice does not fit.
pub fn invert_value(
    inverse: &Executable,
    y: &Record,
    source: &mut ChoiceSource,
    limits: &Limits,
) -> Result<Record, RunError> {
    Prepared::new(inverse, y.clone(), *limits)?.invert(source)
}

/// The result of [`Prepared::invert_unless`].
#[derive(Debug)]
pub enum Made<T> {
    /// The result that the caller already has for the chosen scalars.
    Known(T),
    /// A representation.
    New {
        /// The representation.
        value: Record,
        /// True if only scalars were chosen, so that the same scalars always result in this representation.
        settled: bool,
    },
}

/// A representation, and the method that found it.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// The representation.
    pub value: Record,
    /// If a search found the representation, the reason why the ensures did not.
    pub searched: Option<RunError>,
}

impl Prepared<'_> {
    /// Returns a representation of the value, with all freedom decided by `source`.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::NoRepresentation`] if the value has none under the choices made, [`RunError::Choice`] if a
    /// given choice does not fit.
    pub fn invert(&self, source: &mut ChoiceSource) -> Result<Record, RunError> {
        match self.invert_unless(source, |_| None::<Infallible>)? {
            Made::New { value, .. } => Ok(value),
            Made::Known(never) => match never {},
        }
    }

    /// Like [`Prepared::invert`], but also returns the method that found the representation.
    ///
    /// # Errors
    ///
    /// As [`Prepared::invert`].
    pub fn draw(&self, source: &mut ChoiceSource) -> Result<Drawn, RunError> {
        let mut searched = None;
        match self.invert_or_search(source, |_| None::<Infallible>, &mut searched)? {
            Made::New { value, .. } => Ok(Drawn { value, searched }),
            Made::Known(never) => match never {},
        }
    }

    /// Like [`Prepared::invert`], unless the caller already has the result for the chosen scalars (in the order of the
    /// record's fields, with 0 for an array). `known` is called only if all scalars have their values before any
    /// element.
    ///
    /// # Errors
    ///
    /// As [`Prepared::invert`].
    pub fn invert_unless<T>(
        &self,
        source: &mut ChoiceSource,
        known: impl FnOnce(&[i128]) -> Option<T>,
    ) -> Result<Made<T>, RunError> {
        self.invert_or_search(source, known, &mut None)
    }

    /// [`Prepared::invert_unless`]; sets `why` to the reason why the ensures give no representation.
    fn invert_or_search<T>(
        &self,
        source: &mut ChoiceSource,
        known: impl FnOnce(&[i128]) -> Option<T>,
        why: &mut Option<RunError>,
    ) -> Result<Made<T>, RunError> {
        if self.inverse().program().has_walks() {
            let value = walk::invert(self, self.runner.cache.limits, source)?;
            return Ok(Made::New { value, settled: false });
        }
        let before = source.recorded().len();
        if source.given(SEARCH).is_none() {
            match self.by_ensures(source, known) {
                Ok(made) => return Ok(made),
                Err(RunError::Choice(e)) if source.is_given(e.dimension) => {
                    return Err(e.into());
                }
                // If a drawn value does not fit, that is not the caller's mistake.
                Err(e) => *why = Some(e),
            }
            if let Some(made) = self.again(source, before) {
                return Ok(made);
            }
        }
        source.rewind(before);
        let mut run = Backward::new(self, source);
        match search(run.cx, run.choices.source) {
            Searched::Found(class) => {
                let found = take_over(&mut run, &class).and_then(|()| run.finish());
                match (found, why) {
                    (Ok(value), _) => Ok(Made::New { value, settled: false }),
                    // The place is too far away. The ensures report what there is not enough of.
                    (Err(RunError::NoRepresentation(_)), Some(why)) => {
                        Err(RunError::NoRepresentation(why.to_string()))
                    }
                    (Err(e), _) => Err(e),
                }
            }
            // The ensures report the reason in the spec's words.
            Searched::None | Searched::Spent => Err(RunError::NoRepresentation(match why {
                Some(why) => why.to_string(),
                None => "none was found with the given values".to_owned(),
            })),
        }
    }

    /// Redraws the choices that led to no representation: a size with too little room, overlapping places. `None` if
    /// other choices fail as well, if there are none, or if a search makes representations that the ensures lose.
    fn again<T>(&self, source: &mut ChoiceSource, before: usize) -> Option<Made<T>> {
        if !self.inverse().losses.is_empty() {
            return None;
        }
        for attempt in 1..=ATTEMPTS {
            let drawn = |dimension: DimensionId| source.varies(dimension);
            if !source.recorded().ids().skip(before).any(drawn) {
                return None;
            }
            let mut other = source.attempt(attempt)?;
            other.rewind(before);
            match self.by_ensures(&mut other, |_| None) {
                Ok(made) => {
                    source.adopt(other);
                    return Some(made);
                }
                Err(RunError::NoRepresentation(_) | RunError::Choice(_)) => {}
                Err(_) => return None,
            }
        }
        None
    }

    fn by_ensures<T>(
        &self,
        source: &mut ChoiceSource,
        known: impl FnOnce(&[i128]) -> Option<T>,
    ) -> Result<Made<T>, RunError> {
        let mut run = Backward::starting(self, source, self.start()?);
        let decided = self.inverse().decided();
        run.statements(0..decided)?;
        let chosen = run.choices.source.recorded().len();
        let scalars = run.assignment.all_scalars(&run.cx.program.input);
        if let Some(known) = scalars.as_deref().and_then(known) {
            return Ok(Made::Known(known));
        }
        run.statements(decided..self.inverse().body.len())?;
        let value = run.finish()?;
        Ok(Made::New { value, settled: scalars.is_some() && source.recorded().len() == chosen })
    }

    /// Returns the input with the values that the canonical value alone determines, computed once.
    fn start(&self) -> Result<Store, RunError> {
        let start = || {
            let mut source = ChoiceSource::seeded(0, 0);
            let mut run = Backward::new(self, &mut source);
            run.assign_determined()?;
            run.check_determined_writes()?;
            Ok(run.assignment.input)
        };
        self.start.get_or_init(start).clone()
    }
}
