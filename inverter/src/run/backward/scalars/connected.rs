//! Scalars that an equation or a product connects: solved as a network, because drawing them one by one
//! mostly leads nowhere, and what Z3 would find instead is hardly random.
//!
//! If there are only a few solutions, all are listed once, and each is drawn as often as the others.

use std::sync::OnceLock;

use rand::RngExt;

use super::backtrack::assign_found;
use super::plan::{Component, Connected};
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side};
use crate::run::backward::assignment::Assignment;
use crate::run::backward::constraints::closed_form::mentions;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::network::{Found, Network, Preference};
use crate::solve::{Choice, ChoiceSource, Domain, IntervalSet, Purpose};

/// The most solutions that are listed.
const LISTED: usize = 1 << 11;
/// The effort of listing them.
const EFFORT: u64 = 1_000_000;

/// Assigns the unknowns of a component that an equation or a product connects. Returns false, with nothing
/// assigned, if it is none, or no solution with the values that are given was found.
pub fn solve(
    cx: Context<'_>,
    component: &Component,
    excluded: &[&IntervalSet],
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<bool, RunError> {
    let connected = component.connected.get_or_init(|| {
        let network = is_connected(component).then(|| network(cx, component, &[])).flatten();
        network.map(|network| Connected { network, listed: OnceLock::new() })
    });
    let Some(connected) = connected else { return Ok(false) };
    let fields = &component.fields;
    let preferences = preferences(cx, fields, source);
    let mut rng = source.stream_for(cx.dimension(fields[0]), Purpose::Connected);
    let suits = |values: &&Vec<i128>| {
        let mut each = values.iter().zip(&preferences).zip(excluded);
        each.all(|((value, wish), excluded)| {
            !excluded.contains(*value) && !matches!(wish, Preference::Value(own) if own != value)
        })
    };
    let listed = connected.listed.get_or_init(|| connected.network.all(LISTED, EFFORT));
    let listed: Vec<&Vec<i128>> = listed.iter().flatten().filter(suits).collect();
    let varies = preferences.contains(&Preference::Any);
    let values = match &listed[..] {
        [] if excluded.iter().all(|set| set.is_empty()) => {
            found(connected.network.draw(&mut rng, &preferences))
        }
        [] => network(cx, component, excluded).and_then(|n| found(n.draw(&mut rng, &preferences))),
        [first, ..] if !varies => Some((*first).clone()),
        all => Some(all[rng.random_range(0..all.len())].clone()),
    };
    let Some(values) = values else { return Ok(false) };
    // A given value that does not fit is reported by the caller.
    if !agrees_with_given(cx, fields, &values, source) {
        return Ok(false);
    }
    assign_found(cx, component, &values, &String::new, assignment, source)?;
    Ok(true)
}

/// Returns the value that each of these unknowns should have.
pub fn preferences(cx: Context<'_>, fields: &[FieldId], source: &ChoiceSource) -> Vec<Preference> {
    let preference = |field: &FieldId| {
        let (name, (lo, hi)) = (cx.dimension(*field), cx.range(*field));
        let range = IntervalSet::range(lo, hi);
        match source.preferred(name, &range, cx.interesting_values) {
            Some(value) => Preference::Value(value),
            None if source.varies(name) => Preference::Any,
            None => Preference::Least,
        }
    };
    fields.iter().map(preference).collect()
}

/// Returns true if these values are those that are given, where any are.
pub fn agrees_with_given(
    cx: Context<'_>,
    fields: &[FieldId],
    values: &[i128],
    source: &ChoiceSource,
) -> bool {
    fields.iter().zip(values).all(|(field, value)| {
        source.given(cx.dimension(*field)).is_none_or(|given| *given == Choice::Int(*value))
    })
}

fn found(found: Found) -> Option<Vec<i128>> {
    match found {
        Found::Values(values) => Some(values),
        Found::Nothing | Found::Spent => None,
    }
}

/// Creates the network of a component, without the values that are `excluded`.
pub fn network(
    cx: Context<'_>,
    component: &Component,
    excluded: &[&IntervalSet],
) -> Option<Network> {
    let domain = |(k, field): (usize, &FieldId)| {
        let range = cx.range(*field);
        match excluded.get(k) {
            Some(excluded) => Domain::of(excluded.complement(range)),
            None => Domain::range(range),
        }
    };
    let domains = component.fields.iter().enumerate().map(domain).collect();
    let number = |r: &Ref| {
        let at = component.fields.iter().position(|f| *f == r.field && r.index.is_empty())?;
        u32::try_from(at).ok()
    };
    let tables = &cx.prepared.runner.cache.tables;
    Network::new(domains, component.preds.iter().map(|r| &r.pred), &number, tables)
}

/// Returns true if a constraint equates, or multiplies, several of the unknowns.
fn is_connected(component: &Component) -> bool {
    let several = |p: &Pred| component.fields.iter().filter(|f| mentions(p, **f)).count() > 1;
    component.preds.iter().any(|r| several(&r.pred) && connects(&r.pred))
}

fn connects(p: &Pred) -> bool {
    match p {
        Pred::Const(_) | Pred::All(..) => false,
        Pred::And(ps) | Pred::Or(ps) => ps.iter().any(connects),
        Pred::Cmp(cmp, a, b) => {
            let mut fields: Vec<FieldId> = Vec::new();
            p.refs(&mut |r| {
                if r.side == Side::Input && !fields.contains(&r.field) {
                    fields.push(r.field);
                }
            });
            *cmp == Cmp::Eq && fields.len() > 1 || multiplies(a) || multiplies(b)
        }
    }
}

/// Returns true if an expression has a product of unknowns.
fn multiplies(e: &Expr) -> bool {
    let unknown = |e: &Expr| e.mentions(|r| r.side == Side::Input);
    match e {
        Expr::Bin(op, a, b) => {
            *op == Op::Mul && unknown(a) && unknown(b) || multiplies(a) || multiplies(b)
        }
        _ => false,
    }
}
