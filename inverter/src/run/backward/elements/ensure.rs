//! Ensures of elements: the values of an array that an ensure assigns as a whole.
//!
//! Elements with a closed form are drawn one by one, which takes time linear in their number. Connected elements are
//! solved as a network, or by Z3 if that fails.

use rand::RngExt;

use super::agreeing::{choose_agreeing, written};
use super::connected::Values;
use super::constraints::Split;
use super::coupled::{self, Constraints};
use super::definitions::assign_defined;
use super::entries::{entries_needed, with_places_apart, within_places};
use super::split::split;
use crate::invert::EnsureId;
use crate::program::FieldId;
use crate::program::eval::holds_with;
use crate::run::backward::checks::writes::{recheck, write_conflict};
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::draw::draw_integer;
use crate::solve::{Choice, DimensionId, Domain, Purpose, list_of};

/// The maximum number of elements that are chosen one by one.
const MAX_ELEMENTS: usize = 1 << 22;

/// Assigns the elements of `field` as ensure `n` demands.
pub fn ensure_elements(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
) -> Result<(), RunError> {
    let cx = run.cx;
    let f = &cx.program.input.fields[field];
    let name = cx.dimension(field);
    run.allocate(field, f.span)?;
    let (cells, lengths) = match &run.assignment.input.slots[field] {
        Slot::Array(a, _) => (a.cells.len(), a.lengths.clone()),
        _ => return Ok(()),
    };
    if cells == 0 {
        let conflict = recheck(cx, &mut run.env(), field)?;
        return conflict.map_or(Ok(()), |why| Err(RunError::NoRepresentation(why)));
    }
    if cells > MAX_ELEMENTS {
        let why = format!("{} would be too large: {cells} elements", cx.name(field));
        return Err(cx.impossible(f.span, &why));
    }
    if !run.choices.source.is_given(name) && assign_defined(run, n, field)? {
        return Ok(());
    }
    let constraints = split(run, n, field, &lengths)?;
    let (mut values, free) = choose(run, name, &constraints)?;
    with_places_apart(run, field, |run| {
        run.assignment.assign_elements(field, values.iter().copied().enumerate());
        match recheck(cx, &mut run.env(), field)? {
            Some(why) if !free || !agreeing(run, field, &constraints.domains, &mut values)? => {
                Err(RunError::NoRepresentation(why))
            }
            _ => Ok(()),
        }
    })
}

/// Chooses the values of all elements. The bool is true if they may be drawn again.
fn choose(
    run: &mut Backward<'_>,
    name: DimensionId,
    constraints: &Split,
) -> Result<(Vec<i128>, bool), RunError> {
    let Split { domains, closed, coupled, distinct, connected } = constraints;
    let (cx, source) = (run.cx, &mut *run.choices.source);
    if let Some(distinct) = distinct {
        return Ok((distinct.choose(name, domains, source)?, false));
    }
    let broken = |values: &Values<'_>| {
        let broken = coupled.iter().find(|r| holds_with(&r.pred, values) == Some(false));
        broken.map(|r| describe(cx, r))
    };
    if let Some(connected) = connected
        && let Some(values) = connected.choose(name, domains, &broken, source)?
    {
        return Ok((values, false));
    }
    if !coupled.is_empty() {
        let connected = Constraints { domains, single: closed, coupled };
        let values = coupled::solve(cx, name, &connected, &run.assignment.input, source)?;
        let text = coupled.iter().map(|r| describe(cx, r)).collect::<Vec<_>>().join(" and ");
        source.fix(name, Choice::List(values.clone()), || text)?;
        return Ok((values, false));
    }
    let given = source.is_given(name);
    // If all values are forced, they are not a choice.
    let forced = domains.iter().all(|d| d.quotients().len() == 1);
    if forced && !given {
        return Ok((domains.iter().map(Domain::least).collect(), false));
    }
    Ok((source.integers(name, domains)?, !forced && !given))
}

/// Chooses the elements of `field`, whose `values` conflict, so that their writes agree. Returns false on failure.
fn agreeing(
    run: &mut Backward<'_>,
    field: FieldId,
    domains: &[Domain],
    values: &mut [i128],
) -> Result<bool, RunError> {
    let cx = run.cx;
    let name = cx.dimension(field);
    let mut rng = run.choices.source.stream_for(name, Purpose::Agreeing);
    if !choose_agreeing(run, field, domains, values, &mut rng)?
        || recheck(cx, &mut run.env(), field)?.is_some()
    {
        return Ok(false);
    }
    run.choices.source.fix(name, Choice::List(values.to_vec()), String::new)?;
    Ok(true)
}

/// Draws how far from their least values the elements of `field` may be, because a table is seldom much larger than its
/// content.
fn near(
    run: &mut Backward<'_>,
    field: FieldId,
    domains: &[Domain],
) -> Result<Vec<Domain>, RunError> {
    let count = domains.len();
    let needed = run.dry_run(|run| entries_needed(run, field, count))?.unwrap_or(count) as u128;
    let name = run.cx.dimension(field);
    let mut rng = run.choices.source.stream_for(name, Purpose::OneByOne);
    let values = match rng.random_range(0..8) {
        0 | 1 => needed,
        2 | 3 => needed + rng.random_range(0..=needed + 4),
        4..7 => needed + 256,
        _ => return Ok(domains.to_vec()),
    };
    let nearest = |d: &Domain| match d.quotients().nth(values.max(1) - 1) {
        Some(last) => {
            let last = Domain::range((i128::MIN, d.member(last)));
            d.intersect(&last).unwrap_or_else(|| d.clone())
        }
        None => d.clone(),
    };
    Ok(domains.iter().map(nearest).collect())
}

/// Chooses the elements of `field`, which are bases of segments of `array`, one by one, so that their writes agree.
/// Returns false on failure.
pub fn agree(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    array: FieldId,
) -> Result<bool, RunError> {
    let cx = run.cx;
    let (f, name) = (&cx.program.input.fields[field], cx.dimension(field));
    run.allocate(field, f.span)?;
    let Slot::Array(cells, _) = &run.assignment.input.slots[field] else { return Ok(false) };
    let lengths = cells.lengths.clone();
    let constraints = split(run, n, field, &lengths)?;
    let Split { domains, coupled, connected, .. } = &*constraints;
    if !coupled.is_empty() || connected.is_some() || domains.is_empty() {
        return Ok(false);
    }
    let Some(domains) = within_places(run, n, (field, array), domains.clone())? else {
        return Ok(false);
    };
    let near = near(run, field, &domains)?;
    let source = &mut *run.choices.source;
    // Values that are all forced are not a choice.
    let forced = domains.iter().all(|d| d.quotients().len() == 1) && !source.is_given(name);
    let held = source.settled_list(name, domains.len());
    let held = held.filter(|own| list_of(&Choice::List(own.clone()), &domains).is_ok());
    let mut values = match held {
        None if source.is_given(name) => return Ok(false),
        Some(values) => values,
        None if forced || !source.varies(name) => domains.iter().map(Domain::least).collect(),
        None => {
            let mut rng = source.stream_for(name, Purpose::OneByOne);
            let any = |d: &Domain| d.member(draw_integer(&mut rng, &d.quotients(), &[]));
            near.iter().map(any).collect()
        }
    };
    if !forced && !source.is_given(name) {
        let agree = agreeing(run, field, &near, &mut values)?
            || near != domains && agreeing(run, field, &domains, &mut values)?;
        if !agree {
            return Ok(false);
        }
    } else if !forced {
        source.fix(name, Choice::List(values.clone()), String::new)?;
    }
    run.assignment.assign_elements(field, values.iter().copied().enumerate());
    let Some(cells) = written(run, field, &values)? else { return Ok(false) };
    run.assignment.assign_elements(field, values.into_iter().enumerate());
    if cx.layout(array).is_none_or(|layout| layout.dimension == 0) {
        let ends = cells.into_iter().filter(|(of, _)| *of == array).map(|(_, at)| at[0] + 1);
        run.assignment.ends[array] = Some(ends.max().unwrap_or(0));
    }
    Ok(write_conflict(cx, &mut run.env(), array)?.is_none())
}
