//! Checks that the segments of an array fit somewhere, before their bases are chosen.

use super::build::build;
use super::dictionary::dictionary;
use super::problem::Problem;
use crate::invert::{EnsureId, Layout};
use crate::program::{FieldId, Ref, Side};
use crate::run::backward::checks::writes::write_conflict;
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;

/// Returns the reason why the segments fit nowhere under the scalars as they are. `None` if they
/// fit, and also if that depends on arrays that are not chosen yet.
pub fn no_room(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    if let Some(layout) = cx.layout(array) {
        let mut open = false;
        let mut look = |r: &Ref| {
            let unset = || run.assignment.is_unset(r.field);
            open |= r.side == Side::Input && !r.index.is_empty() && unset();
        };
        for part in &layout.parts {
            part.refs(&mut look);
        }
        // The sizes of the segments are not determined yet.
        if open {
            return Ok(None);
        }
    }
    run.dry_run(|run| find(run, n, array))
}

fn find(run: &mut Backward<'_>, n: EnsureId, array: FieldId) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    if let Some(layout) = cx.layout(array) {
        for base in layout.bases() {
            if !run.can_allocate(base) {
                return Ok(None);
            }
        }
    }
    match build(run, n, array) {
        Ok(problem) => {
            if let Some(dictionary) = dictionary(run, array, &problem)? {
                return Ok(dictionary.crowded(&cx.name(array)));
            }
            if overlap(&problem.slots.taken)
                && let Some(why) = write_conflict(cx, &mut run.env(), array)?
            {
                return Ok(Some(why));
            }
            let order: Vec<usize> = (0..problem.segments.len()).collect();
            let order = problem.space.by_deadline(&problem.segments, &order);
            let fits = problem.space.latest(&problem.segments, &order).is_some()
                // Elements that pick entries may share them, which is seen when they are chosen.
                || cx.layout(array).is_some_and(|layout| picks(cx, layout));
            Ok((!fits).then(|| crowded(cx, array, &problem)))
        }
        Err(RunError::NoRepresentation(why)) => Ok(Some(why)),
        Err(RunError::Refused { .. }) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Returns true if, of several bases in a layout, one is an array and the others are scalars.
pub fn picks(cx: Context<'_>, layout: &Layout) -> bool {
    let bases = layout.bases();
    let arrays = bases.iter().filter(|base| !cx.program.input.fields[**base].is_scalar());
    bases.len() > 1 && arrays.count() == 1
}

/// Returns true if two of these ranges overlap.
fn overlap(taken: &[(i128, i128)]) -> bool {
    let mut sorted: Vec<(i128, i128)> = taken.iter().copied().filter(|(lo, hi)| lo < hi).collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0].1 > pair[1].0)
}

/// Returns the message that the segments of an array do not fit, with the amount of room that is missing and
/// the statement of the largest part.
pub fn crowded(cx: Context<'_>, array: FieldId, problem: &Problem) -> String {
    let what = format!("the segments of {} do not fit where they may be", cx.name(array));
    let used: i128 = problem.segments.iter().map(|s| s.len.max(0)).sum();
    let room = problem.space.room();
    let why = match used - room {
        missing @ 1.. => format!(
            "{what}: they have {used} elements, and there is room for {room}, so that {missing} are missing"
        ),
        _ => format!(
            "{what}: they have {used} elements, for which there is room, but not at the places that are allowed"
        ),
    };
    let part = cx.layout(array).and_then(|l| l.parts.iter().find(|p| p.base.is_some()));
    part.map_or_else(|| why.clone(), |part| cx.located(part.span, &why))
}
