//! Ensures of places: every segment of an array is placed, and its base assigned.

use std::borrow::Cow;

use super::build::problem;
use super::contents::picked_by;
use super::coupled;
use super::gaps::choose_gaps;
use super::idle::assign_idle;
use super::open_length::open_length;
use super::order::choose_order;
use super::problem::{Problem, Sharing};
use super::room::crowded;
use super::sharing::{Draw, choose_sharing};
use crate::invert::EnsureId;
use crate::program::FieldId;
use crate::run::backward::checks::writes::{recheck_others, write_conflict};
use crate::run::backward::elements::{agree, too_few_places};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::layout::Space;
use crate::solve::{Choice, DimensionId};

/// Assigns the bases of the segments of `array` as ensure `n` requires.
///
/// If segments cannot be placed, or if the bases decide conflicting writes of other arrays, the elements of a single
/// array of bases are chosen one by one.
pub fn ensure_places(run: &mut Backward<'_>, n: EnsureId, array: FieldId) -> Result<(), RunError> {
    let cx = run.cx;
    let bases: Vec<FieldId> =
        cx.layout(array).map(|l| l.bases().into_iter().collect()).unwrap_or_default();
    let single = match bases[..] {
        [base] if !cx.program.input.fields[base].is_scalar() => Some(base),
        _ => None,
    };
    let (before, choices) = (run.assignment.snapshot(), run.choices.source.recorded().len());
    let refused = match place_segments(run, n, array) {
        Ok(()) => match unsettled(run, array, &bases)? {
            Some(why) => RunError::NoRepresentation(why),
            None if single.is_some_and(|base| is_passed_over(run, base)) => {
                RunError::NoRepresentation("given elements are no bases of segments".to_owned())
            }
            None => return Ok(()),
        },
        Err(e @ (RunError::NoRepresentation(_) | RunError::Choice(_))) => e,
        Err(e) => return Err(e),
    };
    let mut arrays = bases.iter().filter(|base| !cx.program.input.fields[**base].is_scalar());
    let mixed = match (arrays.next(), arrays.next()) {
        (Some(base), None) if bases.len() > 1 => Some(*base),
        _ => None,
    };
    if let Some(base) = mixed {
        run.assignment.rollback(&before);
        run.choices.source.rewind(choices);
        return match place_beside(run, n, (array, base))? && agree(run, n, base, array)? {
            true => Ok(()),
            false => Err(refused),
        };
    }
    let Some(base) = single else { return Err(refused) };
    if matches!(refused, RunError::Choice(_)) && !run.choices.source.is_given(cx.dimension(base)) {
        return Err(refused);
    }
    run.assignment.rollback(&before);
    run.choices.source.rewind(choices);
    match agree(run, n, base, array)? {
        true => Ok(()),
        false => Err(refused),
    }
}

/// Places the segments whose bases are not elements of `base`, outside all places that these elements may have. Returns
/// false on failure.
fn place_beside(
    run: &mut Backward<'_>,
    n: EnsureId,
    (array, base): (FieldId, FieldId),
) -> Result<bool, RunError> {
    /// The maximum number of elements that may be picked.
    const MOST_PICKED: i128 = 1 << 16;
    let problem = problem(run, n, array)?;
    if !problem.coupled.is_empty() || problem.slots.trailer.is_some() {
        return Ok(false);
    }
    let mut others = Problem::clone(&problem);
    let (mut picked, mut kept) = (Vec::new(), Vec::new());
    for (slot, segment) in problem.slots.slots.iter().zip(&problem.segments) {
        if slot.base.0 != base {
            kept.push(slot.clone());
            continue;
        }
        let (Some(lo), Some(hi)) = (segment.starts.set.min(), segment.starts.set.max()) else {
            return Ok(false);
        };
        picked.push((lo.max(0), hi.saturating_add(segment.len)));
    }
    let (Some(lo), Some(hi)) = (picked.iter().map(|p| p.0).min(), picked.iter().map(|p| p.1).max())
    else {
        return Ok(false);
    };
    if hi - lo > MOST_PICKED {
        return Ok(false);
    }
    others.segments = problem
        .segments
        .iter()
        .zip(&problem.slots.slots)
        .filter(|(_, slot)| slot.base.0 != base)
        .map(|(segment, _)| segment.clone())
        .collect();
    others.slots = problem.slots.without(base, kept);
    others.slots.taken.push((lo, hi));
    others.idle.retain(|(field, _), _| *field != base);
    others.space = Space::new(problem.space.limit() + hi - lo, others.slots.taken.clone());
    let none = vec![None; others.segments.len()];
    Ok(place(run, array, &others, &none)?.is_none() && {
        assign_idle(run, array, &others)?;
        true
    })
}

/// Returns true if the elements of `base` are given, but other choices placed the segments.
fn is_passed_over(run: &Backward<'_>, base: FieldId) -> bool {
    let (name, source) = (run.cx.dimension(base), &run.choices.source);
    source.is_given(name) && source.chosen(name).is_none()
}

/// Returns the reason why the bases do not suit the other arrays whose writes they decide: writes conflict, or a base
/// that places nothing here has no value.
fn unsettled(
    run: &mut Backward<'_>,
    array: FieldId,
    bases: &[FieldId],
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    for base in bases {
        let decides = |other: &FieldId| {
            *other != array && cx.inverse.writes(*other).depends_on.contains(base)
        };
        if !cx.inverse.strategies.keys().any(decides) {
            continue;
        }
        if let Slot::Array(values, known) = &run.assignment.input.slots[*base]
            && known.count_ones(..) < values.cells.len()
        {
            return Ok(Some(format!("{} is not determined", cx.name(*base))));
        }
        if let Some(why) = recheck_others(cx, &mut run.env(), *base, array)? {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

/// Places the segments of `array`, and assigns their bases.
fn place_segments(run: &mut Backward<'_>, n: EnsureId, array: FieldId) -> Result<(), RunError> {
    let cx = run.cx;
    let problem = problem(run, n, array)?;
    if let Some(field) = picked_by(run, array, &problem)? {
        return match agree(run, n, field, array)? {
            true => place_trailer(run, array, &problem),
            false => Err(unpicked(run, n, field, array)?),
        };
    }
    let draw = if problem.coupled.is_empty() { Draw::Allowed } else { Draw::GivenOnly };
    let sharing = choose_sharing(run, array, &problem.slots, draw)?;
    let shares = sharing.iter().any(Option::is_some);
    let mut conflict = place(run, array, &problem, &sharing)?;
    if shares && conflict.is_none() {
        conflict = write_conflict(cx, &mut run.env(), array)?;
    }
    if let Some(why) = conflict {
        retract_sharing(run, &problem, why)?;
        let none = vec![None; sharing.len()];
        if let Some(why) = place(run, array, &problem, &none)? {
            return Err(RunError::NoRepresentation(why));
        }
    }
    place_trailer(run, array, &problem)?;
    assign_idle(run, array, &problem)?;
    if cx.layout(array).is_some_and(|layout| layout.checked)
        && let Some(why) = write_conflict(cx, &mut run.env(), array)?
    {
        return Err(RunError::NoRepresentation(why));
    }
    Ok(())
}

/// Creates the error that no entries of `array` were found for the elements of `field` to select.
fn unpicked(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    array: FieldId,
) -> Result<RunError, RunError> {
    let (cx, name) = (run.cx, run.cx.dimension(field));
    let why = match run.dry_run(|run| too_few_places(run, n, field, array))? {
        Some(why) => why,
        None => format!("no entries of {} were found that agree", cx.name(array)),
    };
    Ok(match run.choices.source.given(name).cloned() {
        Some(value) => run.choices.source.refusal(name, &value, why).into(),
        None => RunError::NoRepresentation(why),
    })
}

/// Replaces drawn sharing by none, because of a conflict at the places where the segments were put.
///
/// # Errors
///
/// Returns an error if sharing was given.
fn retract_sharing(run: &mut Backward<'_>, problem: &Problem, why: String) -> Result<(), RunError> {
    let (cx, source) = (run.cx, &mut *run.choices.source);
    let groups = &problem.slots.groups;
    let names: Vec<DimensionId> = groups.iter().map(|g| cx.names(g.field).sharing).collect();
    if let Some(name) = names.iter().copied().find(|n| source.is_given(*n)) {
        let value = source.chosen(name).cloned();
        let value = value.unwrap_or(Choice::from("none"));
        return Err(source.refusal(name, &value, why).into());
    }
    for name in names {
        if source.chosen(name).is_some() {
            source.fix(name, Choice::from("none"), String::new)?;
        }
    }
    Ok(())
}

/// Chooses the length of an array that ends with a segment, so that this segment begins after all others; or a length
/// that nothing else determines.
fn place_trailer(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
) -> Result<(), RunError> {
    let (Some((lo, _)), Some(length)) = (problem.slots.trailer, run.cx.program.length_of(array))
    else {
        let end = run.assignment.ends[array].unwrap_or(0);
        return match open_length(run, array)? {
            Some(open) => open.choose(run, end, None),
            None => Ok(()),
        };
    };
    let least = run.assignment.ends[array].unwrap_or(0) - lo;
    match (run.assignment.scalar(length), open_length(run, array)?) {
        (None, Some(open)) => open.choose(run, least, problem.idle.get(&(length, 0))),
        // Constraints on the bases have decided the length.
        (Some(chosen), _) if problem.loose.iter().any(|(base, _)| base.0 == length) => {
            match chosen < least {
                true => {
                    let why = format!("{} ends before what it holds", run.cx.name(array));
                    Err(RunError::NoRepresentation(why))
                }
                false => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Chooses the places of segments, and assigns their bases. Returns the reason why a segment that aliases another
/// cannot be where its target puts it.
fn place(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
    sharing: &Sharing,
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    let mut own = Cow::Borrowed(problem);
    if sharing.iter().any(Option::is_some) {
        own.to_mut().release(sharing);
    }
    let source = &mut *run.choices.source;
    let order = choose_order(cx, &own, source)?;
    let mut starts = if !own.coupled.is_empty() {
        let input = &run.assignment.input;
        let solved = coupled::solve(cx, array, &own, &order.segments, input, source)?;
        for ((base, _), value) in own.loose.iter().zip(solved.loose) {
            match cx.program.input.fields[base.0].is_scalar() {
                true => run.assignment.assign(base.0, value),
                false => run.assignment.assign_elements(base.0, [(base.1, value)]),
            }
        }
        solved.starts
    } else if let Some(latest) = &order.latest {
        choose_gaps(cx, &own, &order.segments, latest, source)?
    } else {
        return Err(RunError::NoRepresentation(crowded(cx, array, &own)));
    };
    for (k, shared) in sharing.iter().enumerate() {
        let Some(target) = shared else { continue };
        starts[k] = starts[target.segment] + target.offset;
        let segment = &problem.segments[k];
        let inside = starts[k] + segment.len <= problem.space.limit();
        if !segment.starts.contains(starts[k]) || !inside {
            return Ok(Some("an alias cannot lie where its target does".to_owned()));
        }
    }
    let mut end = problem.space.taken_end();
    for (slot, start) in problem.slots.slots.iter().zip(&starts) {
        let ((field, at), value) = (slot.base, slot.value(*start));
        match &run.assignment.input.slots[field] {
            Slot::Array(..) => run.assignment.assign_elements(field, [(at, value)]),
            _ => run.assignment.assign(field, value),
        }
        if slot.len > 0 {
            end = end.max(start + slot.len);
        }
    }
    if cx.layout(array).is_none_or(|layout| layout.dimension == 0) {
        run.assignment.ends[array] = Some(end);
    }
    Ok(None)
}
