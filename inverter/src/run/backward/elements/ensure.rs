//! Ensures of elements: the values of an array that an ensure assigns as a whole.
//!
//! Elements with a closed form are drawn one by one, in time linear in their number; those that
//! constraints connect are solved as a network.

use super::agreeing::{FAR, choose_agreeing, written};
use super::connected::Values;
use super::definitions::assign_defined;
use super::split::{Split, split};
use crate::invert::{DisjointnessStrategy, EnsureId};
use crate::program::FieldId;
use crate::program::eval::holds_with;
use crate::run::backward::checks::writes::{recheck, write_conflict};
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::layout::build::problem;
use crate::run::backward::layout::problem::Problem;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::draw::draw_integer;
use crate::solve::{Choice, DimensionId, Domain, Purpose, list_of};

/// The most elements that are chosen one by one.
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

/// Runs `choose` with places far from one another for the segments, not placed yet, in which the elements of `field`
/// pick what is written: wherever they will be, the writes inside of each have to agree.
pub fn with_places_apart<T>(
    run: &mut Backward<'_>,
    field: FieldId,
    choose: impl FnOnce(&mut Backward<'_>) -> T,
) -> T {
    let cx = run.cx;
    let mut open: Vec<FieldId> = Vec::new();
    for (array, strategy) in &cx.inverse.strategies {
        let DisjointnessStrategy::Layout(layout) = strategy else { continue };
        if layout.picked && cx.inverse.writes(*array).depends_on.contains(&field) {
            let is_open = |base: &FieldId| {
                cx.program.input.fields[*base].is_scalar() && run.assignment.is_unset(*base)
            };
            open.extend(layout.bases().into_iter().filter(is_open));
        }
    }
    for (k, base) in open.iter().enumerate() {
        run.assignment.input.slots[*base] = Slot::Scalar(FAR * (k as i128 + 1));
    }
    let chosen = choose(run);
    for base in open {
        run.assignment.input.slots[base] = Slot::Unset;
    }
    chosen
}

/// Chooses the values of all elements. The bool is true if they may be drawn again.
fn choose(
    run: &mut Backward<'_>,
    name: DimensionId,
    constraints: &Split,
) -> Result<(Vec<i128>, bool), RunError> {
    let Split { domains, coupled, distinct, connected } = constraints;
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
        let mut all: Vec<String> = coupled.iter().map(|r| describe(cx, r)).collect();
        all.dedup();
        let why = format!("no values of {name} were found that satisfy {}", all.join(" and "));
        return Err(cx.impossible(coupled[0].span, &why));
    }
    let given = source.is_given(name);
    // Values that are all forced are no choice.
    let forced = domains.iter().all(|d| d.quotients().len() == 1);
    if forced && !given {
        return Ok((domains.iter().map(Domain::least).collect(), false));
    }
    Ok((source.integers(name, domains)?, !forced && !given))
}

/// Chooses the elements of `field`, whose `values` conflict, such that what they write agrees. Returns false if
/// that did not succeed.
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

/// Restricts `domains`, those of the elements of `field`, to places where they may pick from `array`; `None` if there is no
/// layout, or one of them is left without a value.
pub fn within_places(
    run: &mut Backward<'_>,
    n: EnsureId,
    (field, array): (FieldId, FieldId),
    mut domains: Vec<Domain>,
) -> Result<Option<Vec<Domain>>, RunError> {
    let cx = run.cx;
    let near = Domain::range((0, cx.most_elements() - 1));
    let mut places = vec![near; domains.len()];
    if cx.placed(array).contains(&field) {
        let Problem { slots, segments, space, .. } = match problem(run, n, array) {
            Err(RunError::NoRepresentation(_)) => return Ok(None),
            problem => problem?,
        };
        for (slot, segment) in slots.slots.iter().zip(&segments) {
            let within = Domain::range((0, space.limit() - segment.len));
            if slot.base.0 == field
                && slot.scale == 1
                && let Some(starts) = segment.starts.intersect(&within)
            {
                places[slot.base.1] = starts.shifted(-slot.lo);
            }
        }
    }
    for (domain, places) in domains.iter_mut().zip(places) {
        match domain.intersect(&places).filter(|both| !both.is_empty()) {
            Some(both) => *domain = both,
            None => return Ok(None),
        }
    }
    Ok(Some(domains))
}

/// Chooses the elements of `field`, which are bases of segments of `array`, one by one, such that what they write agrees.
/// Returns false if that did not succeed.
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
    let Split { domains, coupled, connected, .. } = split(run, n, field, &lengths)?;
    if !coupled.is_empty() || connected.is_some() || domains.is_empty() {
        return Ok(false);
    }
    let Some(domains) = within_places(run, n, (field, array), domains)? else { return Ok(false) };
    let source = &mut *run.choices.source;
    // Values that are all forced are no choice.
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
            domains.iter().map(any).collect()
        }
    };
    if !forced && !source.is_given(name) {
        if !agreeing(run, field, &domains, &mut values)? {
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
