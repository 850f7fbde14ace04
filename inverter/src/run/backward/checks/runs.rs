//! The quick check of disjointness: represents the writes of an array as runs of elements.
//!
//! Most writes are innermost loops over adjacent elements. Sorted runs that do not touch prove disjointness, whatever
//! is written, in time proportional to the number of runs instead of elements. If the runs touch, or a write is not a
//! run, [`writes`](super::writes) checks each element.

use super::nest::{is_skipped, iterations};
use crate::invert::access::Access;
use crate::program::FieldId;
use crate::run::Executable;
use crate::run::backward::limits::MOST_WRITES;
use crate::run::eval::Env;

/// Neighbouring elements: the first and the last.
type Run = (i128, i128);

/// Returns true if certainly no element of `array` is accessed twice. Also returns false if runs alone do not decide
/// it.
pub fn are_disjoint(inverse: &Executable, env: &mut Env<'_>, array: FieldId) -> bool {
    let mut runs = Vec::new();
    if all_runs(inverse, env, array, &mut runs).is_none() {
        return false;
    }
    runs.sort_unstable();
    runs.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

/// Collects the runs of all writes of `array`; `None` if something has no value, or there are too many runs.
fn all_runs(
    inverse: &Executable,
    env: &mut Env<'_>,
    array: FieldId,
    out: &mut Vec<Run>,
) -> Option<()> {
    let writes = inverse.writes(array);
    for together in &writes.plain {
        let access = &inverse.accesses[together.access];
        if is_skipped(env, &access.guards, &[], 0, access.span).ok()? {
            continue;
        }
        for (first, count) in &together.runs {
            let first = env.eval(first, access.span).ok()?;
            add((first, first.checked_add(count - 1)?), out)?;
        }
    }
    writes
        .others
        .iter()
        .try_for_each(|(k, step)| collect(env, &inverse.accesses[*k], *step, 0, out))
}

/// Collects the runs of an access; `None` if something has no value, or there are too many runs. `step` is the
/// direction of the innermost loop, if that is a run.
fn collect(
    env: &mut Env<'_>,
    access: &Access,
    step: Option<i128>,
    depth: usize,
    out: &mut Vec<Run>,
) -> Option<()> {
    let (span, nest) = (access.span, &access.nest);
    if is_skipped(env, &access.guards, nest, depth, span).ok()? {
        return Some(());
    }
    let Some(level) = nest.get(depth) else {
        let at = element(env, access)?;
        return add((at, at), out);
    };
    let count = iterations(env, &level.count, span).ok()?;
    if let Some(step) = step.filter(|_| depth + 1 == nest.len()) {
        if count > 0 {
            env.step(1, span).ok()?;
            env.set_var(level.var, 0);
            let first = element(env, access)?;
            let last = first.checked_add(step * (count - 1))?;
            add((first.min(last), first.max(last)), out)?;
        }
        return Some(());
    }
    for k in 0..count {
        env.step(1, span).ok()?;
        env.set_var(level.var, k);
        collect(env, access, step, depth + 1, out)?;
    }
    Some(())
}

/// Returns the element of an access to an array of one dimension.
fn element(env: &Env<'_>, access: &Access) -> Option<i128> {
    match &access.index[..] {
        [index] => env.eval(index, access.span).ok(),
        _ => None,
    }
}

/// Adds a run; `None` if there are too many.
fn add(run: Run, out: &mut Vec<Run>) -> Option<()> {
    out.push(run);
    (out.len() <= MOST_WRITES).then_some(())
}
