//! Recovers the choices that a given representation embodies.
//!
//! For a seed file these are the baseline: the choices under which the inverse returns the file itself. Choices are
//! recovered ensure by ensure; a representation that the ensures do not describe is recorded as if a search had found
//! it.

use super::backward::search::{MOST_ELEMENTS, choices_for};
use super::backward::{Backward, Limits, Prepared, own_layout_choices, own_stream_choices};
use super::error::RunError;
use super::executable::Executable;
use super::explore::Class;
use super::store::{Record, Slot, Store};
use super::walk;
use crate::invert::{EnsureId, EnsureKind};
use crate::program::FieldId;
use crate::solve::{Choice, ChoiceSource, Choices};

/// Returns the choices under which the inverse, on the canonical value of `x`, returns `x` (except for the content of
/// free elements, for which only the kind is recorded). Variants of `x` are compared with these.
///
/// # Errors
///
/// Returns an error if `x` is not a representation that the inverse's ensures describe.
pub fn own_choices(
    inverse: &Executable,
    x: &Record,
    y: &Record,
    limits: &Limits,
) -> Result<Choices, RunError> {
    if inverse.program().has_walks() {
        return walk::own_choices(inverse, x, y, limits);
    }
    by_ensures(inverse, x, y, limits).or_else(|e| {
        if x.elements() + y.elements() > MOST_ELEMENTS {
            return Err(e);
        }
        Class::of(&inverse.program, x, y).map(|c| choices_for(&inverse.program, &c, x)).ok_or(e)
    })
}

/// Returns the choices as far as the ensures describe `x`.
fn by_ensures(
    inverse: &Executable,
    x: &Record,
    y: &Record,
    limits: &Limits,
) -> Result<Choices, RunError> {
    let mut source = ChoiceSource::replaying(Choices::new());
    let prepared = Prepared::new(inverse, y.clone(), *limits)?;
    let mut run = Backward::new(&prepared, &mut source);
    run.assignment.input = Store::full(x);
    let mut out = Choices::new();
    for (n, e) in inverse.ensures.iter().enumerate() {
        match &e.kind {
            EnsureKind::Scalars(scalars) => set_scalars(&run, scalars, &mut out),
            EnsureKind::Elements(field) => {
                if let Slot::Array(a, _) = &run.assignment.input.slots[*field]
                    && !a.cells.is_empty()
                {
                    let cells = (0..a.cells.len()).filter_map(|k| a.cells.get(k)).collect();
                    out.set(run.cx.dimension(*field), Choice::List(cells));
                }
            }
            EnsureKind::Places { array, .. } => {
                own_layout_choices(&mut run, EnsureId(n), *array, &mut out)?;
            }
        }
    }
    own_stream_choices(&mut run, &inverse.body, &mut out)?;
    set_scalars(&run, &inverse.free_scalars, &mut out);
    set_tails(&mut run, &mut out)?;
    // Choices that a replay does not make are forced, or have no meaning in this representation.
    let mut replay = ChoiceSource::replaying(Choices::new()).with_baseline(out.clone());
    match prepared.invert(&mut replay) {
        Ok(_) => {
            let made = |name: &str| replay.recorded().get(name).is_some();
            Ok(out.iter().filter(|c| made(c.0)).map(|(k, v)| (k.to_owned(), v.clone())).collect())
        }
        // If the inverse cannot reach `x`, all choices are kept.
        Err(_) => Ok(out),
    }
}

/// Records the values of scalars.
fn set_scalars<'f>(
    run: &Backward<'_>,
    fields: impl IntoIterator<Item = &'f FieldId>,
    out: &mut Choices,
) {
    for field in fields {
        if let Some(n) = run.assignment.scalar(*field) {
            out.set(run.cx.dimension(*field), n);
        }
    }
}

/// Records the number of elements that arrays of free length have beyond those in use.
fn set_tails(run: &mut Backward<'_>, out: &mut Choices) -> Result<(), RunError> {
    let inverse = run.cx.inverse;
    let encoded: Vec<FieldId> = inverse.encodes().iter().map(|e| e.target).collect();
    for (field, f) in inverse.program.input.indexed() {
        for dimension in 0..f.lengths.len() {
            if !inverse.program.has_tail(field, dimension) || encoded.contains(&field) {
                continue;
            }
            let Slot::Array(a, _) = &run.assignment.input.slots[field] else { continue };
            let has = a.lengths[dimension] as i128;
            let used = run.used(field, dimension)?;
            out.set(f.tail(dimension), (has - used).max(0));
        }
    }
    Ok(())
}
