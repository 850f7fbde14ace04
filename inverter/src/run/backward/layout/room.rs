//! Checks that the segments of an array fit somewhere, before their bases are chosen.

use std::collections::BTreeSet;

use super::build::problem;
use super::dictionary::dictionary;
use super::open_length::open_length;
use super::problem::{Problem, Room};
use crate::invert::{EnsureId, EnsureKind, Layout};
use crate::program::{FieldId, Length, Ref, Side};
use crate::run::backward::checks::writes::write_conflict;
use crate::run::backward::context::Context;
use crate::run::backward::elements::{assign_defined, too_few};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::IntervalSet;

/// Returns the reason why the segments of `array`, which ensure `n` places, fit nowhere under the scalars as they are.
/// `None` if they fit, and also if that depends on arrays that are not chosen yet: arrays whose elements are defined count
/// as chosen where one of `scalars` bounds the places.
pub fn no_room(
    run: &mut Backward<'_>,
    (n, array): (EnsureId, FieldId),
    scalars: &[FieldId],
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    if let Some(why) = too_few(run, array, scalars)? {
        return Ok(Some(why));
    }
    let open = match cx.layout(array) {
        Some(layout) => sizes(run, layout),
        None => BTreeSet::new(),
    };
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
    match room_key(run, (n, array), &open)? {
        Some(key) => {
            let rooms = &cx.prepared.runner.cache.rooms;
            let room = rooms.get((n, key), || run.dry_run(|run| find(run, n, array)))?;
            lack(run, array, &room)
        }
        None => {
            let look = |run: &mut Backward<'_>| match define(run, &open)? {
                true => find(run, n, array),
                false => Ok(Room::default()),
            };
            if let Some(key) = defined_key(run, (n, array))? {
                let rooms = &cx.prepared.runner.cache.rooms_of_defined;
                let room = rooms.get((n, key), || run.dry_run(look))?;
                if !room.overlaps {
                    return lack(run, array, &room);
                }
                // Writes that overlap can be compared only where the arrays are defined.
            }
            run.dry_run(|run| look(run).and_then(|room| lack(run, array, &room)))
        }
    }
}

/// Returns the reason why the segments of `array` do not fit.
fn lack(run: &mut Backward<'_>, array: FieldId, room: &Room) -> Result<Option<String>, RunError> {
    if room.overlaps
        && let Some(why) = write_conflict(run.cx, &mut run.env(), array)?
    {
        return Ok(Some(why));
    }
    Ok(room.lacking.as_deref().map(str::to_owned))
}

/// Returns the values that decide whether the segments of an array fit; `None` if these are more than numbers: arrays of
/// bases, arrays that are defined first, or a length that is drawn for the purpose.
fn room_key(
    run: &mut Backward<'_>,
    (n, array): (EnsureId, FieldId),
    open: &BTreeSet<FieldId>,
) -> Result<Option<Vec<i128>>, RunError> {
    let cx = run.cx;
    let Some(layout) = cx.layout(array) else { return Ok(None) };
    let mut bases = layout.parts.iter().filter_map(|part| part.base.as_ref());
    if !open.is_empty() || bases.any(|base| !base.index.is_empty()) {
        return Ok(None);
    }
    let open_length = open_length(run, array)?.is_some();
    let unset = |r: &Ref| r.side == Side::Input && run.assignment.is_unset(r.field);
    let drawn = |length: &Length| matches!(length, Length::Is(e) if e.mentions(unset));
    if !open_length && cx.program.input.fields[array].lengths.iter().any(drawn) {
        return Ok(None);
    }
    let key = cx.prepared.runner.cache.dependencies(n, &run.assignment.input, cx.output);
    Ok(key.map(|mut key| {
        key.push(i128::from(open_length));
        key
    }))
}

/// Returns the values that decide whether the segments of an array fit where arrays are defined first; `None` if these are
/// very many, or something may be drawn for the purpose.
fn defined_key(
    run: &mut Backward<'_>,
    (n, array): (EnsureId, FieldId),
) -> Result<Option<Vec<i128>>, RunError> {
    let cx = run.cx;
    let unset = |r: &Ref| r.side == Side::Input && run.assignment.is_unset(r.field);
    let drawn = |length: &Length| matches!(length, Length::Is(e) if e.mentions(unset));
    let lengths = |field: FieldId| cx.program.input.fields[field].lengths.iter();
    let bases = cx.layout(array).into_iter().flat_map(|layout| &layout.parts);
    let mut bases = bases.filter_map(|part| part.base.as_ref());
    if lengths(array).any(drawn)
        || bases.any(|base| lengths(base.field).any(drawn))
        || open_length(run, array)?.is_some()
    {
        return Ok(None);
    }
    let cache = &cx.prepared.runner.cache;
    let key = cache.room_dependencies(n, &run.assignment.input, cx.output);
    Ok(key.map(|mut key| {
        key.push(cx.value_size());
        key
    }))
}

/// Returns the values of a scalar, `value` among them, that leave no room for the segments of an array: all that are
/// greater than the greatest one that does, or less than the least one. `None` if neither its least nor its greatest value
/// makes room.
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

/// Returns the arrays without a value that decide how large the segments of a layout are.
fn sizes(run: &Backward<'_>, layout: &Layout) -> BTreeSet<FieldId> {
    let mut open = BTreeSet::new();
    for part in &layout.parts {
        part.refs(&mut |r| {
            if r.side == Side::Input && !r.index.is_empty() && run.assignment.is_unset(r.field) {
                open.insert(r.field);
            }
        });
    }
    open
}

/// Assigns those arrays; false if there is one that no conjunct defines.
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

fn find(run: &mut Backward<'_>, n: EnsureId, array: FieldId) -> Result<Room, RunError> {
    let cx = run.cx;
    if let Some(layout) = cx.layout(array) {
        for base in layout.bases() {
            if !run.can_allocate(base) {
                return Ok(Room::default());
            }
        }
    }
    match problem(run, n, array) {
        Ok(problem) => {
            if let Some(dictionary) = dictionary(run, array, &problem)? {
                return Ok(Room::lacking(dictionary.crowded(&cx.name(array))));
            }
            let order: Vec<usize> = (0..problem.segments.len()).collect();
            let order = problem.space.by_deadline(&problem.segments, &order);
            let fits = problem.space.latest(&problem.segments, &order).is_some()
                // Elements that pick entries may share them, which is seen when they are chosen.
                || cx.layout(array).is_some_and(|layout| picks(cx, layout));
            let lacking = (!fits).then(|| crowded(cx, array, &problem));
            Ok(Room { overlaps: overlap(&problem.slots.taken), ..Room::lacking(lacking) })
        }
        Err(RunError::NoRepresentation(why)) => Ok(Room::lacking(Some(why))),
        Err(RunError::Refused { .. }) => Ok(Room::default()),
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
