//! Checks that there is room for the segments of an array, before their bases are chosen.

use std::collections::BTreeSet;

use super::build::problem;
use super::contents::picked_by;
use super::problem::Problem;
use crate::invert::{EnsureId, EnsureKind, Layout};
use crate::program::{FieldId, Length, Ref, Side};
use crate::run::backward::checks::writes::write_conflict;
use crate::run::backward::context::Context;
use crate::run::backward::elements::{assign_defined, too_few, too_few_places};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::IntervalSet;

/// Returns the reason why there is no room for the segments of `array`, which ensure `n` places, under the current
/// scalars. `None` if there is room, or if that depends on arrays that are not chosen yet; arrays whose elements are
/// defined count as chosen if one of `scalars` bounds the places.
pub fn no_room(
    run: &mut Backward<'_>,
    (n, array): (EnsureId, FieldId),
    scalars: &[FieldId],
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    if let Some(why) = too_few(run, array, scalars)? {
        return Ok(Some(why));
    }
    let arrays = cx.layout(array).into_iter().flat_map(|layout| &layout.sized_by);
    let open: BTreeSet<FieldId> =
        arrays.copied().filter(|of| run.assignment.is_unset(*of)).collect();
    let bounded = || {
        let own = |r: &Ref| r.side == Side::Input && scalars.contains(&r.field);
        let sized = |length: &Length| matches!(length, Length::Is(e) if e.mentions(own));
        cx.inverse.ensures[n].conjuncts.iter().any(|c| c.pred.mentions(own))
            || cx.program.input.fields[array].lengths.iter().any(sized)
    };
    // The sizes of the segments are not determined yet.
    if !open.is_empty() && !bounded() {
        return Ok(None);
    }
    run.dry_run(|run| match define(run, &open)? {
        true => lacking(run, n, array),
        false => Ok(None),
    })
}

/// Returns the values of a scalar, including `value`, that leave no room for the segments of an array: all values above
/// the greatest one that does, or below the least one. `None` if neither its least nor its greatest value leaves room.
pub fn without_room(
    run: &mut Backward<'_>,
    (n, array): (EnsureId, FieldId),
    scalar: FieldId,
    value: i128,
) -> Result<Option<IntervalSet>, RunError> {
    let (least, most) = run.cx.range(scalar);
    let mut fits = |at: i128| {
        run.assignment.assign(scalar, at);
        Ok::<bool, RunError>(no_room(run, (n, array), &[scalar])?.is_none())
    };
    let mut found = None;
    for end in [least, most] {
        if end == value || !fits(end)? {
            continue;
        }
        let (mut good, mut bad) = (end, value);
        while good.abs_diff(bad) > 1 {
            let middle = good + (bad - good) / 2;
            match fits(middle)? {
                true => good = middle,
                false => bad = middle,
            }
        }
        found = Some(match end == least {
            true => IntervalSet::range(bad, most),
            false => IntervalSet::range(least, bad),
        });
        break;
    }
    run.assignment.assign(scalar, value);
    Ok(found)
}

/// Assigns these arrays; returns false if no conjunct defines one of them.
fn define(run: &mut Backward<'_>, arrays: &BTreeSet<FieldId>) -> Result<bool, RunError> {
    let cx = run.cx;
    let mut left = arrays.len();
    for (k, e) in cx.inverse.ensures.iter().enumerate() {
        let EnsureKind::Elements(field) = e.kind else { continue };
        if !arrays.contains(&field) {
            continue;
        }
        let known = run.known_lengths(field).iter().all(Option::is_some);
        if !known || !run.can_allocate(field) {
            return Ok(false);
        }
        run.allocate(field, cx.program.input.fields[field].span)?;
        if !assign_defined(run, EnsureId(k), field)? {
            return Ok(false);
        }
        left -= 1;
    }
    Ok(left == 0)
}

/// Returns the reason why there is no room for the segments of `array`, if that is so.
fn lacking(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    let bases = cx.layout(array).map(Layout::bases).unwrap_or_default();
    if !bases.into_iter().all(|base| run.can_allocate(base)) {
        return Ok(None);
    }
    let problem = match problem(run, n, array) {
        Ok(problem) => problem,
        Err(RunError::NoRepresentation(why)) => return Ok(Some(why)),
        Err(RunError::Refused { .. }) => return Ok(None),
        Err(e) => return Err(e),
    };
    if let Some(field) = picked_by(run, array, &problem)? {
        return too_few_places(run, n, field, array);
    }
    // If places are taken twice regardless of the choices, only a check of the written values decides.
    if overlap(&problem.slots.taken)
        && let Some(why) = write_conflict(cx, &mut run.env(), array)?
    {
        return Ok(Some(why));
    }
    let order: Vec<usize> = (0..problem.segments.len()).collect();
    let order = problem.space.by_deadline(&problem.segments, &order);
    let fits = problem.space.latest(&problem.segments, &order).is_some()
        // Elements that select entries may share them, which is determined when they are chosen.
        || cx.layout(array).is_some_and(|layout| picks(cx, layout));
    Ok((!fits).then(|| crowded(cx, array, &problem)))
}

/// Returns true if one of several bases in a layout is an array and the others are scalars.
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

/// Returns the message that there is no room for the segments of an array, with the missing amount and the statement of
/// the largest part.
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
