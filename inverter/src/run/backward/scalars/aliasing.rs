//! Intentional aliasing: values of scalars under which writes of equal values overlap.
//!
//! Conditions normally keep all writes disjoint. However, a representation may store equal elements once. Occasionally
//! such a representation is drawn, by negating the conditions and checking afterwards that overlapping writes agree.

use rand::RngExt;

use std::sync::Arc;

use super::components::components;
use super::conflict::{WriteChecks, conflict};
use super::connected::assign_found;
use super::plan::{Component, Plan};
use super::solve::{OnUnsat, Unknowns, solve_scalars};
use super::undo::undo;
use crate::invert::EnsureId;
use crate::program::{FieldId, Pred, Span};
use crate::run::backward::assignment::Snapshot;
use crate::run::backward::constraints::closed_form::mentions;
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::{IntervalSet, Purpose};

/// The largest canonical value for which aliasing is tried, because every write is examined.
const MOST_CELLS: i128 = 1 << 14;
/// The number of solutions that are tried.
const TRIES: usize = 3;

/// Occasionally assigns values that make equal writes overlap. Returns false if it did not try,
/// or failed.
pub fn choose_overlap(
    run: &mut Backward<'_>,
    n: EnsureId,
    open: &[FieldId],
    plan: &Plan,
) -> Result<bool, RunError> {
    let cx = run.cx;
    let disjoint = &plan.disjoint;
    if !cx.limits.sharing || disjoint.is_empty() || !cx.may_overlap() {
        return Ok(false);
    }
    let concerned = |f: &&FieldId| disjoint.iter().any(|p| mentions(p, **f));
    let Some(first) = open.iter().find(concerned) else { return Ok(false) };
    let source = &*run.choices.source;
    if cx.value_size() > MOST_CELLS
        || open.iter().any(|f| source.is_given(cx.dimension(*f)))
        || !open.iter().filter(concerned).any(|f| source.varies(cx.dimension(*f)))
        || source.stream_for(cx.dimension(*first), Purpose::Meets).random_range(0..6) != 0
    {
        return Ok(false);
    }
    let components = plan.overlapping.get_or_init(|| {
        let mut preds = without_disjointness(plan);
        preds.push(Residual {
            pred: Pred::and(disjoint.iter().cloned()).negated(),
            span: Span::default(),
            origin: Origin::Overlap,
            once: false,
        });
        components(cx, open, &preds)
    });
    let mut excluded: Vec<IntervalSet> = vec![IntervalSet::empty(); open.len()];
    let at = open.iter().position(|f| f == first).unwrap_or(0);
    let before = run.assignment.snapshot();
    for _ in 0..TRIES {
        let unknowns = Unknowns { open, components, excluded: &excluded, refused: &[] };
        let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
        if solve_scalars(cx, unknowns, OnUnsat::Fail, assignment, source).is_ok()
            && conflict(run, n, &plan.left.deferred, WriteChecks::All)?.is_none()
        {
            record(run, plan, open, &before)?;
            return Ok(true);
        }
        if let Some(value) = run.assignment.scalar(*first) {
            excluded[at] = excluded[at].union(&IntervalSet::point(value));
        }
        undo(run, open, &before);
    }
    Ok(false)
}

/// Records the values of scalars that were found to make writes overlap. Values that only the overlap forces are
/// choices, because they would be free without it. Values that the other constraints force are not.
fn record(
    run: &mut Backward<'_>,
    plan: &Plan,
    open: &[FieldId],
    before: &Snapshot,
) -> Result<(), RunError> {
    let cx = run.cx;
    let loose = plan.loose.get_or_init(|| components(cx, open, &without_disjointness(plan)));
    let of = |c: &Arc<Component>| c.fields.iter().map(|f| run.assignment.scalar(*f)).collect();
    let values: Vec<Option<Vec<i128>>> = loose.iter().map(of).collect();
    undo(run, open, before);
    let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
    for (component, values) in loose.iter().zip(values) {
        assign_found(cx, component, &values.unwrap_or_default(), &String::new, assignment, source)?;
    }
    Ok(())
}

/// Returns the constraints of a plan without those that only keep writes disjoint.
pub fn without_disjointness(plan: &Plan) -> Vec<Residual> {
    plan.left.residuals.iter().filter(|r| !r.once).cloned().collect()
}
