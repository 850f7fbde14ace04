//! Defined arrays: a conjunct states each element's value, so there is neither a choice nor a constraint to solve. The
//! cost is one evaluation per element.

use crate::invert::EnsureId;
use crate::program::{FieldId, Ref, Side};
use crate::run::backward::checks::writes::recheck;
use crate::run::backward::constraints::residual::size_limit;
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};
use crate::run::store::Slot;

/// Assigns all elements of an array that a conjunct of ensure `n` defines. The conjuncts that inversion derived must
/// hold; those that the spec states are checked where it states them. Returns false, with nothing assigned, if no
/// conjunct defines the array, or a value does not fit; the general solver then reports the problem.
pub fn assign_defined(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
) -> Result<bool, RunError> {
    let cx = run.cx;
    let conjuncts = &cx.inverse.ensures[n].conjuncts;
    let Some((c, (var, count, value))) =
        conjuncts.iter().find_map(|c| c.definition(field).map(|found| (c, found)))
    else {
        return Ok(false);
    };
    let (lo, hi) = cx.range(field);
    let Ok(count) = run.env().eval(count, c.span) else { return Ok(false) };
    let cells = match &run.assignment.input.slots[field] {
        Slot::Array(a, known) if known.is_clear() => a.cells.len(),
        _ => return Ok(false),
    };
    if usize::try_from(count) != Ok(cells) {
        return Ok(false);
    }
    let mut works = true;
    for at in 0..cells {
        run.set_var(var, at as i128);
        match run.env().eval(value, c.span) {
            Ok(n) if (lo..=hi).contains(&n) => run.assignment.assign_elements(field, [(at, n)]),
            _ => {
                works = false;
                break;
            }
        }
    }
    works = works
        && satisfies_derived(cx, &mut run.env(), n, field)
        && recheck(cx, &mut run.env(), field)?.is_none();
    if !works && let Slot::Array(_, known) = &mut run.assignment.input.slots[field] {
        known.clear();
    }
    Ok(works)
}

/// Returns true if the elements of `field` satisfy the derived conjuncts of ensure `n`, and keep arrays of free length
/// within their limits.
fn satisfies_derived(cx: Context<'_>, env: &mut Env<'_>, n: EnsureId, field: FieldId) -> bool {
    let derived = cx.inverse.ensures[n].conjuncts.iter().filter(|c| c.why.is_derived());
    for c in derived {
        // An error comes from a statement that is not reached.
        if matches!(env.holds(&c.pred, c.span), Ok(false) | Err(Stop::Unset(..))) {
            return false;
        }
    }
    is_within_size(cx, env, field)
}

/// Returns true if arrays of free length stay within their limits, as far as that depends on the
/// elements of `field`.
fn is_within_size(cx: Context<'_>, env: &mut Env<'_>, field: FieldId) -> bool {
    for e in &cx.inverse.extents {
        let mut concerned = false;
        let mut determined = true;
        let mut look = |r: &Ref| {
            concerned |= r.side == Side::Input && r.field == field;
            determined &= r.side == Side::Output || r.index.is_empty() || r.field == field;
        };
        e.refs(&mut look);
        if !concerned || !determined {
            continue;
        }
        let all = size_limit(cx, e, |_| true);
        if !matches!(env.holds(&all, e.span), Ok(true)) {
            return false;
        }
    }
    true
}
