//! The constraints on the elements of an array, as far as possible in closed form.

use std::collections::BTreeMap;

use super::connected::{Chosen, Connected};
use super::constraints::Split;
use super::distinct::Distinct;
use super::later::later_constraints;
use crate::invert::{EnsureId, EnsureKind};
use crate::program::{Atom, FieldId, Pred};
use crate::run::backward::constraints::by_cell::{ByCell, by_cell};
use crate::run::backward::constraints::closed_form::closed_form;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::residual::{describe, residuals, size_limits};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::Domain;

/// Splits what ensure `n` leaves to the elements of `field`, which has these lengths.
pub fn split(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    lengths: &[usize],
) -> Result<Split, RunError> {
    let cx = run.cx;
    let mut left = residuals(cx, &mut run.env(), n)?.residuals;
    left.extend(size_limits(cx, &mut run.env(), &|r| r.field == field)?);
    // Constraints on elements outside of the array are void.
    let ByCell { single, mut coupled, .. } =
        by_cell(left, |of: FieldId| (of == field).then_some(lengths));
    let range = cx.range(field);
    let mut domains = vec![Domain::range(range); lengths.iter().product()];
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
    let later = later_constraints(run, n, field);
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
        let mut preds: Vec<&Pred> = coupled.iter().map(|r| &r.pred).chain(&later).collect();
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
        Connected::new(&chosen, &preds, values)
    };
    Ok(Split { domains, closed, coupled, distinct, connected })
}
