//! The choices of a layout that a given representation embodies: order, sharing, gaps, and the
//! bases of absent segments.

use std::collections::{BTreeMap, BTreeSet};

use super::build::build;
use super::contents::picked_by;
use super::open_length::{OpenLength, open_length};
use super::problem::{Base, Problem, Sharing, Slots};
use super::sharing::{found, to_text};
use super::slots::slots;
use crate::invert::EnsureId;
use crate::program::FieldId;
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::{Slot, Store};
use crate::solve::{Choice, Choices, Domain};

/// Records the choices that place the segments of `array` where the input has them.
pub fn own_choices(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
    out: &mut Choices,
) -> Result<(), RunError> {
    let cx = run.cx;
    let slots = slots(run, array)?;
    let input = &run.assignment.input;
    let starts: Vec<i128> = slots.slots.iter().map(|s| s.start(value(input, s.base))).collect();
    let ends: Vec<i128> = starts.iter().zip(&slots.slots).map(|(at, s)| at + s.len).collect();
    let taken_end = slots.taken.iter().map(|t| t.1).fold(0, i128::max);
    run.assignment.ends[array] = Some(ends.iter().copied().fold(taken_end, i128::max));

    let mut physical: Vec<usize> = (0..starts.len()).collect();
    physical.sort_by_key(|k| (starts[*k], ends[*k], *k));
    let (mut problem, open) = unsolved(run, n, array)?;
    // Lengths that no place decides.
    if let Some(length) = open.map(|open| open.scalar())
        && problem.slots.slots.iter().all(|slot| slot.base.0 != length)
    {
        out.set(cx.dimension(length), value(&run.assignment.input, (length, 0)));
    }
    // Entries are picked one by one.
    if let Some(field) = picked_by(run, array, &problem)?
        && let Slot::Array(own, _) = &run.assignment.input.slots[field]
    {
        let cells = (0..own.cells.len()).filter_map(|at| own.cells.get(at));
        out.set(cx.dimension(field), Choice::List(cells.collect()));
        return Ok(());
    }
    if !problem.coupled.is_empty() {
        record_bases(cx, &run.assignment.input, &problem, out);
    }
    let sharing = found(&slots, &physical, &starts);
    problem.release(&sharing);
    // The gaps of segments that share are 0, because these segments have no separate place.
    let mut placed = starts;
    let mut cursor = 0;
    for &k in &physical {
        match sharing[k] {
            Some(_) => placed[k] = cursor,
            None => cursor = ends[k],
        }
    }
    let gaps = problem.space.gaps(&problem.segments, &physical, &placed);
    order(cx, &slots, &physical, &sharing, out);
    idle(cx, &run.assignment.input, array, &problem.idle, out);
    let group_of = slots.group_of();
    for (at, group) in slots.groups.iter().enumerate() {
        let members = physical.iter().filter(|k| group_of[**k] == at);
        let own: Vec<i128> = members.map(|k| gaps[*k]).collect();
        let names = cx.names(group.field);
        match cx.program.input.fields[group.field].is_scalar() {
            true => out.set(names.gap, own[0]),
            false => out.set(names.gaps, Choice::List(own)),
        }
    }
    Ok(())
}

/// Records the bases of a layout whose constraints connect them.
fn record_bases(cx: Context<'_>, input: &Store, problem: &Problem, out: &mut Choices) {
    let mut lists: BTreeMap<FieldId, Vec<i128>> = BTreeMap::new();
    let placed = problem.slots.slots.iter().map(|slot| slot.base);
    for base in placed.chain(problem.loose.iter().map(|(base, _)| *base)) {
        lists.entry(base.0).or_default().push(value(input, base));
    }
    for (field, list) in lists {
        match cx.program.input.fields[field].is_scalar() {
            true => out.set(cx.dimension(field), list[0]),
            false => out.set(cx.dimension(field), Choice::List(list)),
        }
    }
}

/// Returns the value of a base.
fn value(input: &Store, (field, at): Base) -> i128 {
    match &input.slots[field] {
        Slot::Scalar(n) => *n,
        Slot::Array(a, _) => a.cells.get(at).unwrap_or(0),
        Slot::Unset => 0,
    }
}

/// Builds the layout, and the length of the array if that is a choice, as they were before solving.
fn unsolved(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
) -> Result<(Problem, Option<OpenLength>), RunError> {
    let full = run.assignment.input.clone();
    for field in bases(run.cx, array) {
        match &mut run.assignment.input.slots[field] {
            Slot::Array(_, known) => known.clear(),
            slot => *slot = Slot::Unset,
        }
    }
    let problem = build(run, n, array);
    let open = open_length(run, array);
    run.assignment.input = full;
    Ok((problem?, open?))
}

/// Records the order of each group, which of its segments share, and its positions among the earlier groups.
fn order(cx: Context<'_>, slots: &Slots, physical: &[usize], sharing: &Sharing, out: &mut Choices) {
    let mut order: Vec<usize> = Vec::new();
    let mut ranks = vec![0; physical.len()];
    physical.iter().enumerate().for_each(|(rank, k)| ranks[*k] = rank);
    let rank = |k: usize| ranks[k];
    for group in &slots.groups {
        let names = cx.names(group.field);
        let members = &group.members;
        let scalar = cx.program.input.fields[group.field].is_scalar();
        let mut own = members.clone();
        own.sort_by_key(|k| rank(*k));
        if members.len() > 1 {
            let permutation = own.iter().map(|k| members.iter().position(|m| m == k).unwrap_or(0));
            let list = permutation.map(|k| k as i128).collect();
            out.set(names.order, Choice::List(list));
            if !scalar {
                out.set(names.sharing, Choice::Text(to_text(slots, members, sharing)));
            }
        }
        if order.is_empty() {
            order = own;
            continue;
        }
        let before = |k: usize| order.partition_point(|o| rank(*o) < rank(k)) as i128;
        let at: Vec<i128> = own.iter().map(|k| before(*k)).collect();
        order.extend(own);
        order.sort_by_key(|k| rank(*k));
        match scalar {
            true => out.set(names.place, at[0]),
            false => out.set(names.places, Choice::List(at)),
        }
    }
}

/// Records the bases of absent segments.
fn idle(
    cx: Context<'_>,
    input: &Store,
    array: FieldId,
    idle: &BTreeMap<Base, Domain>,
    out: &mut Choices,
) {
    for field in bases(cx, array) {
        match &input.slots[field] {
            Slot::Scalar(n) if idle.contains_key(&(field, 0)) => out.set(cx.dimension(field), *n),
            Slot::Scalar(_) => {}
            Slot::Array(a, _) => {
                let cells = idle.keys().filter(|k| k.0 == field);
                let values: Vec<i128> = cells.filter_map(|k| a.cells.get(k.1)).collect();
                if !values.is_empty() {
                    out.set(cx.names(field).unused, Choice::List(values));
                }
            }
            Slot::Unset => {}
        }
    }
}

/// Returns the inputs that hold the places of an array's segments.
fn bases(cx: Context<'_>, array: FieldId) -> BTreeSet<FieldId> {
    cx.placed(array).into_iter().collect()
}
