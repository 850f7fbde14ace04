//! Plans of ensures of scalars: residual constraints, split into connected components.

use std::sync::{Arc, OnceLock};

use super::components::components;
use super::plan::Plan;
use crate::invert::EnsureId;
use crate::program::{Cmp, FieldId, Pred, Ref};
use crate::run::backward::constraints::constraint::{Residual, Residuals};
use crate::run::backward::constraints::residual::{declared_limits, residuals, size_limits};
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;

/// Returns what ensure `n` leaves to the unknowns `open`, from a cache if it was computed before.
pub fn plan(run: &mut Backward<'_>, n: EnsureId, open: &[FieldId]) -> Result<Arc<Plan>, RunError> {
    let prepared = run.cx.prepared;
    let scalars = run.assignment.scalars();
    let mut compute = || compute(run, n, open).map(Arc::new);
    let Some(scalars) = scalars else { return compute() };
    let key = (n, scalars);
    match prepared.shared_key(n) {
        Some(of) => prepared.runner.cache.plans.get((of, key), compute),
        None => prepared.cache.plans.get(key, compute),
    }
}

fn compute(run: &mut Backward<'_>, n: EnsureId, open: &[FieldId]) -> Result<Plan, RunError> {
    let cx = run.cx;
    let mut left = residuals(cx, &mut run.env(), n)?;
    let scalar = |r: &Ref| r.index.is_empty();
    let mut wishes = Vec::new();
    if !open.is_empty() {
        left.residuals.extend(size_limits(cx, &mut run.env(), &scalar)?);
        wishes = declared_limits(cx, &mut run.env(), &|r| scalar(r) && open.contains(&r.field));
    }
    // An equation decides a length, and is solved as it is without the wish.
    let equation = |r: &Residual| matches!(r.pred, Pred::Cmp(Cmp::Eq, ..));
    let equations: Vec<&Pred> =
        left.residuals.iter().filter(|r| equation(r)).map(|r| &r.pred).collect();
    wishes.retain(|wish: &Residual| {
        !equations.iter().any(|p| p.mentions(|a| wish.pred.mentions(|b| a == b)))
    });
    let count = wishes.len();
    left.residuals.extend(wishes);
    Ok(planned(cx, left, count, open))
}

fn planned(cx: Context<'_>, left: Residuals, wishes: usize, open: &[FieldId]) -> Plan {
    let disjoint = left.residuals.iter().filter(|r| r.once).map(|r| r.pred.clone()).collect();
    let components = components(cx, open, &left.residuals);
    Plan { left, wishes, components, disjoint, overlapping: OnceLock::new() }
}

/// Returns the plan without its wishes; `None` if it has none.
pub fn without_wishes(cx: Context<'_>, plan: &Plan, open: &[FieldId]) -> Option<Plan> {
    let kept = plan.left.residuals.len() - plan.wishes;
    let residuals = plan.left.residuals[..kept].to_vec();
    let left = Residuals { residuals, deferred: plan.left.deferred.clone() };
    (plan.wishes > 0).then(|| planned(cx, left, 0, open))
}
