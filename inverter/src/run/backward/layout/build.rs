//! Builds the problem of a layout: segments, the values of their bases, and the space.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::bases::bases;
use super::open_length::open_length;
use super::problem::{Base, Problem, Slots};
use super::slots::{allocate_bases, slots};
use crate::invert::EnsureId;
use crate::program::{FieldId, Side};
use crate::run::backward::constraints::by_cell::position;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::limits::FAR;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::Domain;
use crate::solve::layout::{Segment, Space};

/// Returns the layout of `array` under ensure `n`, from the cache if it was built before.
pub fn problem(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
) -> Result<Arc<Problem>, RunError> {
    let cx = run.cx;
    // A drawn length is part of what a layout depends on.
    if let Some(layout) = cx.layout(array)
        && open_length(run, array)?.is_none()
    {
        run.fixed_length(array, layout.dimension)?;
    }
    allocate_bases(run, array)?;
    let cache = &cx.prepared.runner.cache;
    let key = cache.key(n, &run.assignment.input, cx.output);
    let mut build = || build(run, n, array).map(Arc::new);
    match key {
        Some(key) => cache.layouts.get((n, key), build),
        None => build(),
    }
}

/// Builds the layout of `array` that ensure `n` leaves.
pub fn build(run: &mut Backward<'_>, n: EnsureId, array: FieldId) -> Result<Problem, RunError> {
    let cx = run.cx;
    let slots = slots(run, array)?;
    let mut bases = bases(cx, &mut run.env(), n)?;
    let segments: Vec<Segment> = slots
        .slots
        .iter()
        .map(|slot| {
            let domain = bases.take(slot.base);
            let domain = domain.unwrap_or_else(|| Domain::range(cx.range(slot.base.0)));
            Segment { len: slot.len, starts: domain.scaled(slot.scale).shifted(slot.lo) }
        })
        .collect();
    let layout = cx.layout(array);
    let spread = || closest_end(&segments, &slots.taken) + i128::from(cx.limits.slack);
    let limit = match open_length(run, array)? {
        // The length is chosen so that everything fits.
        Some(_) if slots.trailer.is_some() => spread(),
        Some(open) => spread().min(open.greatest(cx)),
        None => match run.fixed_length(array, layout.map_or(0, |l| l.dimension))? {
            Some(length) => length,
            None => spread(),
        },
    };
    let space = Space::new(limit, slots.taken.clone());
    let (coupled, mut idle) = bases.left();
    let loose = loose(run, &slots, &coupled, &mut idle, limit);
    Ok(Problem { slots, segments, space, coupled, loose, idle })
}

/// Removes from `idle` the bases that have no segment but are connected with others.
fn loose(
    run: &Backward<'_>,
    slots: &Slots,
    coupled: &[Residual],
    idle: &mut BTreeMap<Base, Domain>,
    limit: i128,
) -> Vec<(Base, Domain)> {
    let placed: FxHashSet<Base> = slots.slots.iter().map(|slot| slot.base).collect();
    let mut found = BTreeSet::new();
    for r in coupled {
        r.pred.refs(&mut |r| {
            let lengths = match &run.assignment.input.slots[r.field] {
                Slot::Array(a, _) => &a.lengths[..],
                _ => &[],
            };
            let base = position(&r.index, lengths).map(|at| (r.field, at));
            found.extend(base.filter(|base| r.side == Side::Input && !placed.contains(base)));
        });
    }
    let of = |base: Base| {
        let (lo, hi) = run.cx.range(base.0);
        // A distant value would only leave no values for other bases.
        let near = || Domain::range((lo, hi.min(limit)));
        (base, idle.remove(&base).unwrap_or_else(near))
    };
    found.into_iter().map(of).collect()
}

/// Returns the end of the closest packing.
fn closest_end(segments: &[Segment], taken: &[(i128, i128)]) -> i128 {
    let space = Space::new(FAR, taken.to_vec());
    let order: Vec<usize> = (0..segments.len()).collect();
    let order = space.by_deadline(segments, &order);
    let none = vec![0; segments.len()];
    let mut end = space.taken_end();
    if let Some(latest) = space.latest(segments, &order) {
        let laid = space.place(segments, &order, &latest, &none);
        end = laid.starts.iter().zip(segments).map(|(at, s)| at + s.len).fold(end, i128::max);
    }
    end
}
