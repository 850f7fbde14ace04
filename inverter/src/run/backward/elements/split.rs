//! The constraints on the elements of an array, in closed form where possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::connected::{Chosen, Connected};
use super::constraints::Split;
use super::distinct::Distinct;
use super::later::later_constraints;
use super::tried::try_values;
use super::tuples::Tuples;
use crate::invert::{EnsureId, EnsureKind};
use crate::program::{Atom, FieldId, Pred, Ref, Side};
use crate::run::backward::constraints::by_cell::{ByCell, by_cell};
use crate::run::backward::constraints::closed_form::closed_form;
use crate::run::backward::constraints::constraint::{Residual, Residuals};
use crate::run::backward::constraints::residual::{describe, residuals_except, size_limits};
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::Domain;

/// Splits what ensure `n` leaves for the elements of `field`, which has these lengths; uses the cache if this was done
/// before.
pub fn split(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    lengths: &[usize],
) -> Result<Arc<Split>, RunError> {
    let cx = run.cx;
    let cache = &cx.prepared.runner.cache;
    let key = cache.key(n, &run.assignment.input, cx.output);
    let mut compute = || split_now(run, n, field, lengths).map(Arc::new);
    match key {
        Some(mut key) => {
            // The limits on the sizes of arrays depend on the canonical value's size.
            key.push(cx.value_size());
            cache.constraints.get((n, key), compute)
        }
        None => compute(),
    }
}

fn split_now(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    lengths: &[usize],
) -> Result<Split, RunError> {
    let tuples = Tuples::of(run, n, field);
    if let Some(tuples) = &tuples
        && let (whole, Some(distinct)) = split_by(run, n, field, lengths, Some(tuples))?
    {
        return Ok(Split { distinct: Some(distinct), ..whole });
    }
    Ok(split_by(run, n, field, lengths, None)?.0)
}

/// Like `split`, but treats the requirement of `tuples` separately: if possible, the constraints that it implies for
/// the elements are returned in addition to the rest.
fn split_by(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    lengths: &[usize],
    tuples: Option<&Tuples>,
) -> Result<(Split, Option<Distinct>), RunError> {
    let cx = run.cx;
    let apart = |k| tuples.is_some_and(|tuples| tuples.conjunct == (n, k));
    let Residuals { residuals: mut left, deferred } =
        residuals_except(cx, &mut run.env(), n, |_, k| apart(k))?;
    let later = later_constraints(run, n, field, tuples);
    // A later constraint on a single element of the array is treated like one of the array's own ensure.
    let (alone, mut later): (Vec<Residual>, Vec<Residual>) =
        later.into_iter().partition(|r| is_of_one_element(&r.pred, field));
    left.extend(alone);
    let connects = |r: &Residual| r.pred.mentions(|r| r.side == Side::Input && r.field == field);
    let connected = later.iter().any(connects);
    if tuples.is_none() && !connected {
        later.clear();
    }
    left.extend(size_limits(cx, &mut run.env(), &|r| r.field == field)?);
    // Constraints on elements outside the array have no effect.
    let ByCell { single, mut coupled, .. } =
        by_cell(left, |of: FieldId| (of == field).then_some(lengths));
    let range = cx.range(field);
    let mut domains = vec![Domain::range(range); lengths.iter().product()];
    let closed = closed_forms(cx, field, single, &mut domains, &mut coupled)?;
    try_values(run, n, field, &deferred, &mut domains)?;
    if let Some(tuples) = tuples {
        let distinct = match coupled.is_empty() && !connected {
            true => tuples.distinct(run, field, &domains, &later),
            false => None,
        };
        if let Some(why) = distinct.as_ref().and_then(Distinct::crowded) {
            let span = cx.inverse.ensures[tuples.conjunct.0].conjuncts[tuples.conjunct.1].span;
            return Err(cx.impossible(span, &why));
        }
        let (coupled, connected) = (Vec::new(), None);
        return Ok((Split { domains, closed, coupled, distinct: None, connected }, distinct));
    }
    let distinct = match later.is_empty() {
        true => {
            let preds: Vec<&Pred> = coupled.iter().map(|r| &r.pred).collect();
            Distinct::of(field, lengths, &domains, &preds)
        }
        false => None,
    };
    if let Some(why) = distinct.as_ref().and_then(Distinct::crowded) {
        return Err(cx.impossible(coupled[0].span, &why));
    }
    let connected = if distinct.is_some() || coupled.is_empty() && later.is_empty() {
        None
    } else {
        let mut preds: Vec<&Pred> =
            coupled.iter().map(|r| &r.pred).chain(later.iter().map(|r| &r.pred)).collect();
        preds.dedup();
        let chosen = Chosen { field, lengths, domains: &domains };
        let places = cx.most_elements();
        let values = |of: FieldId| {
            let (lo, hi) = cx.range(of);
            let placed = cx.inverse.ensures.iter().any(|e| {
                matches!(e.kind, EnsureKind::Places { .. }) && e.kind.fields().contains(&of)
            });
            Some(Domain::range(if placed { (lo.max(0), hi.min(places)) } else { (lo, hi) }))
        };
        Connected::new(&chosen, &preds, values, &cx.prepared.runner.cache.tables)
    };
    Ok((Split { domains, closed, coupled, distinct, connected }, None))
}

/// Uses the constraints on single elements as their domains. Those without a closed form are added to `coupled`, and
/// the others are returned.
fn closed_forms(
    cx: Context<'_>,
    field: FieldId,
    single: BTreeMap<(FieldId, usize), (Atom, Vec<Residual>)>,
    domains: &mut [Domain],
    coupled: &mut Vec<Residual>,
) -> Result<BTreeMap<Atom, Vec<Residual>>, RunError> {
    let range = cx.range(field);
    let mut closed: BTreeMap<Atom, Vec<Residual>> = BTreeMap::new();
    for ((_, at), (atom, preds)) in single {
        let refs: Vec<&Residual> = preds.iter().collect();
        match closed_form(&atom, range, &refs) {
            Some(domain) if !domain.is_empty() => {
                domains[at] = domain;
                closed.insert(atom, preds);
            }
            Some(_) => {
                let text = describe(cx, &preds[0]);
                let why = format!("no value of element {at} satisfies {text}");
                return Err(cx.impossible(preds[0].span, &why));
            }
            None => coupled.extend(preds),
        }
    }
    Ok(closed)
}

/// Returns true if a predicate mentions one element of the array and no other unknown.
fn is_of_one_element(p: &Pred, field: FieldId) -> bool {
    let (mut first, mut alone): (Option<&Ref>, bool) = (None, true);
    p.refs(&mut |r| {
        alone &= r.side == Side::Input && r.field == field && first.is_none_or(|first| first == r);
        first = first.or(Some(r));
    });
    alone && first.is_some()
}
