//! Plans of ensures of scalars: residual constraints, split into connected components.

use std::sync::{Arc, OnceLock};

use super::components::components;
use super::plan::Plan;
use crate::invert::EnsureId;
use crate::program::{Cmp, FieldId, Pred, Ref, Side};
use crate::run::backward::constraints::closed_form::{mentions, scalar, substitute};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::projected::projected;
use crate::run::backward::constraints::residual::{residuals, size_limits};
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::domain;

/// Returns the plan of ensure `n` for the unknowns `open`, from a cache if it was computed before.
pub fn plan(run: &mut Backward<'_>, n: EnsureId, open: &[FieldId]) -> Result<Arc<Plan>, RunError> {
    let prepared = run.cx.prepared;
    let reads = prepared.runner.cache.plan_reads(n);
    let scalars = reads.and_then(|reads| reads.key(&run.assignment.input));
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
    if !open.is_empty() {
        left.residuals.extend(size_limits(cx, &mut run.env(), &scalar)?);
        left.residuals.extend(projected(cx, &mut run.env(), open));
    }
    let disjoint = left.residuals.iter().filter(|r| r.once).map(|r| r.pred.clone()).collect();
    let components = components(cx, open, &forced_substituted(cx, open, &left.residuals));
    Ok(Plan { left, components, disjoint, overlapping: OnceLock::new(), loose: OnceLock::new() })
}

/// Returns the constraints after substituting the unknowns to which a constraint on them alone gives a single value. As
/// a result, fewer unknowns are connected, and fewer components differ. Contradictory constraints are returned
/// unchanged.
fn forced_substituted(cx: Context<'_>, open: &[FieldId], residuals: &[Residual]) -> Vec<Residual> {
    let mut left = residuals.to_vec();
    let mut done: Vec<FieldId> = Vec::new();
    while let Some((at, field, value)) = left.iter().enumerate().find_map(|(at, r)| {
        let (field, value) = forced(cx, r)?;
        (open.contains(&field) && !done.contains(&field)).then_some((at, field, value))
    }) {
        done.push(field);
        let mut substituted = Vec::with_capacity(left.len());
        for (k, r) in left.into_iter().enumerate() {
            if k == at || !mentions(&r.pred, field) {
                substituted.push(r);
                continue;
            }
            match substitute(&r.pred, field, value) {
                Pred::Const(true) => {}
                Pred::Const(false) => return residuals.to_vec(),
                pred => substituted.push(Residual { pred, ..r }),
            }
        }
        left = substituted;
    }
    left
}

/// If a constraint is an equation of a single unknown, returns the unknown, and its value if there is one.
fn forced(cx: Context<'_>, r: &Residual) -> Option<(FieldId, i128)> {
    let Pred::Cmp(Cmp::Eq, ..) = &r.pred else { return None };
    let (mut unknown, mut alone) = (None, true);
    r.pred.refs(&mut |r| {
        let same = unknown.is_none_or(|field| field == r.field);
        alone &= same && r.side == Side::Input && r.index.is_empty();
        unknown = Some(r.field);
    });
    let field = unknown.filter(|_| alone)?;
    match domain::solutions(&r.pred, &scalar(field), cx.range(field))?.members(1)?[..] {
        [value] => Some((field, value)),
        _ => None,
    }
}
