//! Aliasing on purpose: values of scalars under which writes of equal values overlap.
//!
//! Conditions normally keep all writes disjoint. A representation may still store equal elements
//! once; occasionally one is drawn that does, by negating the conditions and checking afterwards
//! that overlapping writes agree.

use rand::RngExt;

use super::components::components;
use super::conflict::{WriteChecks, conflict};
use super::plan::Plan;
use super::solve::{OnUnsat, Unknowns, solve_scalars};
use super::undo::undo;
use crate::invert::EnsureId;
use crate::program::{FieldId, Pred, Span};
use crate::run::backward::constraints::closed_form::mentions;
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::{Choice, IntervalSet};

/// The largest canonical value for which it is tried: every write is looked at.
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
    if !cx.limits.sharing || disjoint.is_empty() {
        return Ok(false);
    }
    let concerned = |f: &&FieldId| disjoint.iter().any(|p| mentions(p, **f));
    let Some(first) = open.iter().find(concerned) else { return Ok(false) };
    let source = &*run.choices.source;
    if cx.value_size() > MOST_CELLS
        || open.iter().any(|f| source.is_given(cx.dimension(*f)))
        || !open.iter().filter(concerned).any(|f| source.varies(cx.dimension(*f)))
        || source.stream_for(cx.dimension(*first), ": meets").random_range(0..6) != 0
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
        let unknowns = Unknowns { open, components, excluded: &excluded, listed: false };
        let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
        if solve_scalars(cx, unknowns, OnUnsat::Fail, assignment, source).is_ok()
            && conflict(run, n, &plan.left.deferred, WriteChecks::All)?.is_none()
        {
            // Forced values are choices, too: without the overlap they would not be forced.
            for field in open {
                if let Some(value) = run.assignment.scalar(*field) {
                    let name = cx.dimension(*field);
                    run.choices.source.fix(name, Choice::Int(value), String::new)?;
                }
            }
            return Ok(true);
        }
        if let Some(value) = run.assignment.scalar(*first) {
            excluded[at] = excluded[at].union(&IntervalSet::point(value));
        }
        undo(run, open, &before);
    }
    Ok(false)
}

/// Returns the constraints of a plan without those that only keep writes disjoint.
pub fn without_disjointness(plan: &Plan) -> Vec<Residual> {
    plan.left.residuals.iter().filter(|r| !r.once).cloned().collect()
}
