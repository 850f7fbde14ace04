//! The choices that a given representation embodies.

use super::backward::search::{MOST_ELEMENTS, choices_for};
use super::backward::{Backward, Limits, Prepared, sharing};
use super::error::RunError;
use super::executable::Executable;
use super::explore::Class;
use super::store::{Slot, Store, Value};
use crate::invert::{Discipline, EnsureId, EnsureKind};
use crate::program::{FieldId, Length};
use crate::solve::{Choice, ChoiceSource, Choices, Domain};
use std::collections::{BTreeMap, BTreeSet};

/// The choices under which the inverse, on the canonical value of `x`, gives `x` (but for
/// the content of free elements, of which just the kind is told). These are the baseline
/// that variants of `x` are compared with.
///
/// # Errors
///
/// If `x` is not a representation that the inverse's ensures describe.
pub fn own_choices(
    inverse: &Executable,
    x: &Value,
    y: &Value,
    limits: &Limits,
) -> Result<Choices, RunError> {
    // What the ensures cannot describe is told as a search would have found it.
    told(inverse, x, y, limits).or_else(|e| {
        if x.elements() + y.elements() > MOST_ELEMENTS {
            return Err(e);
        }
        Class::of(&inverse.program, x, y).map(|c| choices_for(&inverse.program, &c, x)).ok_or(e)
    })
}

/// The same as far as the ensures describe `x`.
fn told(inverse: &Executable, x: &Value, y: &Value, limits: &Limits) -> Result<Choices, RunError> {
    let mut source = ChoiceSource::replaying(Choices::new());
    let prepared = Prepared::new(inverse, y.clone(), *limits)?;
    let mut run = Backward::new(&prepared, &mut source);
    run.input = Store::full(x);
    let mut out = Choices::new();
    let program = &inverse.program;
    let fields = &program.input.fields;
    for (n, e) in inverse.ensures.iter().enumerate().map(|(n, e)| (EnsureId(n), e)) {
        match &e.kind {
            EnsureKind::Scalars(scalars) => {
                for field in scalars {
                    if let Some(n) = run.input.scalar(*field) {
                        out.set(fields[*field].dimension(), n);
                    }
                }
            }
            EnsureKind::Elements(field) => {
                if let Slot::Array(a, _) = &run.input.slots[*field]
                    && !a.cells.is_empty()
                {
                    let cells = (0..a.cells.len()).filter_map(|k| a.cells.get(k)).collect();
                    out.set(fields[*field].dimension(), Choice::List(cells));
                }
            }
            EnsureKind::Places { array, .. } => places(&mut run, n, *array, &mut out)?,
        }
    }
    run.encoded(&inverse.body, &mut out)?;
    let encoded: Vec<FieldId> = inverse.encodes().iter().map(|e| e.target).collect();
    for field in &inverse.free_scalars {
        if let Some(n) = run.input.scalar(*field) {
            out.set(fields[*field].dimension(), n);
        }
    }
    for (field, f) in program.input.indexed() {
        for (dimension, length) in f.lengths.iter().enumerate() {
            if *length != Length::Free || encoded.contains(&field) {
                continue;
            }
            let Slot::Array(a, _) = &run.input.slots[field] else { continue };
            let has = a.lengths[dimension] as i128;
            let used = run.used(field, dimension)?;
            let name = f.tail(dimension);
            out.set(&name, (has - used).max(0));
        }
    }
    // What a replay does not ask for is no choice: it is forced, or means nothing here.
    let mut replay = ChoiceSource::replaying(Choices::new()).with_baseline(out.clone());
    match prepared.invert(&mut replay) {
        Ok(_) => {
            let asked = |name: &str| replay.recorded().get(name).is_some();
            Ok(out.iter().filter(|c| asked(c.0)).map(|(k, v)| (k.to_owned(), v.clone())).collect())
        }
        // An inverse that cannot reach it still has its choices told.
        Err(_) => Ok(out),
    }
}

/// Order, places and gaps of the segments of an array.
fn places(
    run: &mut Backward<'_>,
    n: EnsureId,
    array: FieldId,
    out: &mut Choices,
) -> Result<(), RunError> {
    let found = run.places(array)?;
    let base = |run: &Backward<'_>, (field, at): (FieldId, usize)| match &run.input.slots[field] {
        Slot::Scalar(n) => *n,
        Slot::Array(a, _) => a.cells.get(at).unwrap_or(0),
        Slot::Unset => 0,
    };
    let starts: Vec<i128> = found.places.iter().map(|p| base(run, p.base) + p.lo).collect();
    let ends: Vec<i128> = starts.iter().zip(&found.places).map(|(s, p)| s + p.len).collect();
    let taken_end = found.taken.iter().map(|t| t.1).fold(0, i128::max);
    run.ends[array] = Some(ends.iter().copied().fold(taken_end, i128::max));

    let mut physical: Vec<usize> = (0..starts.len()).collect();
    physical.sort_by_key(|k| (starts[*k], ends[*k], *k));
    // The problem as it was before it was solved, to measure the gaps in.
    let full = run.input.clone();
    for field in bases(run, array) {
        match &mut run.input.slots[field] {
            Slot::Array(_, known) => known.clear(),
            slot => *slot = Slot::Unset,
        }
    }
    let problem = run.problem(n, array);
    run.input = full;
    let mut problem = problem?;
    let sharing = sharing::found(&found, &physical, &starts);
    problem.release(&sharing);
    // Sharers have no place of their own; what they are told to have changes nothing.
    let mut placed = starts.clone();
    let mut cursor = 0;
    for &k in &physical {
        match sharing[k] {
            Some(_) => placed[k] = cursor,
            None => cursor = ends[k],
        }
    }
    let gaps = problem.space.gaps(&problem.segments, &physical, &placed);

    let fields = &run.program.input.fields;
    let mut order: Vec<usize> = Vec::new();
    for (field, members) in &found.groups {
        let f = &fields[*field];
        let name = f.dimension();
        let own: Vec<usize> = physical.iter().copied().filter(|k| members.contains(k)).collect();
        if members.len() > 1 {
            let permutation = own.iter().map(|k| members.iter().position(|m| m == k).unwrap_or(0));
            let list = permutation.map(|k| k as i128).collect();
            out.set(&format!("{name} order"), Choice::List(list));
            if !f.is_scalar() {
                let text = sharing::to_text(&found, members, &sharing);
                out.set(&format!("{name} sharing"), Choice::Text(text));
            }
        }
        let before = |k: usize, order: &[usize]| {
            let rank = |k: usize| physical.iter().position(|p| *p == k).unwrap_or(0);
            order.iter().filter(|o| rank(**o) < rank(k)).count()
        };
        if order.is_empty() {
            order = own;
            continue;
        }
        let at: Vec<i128> = own.iter().map(|k| before(*k, &order) as i128).collect();
        order.extend(own);
        order.sort_by_key(|k| physical.iter().position(|p| p == k));
        match f.is_scalar() {
            true => out.set(&format!("{name} place"), at[0]),
            false => out.set(&format!("{name} places"), Choice::List(at)),
        }
    }
    idle(run, array, &problem.idle, out);
    for (field, members) in &found.groups {
        let f = &fields[*field];
        let own: Vec<i128> =
            physical.iter().filter(|k| members.contains(k)).map(|k| gaps[*k]).collect();
        match f.is_scalar() {
            true => out.set(&format!("{} gap", f.dimension()), own[0]),
            false => out.set(&format!("{} gaps", f.dimension()), Choice::List(own)),
        }
    }
    Ok(())
}

/// The values of bases of nothing.
fn idle(
    run: &Backward<'_>,
    array: FieldId,
    idle: &BTreeMap<(FieldId, usize), Domain>,
    out: &mut Choices,
) {
    for field in bases(run, array) {
        let f = &run.program.input.fields[field];
        match &run.input.slots[field] {
            Slot::Scalar(n) if idle.contains_key(&(field, 0)) => out.set(f.dimension(), *n),
            Slot::Scalar(_) => {}
            Slot::Array(a, _) => {
                let cells = idle.keys().filter(|k| k.0 == field);
                let values: Vec<i128> = cells.filter_map(|k| a.cells.get(k.1)).collect();
                if !values.is_empty() {
                    out.set(&format!("{} unused", f.dimension()), Choice::List(values));
                }
            }
            Slot::Unset => {}
        }
    }
}

/// The inputs that say where the segments of an array are.
fn bases(run: &Backward<'_>, array: FieldId) -> BTreeSet<FieldId> {
    match run.inverse.disciplines.get(&array) {
        Some(Discipline::Layout(layout)) => layout.bases(),
        _ => BTreeSet::new(),
    }
}
