//! Plans of ensures of scalars: residual constraints, split into connected components.

use std::sync::{Arc, OnceLock};

use super::components::components;
use super::plan::Plan;
use crate::invert::EnsureId;
use crate::program::{FieldId, Ref};
use crate::run::backward::constraints::residual::{residuals, size_limits};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;

/// Returns what ensure `n` leaves to the unknowns `open`, from a cache if it was computed before.
pub fn plan(run: &mut Backward<'_>, n: EnsureId, open: &[FieldId]) -> Result<Arc<Plan>, RunError> {
    let prepared = run.cx.prepared;
    let scalars = run.assignment.scalars();
    let mut compute = || compute(run, n, open).map(Arc::new);
    let Some(scalars) = scalars else { return compute() };
    let scalars = match prepared.runner.cache.plan_reads(n) {
        Some(reads) => reads.mask(scalars),
        None => scalars,
    };
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
    if !open.is_empty() {
        left.residuals.extend(size_limits(cx, &mut run.env(), &scalar)?);
    }
    let disjoint = left.residuals.iter().filter(|r| r.once).map(|r| r.pred.clone()).collect();
    let components = components(cx, open, &left.residuals);
    Ok(Plan { left, components, disjoint, overlapping: OnceLock::new(), loose: OnceLock::new() })
}
