//! Entries that the elements of an array select from a table at a free place, as indices select vertices. Determines
//! how many different entries are needed, and whether the elements have that many values.
//!
//! The scalar that bounds the elements is chosen before them. It must therefore allow at least one value for each
//! distinct content.

use std::collections::{BTreeMap, BTreeSet};

use super::agreeing::{Cell, Decided, Value, effects};
use super::split::split;
use crate::invert::{DisjointnessStrategy, EnsureId, EnsureKind};
use crate::program::{FieldId, Poly, Ref, Side};
use crate::run::backward::layout::build::problem;
use crate::run::backward::layout::problem::Problem;
use crate::run::backward::limits::FAR;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::{Domain, IntervalSet};

/// The elements that one element of an index array writes, with their values.
type Entry = Vec<(Cell, Value)>;

/// Returns the reason why elements without a value, which select what is written into the segments of `array`, have too
/// few values under `scalars`; `None` if they have enough, or if that is not known yet.
pub fn too_few(
    run: &mut Backward<'_>,
    array: FieldId,
    scalars: &[FieldId],
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    if !cx.layout(array).is_some_and(|layout| layout.picked) {
        return Ok(None);
    }
    let deciding = &cx.inverse.writes(array).depends_on;
    for (k, e) in cx.inverse.ensures.iter().enumerate() {
        let EnsureKind::Elements(field) = e.kind else { continue };
        let bounded = e
            .conjuncts
            .iter()
            .any(|c| c.pred.mentions(|r| r.side == Side::Input && scalars.contains(&r.field)));
        let open = deciding.contains(&field) && run.assignment.is_unset(field);
        if !bounded || !open || !run.can_allocate(field) {
            continue;
        }
        let why = run.dry_run(|run| too_few_places(run, EnsureId(k), field, array));
        match why {
            Ok(None) => {}
            // The constraints on an element leave it no value.
            Err(RunError::NoRepresentation(why)) | Ok(Some(why)) => return Ok(Some(why)),
            // This error comes from a statement that is not reached.
            Err(RunError::Refused { .. }) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(None)
}

/// Returns the reason why the elements of `field` have too few values for the entries that they select from `array`;
/// `None` if they have enough, or if that is not known yet.
pub fn too_few_places(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    let cx = run.cx;
    run.allocate(field, cx.program.input.fields[field].span)?;
    let Slot::Array(cells, _) = &run.assignment.input.slots[field] else { return Ok(None) };
    let (lengths, count) = (cells.lengths.clone(), cells.cells.len());
    if count == 0 {
        return Ok(None);
    }
    let domains = split(run, n, field, &lengths)?.domains.clone();
    let Some(domains) = within_places(run, n, (field, array), domains)? else { return Ok(None) };
    let first = &domains[0];
    let values = match domains.iter().all(|domain| domain == first) {
        true => first.quotients().len(),
        false => {
            let union = |all: IntervalSet, domain: &Domain| all.union(&domain.set);
            domains.iter().fold(IntervalSet::empty(), union).len()
        }
    };
    // The cheap check comes first: usually there are far more values than elements.
    if values >= count as u128 {
        return Ok(None);
    }
    let Some(needed) = entries_needed(run, field, count)? else { return Ok(None) };
    Ok((values < needed as u128).then(|| {
        let (array, name) = (cx.name(array), cx.name(field));
        format!("{needed} different entries of {array} are picked, and {name} has {values} values")
    }))
}

/// Returns the number of different entries that the elements of `field` have to select; `None` if that is not known
/// yet. Assigns the elements.
pub fn entries_needed(
    run: &mut Backward<'_>,
    field: FieldId,
    count: usize,
) -> Result<Option<usize>, RunError> {
    let entries = with_places_apart(run, field, |run| written_by_each(run, field, count))?;
    Ok(entries.map(different))
}

/// Runs `choose` with distant placeholder places for the segments that are not yet placed and in which the elements of
/// `field` select what is written. Wherever the segments will be, the writes inside each have to agree.
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

/// Restricts `domains`, those of the elements of `field`, to places that they may select from `array`; `None` if there
/// is no layout, or if one of them has no value left.
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
        let problem = match problem(run, n, array) {
            Err(RunError::NoRepresentation(_)) => return Ok(None),
            problem => problem?,
        };
        let Problem { slots, segments, space, .. } = &*problem;
        for (slot, segment) in slots.slots.iter().zip(segments) {
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

/// Returns the writes of each element of `field` if all have the value 0, provided that the elements decide only the
/// places of writes; `None` if something else is not known yet.
fn written_by_each(
    run: &mut Backward<'_>,
    field: FieldId,
    count: usize,
) -> Result<Option<Vec<Entry>>, RunError> {
    run.assignment.assign_elements(field, (0..count).map(|at| (at, 0)));
    let Some(effects) = effects(run, field, count)? else { return Ok(None) };
    let shifted: Vec<bool> =
        effects.accesses.iter().map(|decided| is_shifted(decided, field)).collect();
    let mut out = Vec::with_capacity(count);
    for iterations in &effects.iterations {
        let mut writes = Vec::new();
        for iteration in iterations.iter().filter(|iteration| shifted[iteration.access]) {
            let decided = &effects.accesses[iteration.access];
            let mut env = run.env();
            iteration.enter(&mut env, decided.access);
            let mut write = |cell: Cell, value: Value| {
                writes.push((cell, value));
                true
            };
            if decided.inside(&mut env, &mut write).is_err() {
                return Ok(None);
            }
        }
        out.push(writes);
    }
    Ok(Some(out))
}

/// Returns true if the elements of `field` decide only the place of an access, with a different place for each value.
fn is_shifted(decided: &Decided<'_>, field: FieldId) -> bool {
    let own = |r: &Ref| r.side == Side::Input && r.field == field;
    let access = decided.access;
    let mut shifts = false;
    let mut linear = true;
    for e in &access.index {
        let index = Poly::of(e);
        e.refs(&mut |r| {
            if own(r) {
                let found = index.linear_in(&Poly::ref_atom(r));
                shifts = true;
                linear &= found
                    .is_some_and(|(c, rest)| c.as_int().is_some() && !rest.to_expr().mentions(own));
            }
        });
    }
    shifts
        && linear
        && access.stands_for.is_none()
        && !access.nest.iter().any(|level| level.count.mentions(own))
        && !access.guards.iter().any(|guard| guard.mentions(own))
        && !access.value.iter().any(|value| value.mentions(own))
}

/// Returns the maximum number of entries that pairwise write some element with different values.
fn different(entries: Vec<Entry>) -> usize {
    let mut by_shape: BTreeMap<Vec<Cell>, BTreeSet<Vec<i128>>> = BTreeMap::new();
    for mut entry in entries {
        entry.sort_unstable();
        let (cells, values): (Vec<Cell>, Vec<Value>) = entry.into_iter().unzip();
        // Contents without a value are unknown.
        if let Some(values) = values.into_iter().collect::<Option<Vec<i128>>>() {
            by_shape.entry(cells).or_default().insert(values);
        }
    }
    by_shape.values().map(BTreeSet::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::different;
    use crate::program::FieldId;

    #[test]
    fn entries_differ_where_they_write_the_same_elements() {
        let entry = |at: i128, value: i128| {
            vec![((FieldId(0), [at + 1, 0, 0]), Some(value)), ((FieldId(0), [at, 0, 0]), Some(7))]
        };
        let unknown = vec![((FieldId(0), [0, 0, 0]), None)];
        let entries = vec![entry(0, 1), entry(0, 2), entry(0, 1), entry(5, 3), unknown];
        assert_eq!(different(entries), 2);
        assert_eq!(different(vec![Vec::new()]), 1);
        assert_eq!(different(Vec::new()), 0);
    }
}
