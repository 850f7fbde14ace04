//! Uses the SMT solver for connected scalars if a search has found no values.
//!
//! Z3 completes candidate values: the given ones, the baseline's, or draws. Its unsatisfiable core
//! names the conditions of the spec that conflict.

use super::connected::assign_found;
use super::plan::Component;
use crate::program::{Atom, Cmp, Expr, FieldId, Pred, Ref, Side, Span};
use crate::run::backward::assignment::Assignment;
use crate::run::backward::constraints::closed_form::{closed_form, mentions, scalar, substitute};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::domain::Domain;
use crate::solve::smt::{self, Failure, Unknown};
use crate::solve::{Choice, ChoiceError, ChoiceSource, IntervalSet};

/// Solves a component with Z3, and assigns its unknowns. `none` is true if a search has shown that there is no solution.
pub fn solve(
    cx: Context<'_>,
    component: &Component,
    excluded: &[&IntervalSet],
    none: bool,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    let fields = &component.fields[..];
    let preds = &component.preds.iter().collect::<Vec<_>>()[..];
    if let Some(refusal) = refused_given(cx, source, fields, preds) {
        return Err(refusal.into());
    }
    let unknowns: Vec<Unknown> =
        fields.iter().map(|f| Unknown { atom: scalar(*f), range: cx.range(*f) }).collect();
    let mut all: Vec<Pred> = preds.iter().map(|r| r.pred.clone()).collect();
    for (f, set) in fields.iter().zip(excluded) {
        exclude(*f, set, &mut all);
    }
    let candidates: Vec<Vec<i128>> =
        fields.iter().map(|f| candidates(cx, source, *f, fields, preds)).collect();
    let solved = smt::solve(&unknowns, &all, &mut |k, n| candidates[k].get(n).copied());
    let values = solved.map_err(|failure| match failure {
        Failure::Clash(core) => {
            let conflict: Vec<&Residual> =
                core.iter().filter_map(|k| preds.get(*k)).copied().collect();
            unsatisfiable(cx, fields, if conflict.is_empty() { preds } else { &conflict })
        }
        Failure::GaveUp(_) | Failure::NoSolver(_) if none => unsatisfiable(cx, fields, preds),
        unsolved => {
            let names: Vec<String> = fields.iter().map(|f| cx.name(*f)).collect();
            RunError::NoRepresentation(unsolved.message(&names.join(", ")))
        }
    })?;
    let text = || preds.iter().map(|r| describe(cx, r)).collect::<Vec<_>>().join(" and ");
    assign_found(cx, component, &values, &text, assignment, source)
}

/// Adds the constraint that `field` is outside `set`.
fn exclude(field: FieldId, set: &IntervalSet, out: &mut Vec<Pred>) {
    let x = Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span: Span::default() });
    let outside = |&(lo, hi): &(i128, i128)| {
        Pred::or([
            Pred::cmp(Cmp::Lt, x.clone(), Expr::Int(lo)),
            Pred::cmp(Cmp::Gt, x.clone(), Expr::Int(hi)),
        ])
    };
    out.extend(set.spans().iter().map(outside));
}

/// Returns the values of one of `fields` that Z3 tries first.
fn candidates(
    cx: Context<'_>,
    source: &ChoiceSource,
    field: FieldId,
    fields: &[FieldId],
    preds: &[&Residual],
) -> Vec<i128> {
    let atom: Atom = scalar(field);
    // Constraints that mention no other unknown narrow the candidates.
    let own: Vec<&Residual> = preds
        .iter()
        .filter(|r| fields.iter().all(|g| *g == field || !mentions(&r.pred, *g)))
        .copied()
        .collect();
    let range = cx.range(field);
    let domain = closed_form(&atom, range, &own).unwrap_or(Domain::range(range));
    source.candidates(cx.dimension(field), &domain.set, cx.interesting_values)
}

/// Returns the refusal of a given value that violates a constraint by itself, or together with the other given values.
/// It names the constraint.
fn refused_given(
    cx: Context<'_>,
    source: &ChoiceSource,
    fields: &[FieldId],
    preds: &[&Residual],
) -> Option<ChoiceError> {
    let mut given: Vec<(FieldId, i128)> = Vec::new();
    for field in fields {
        let name = cx.dimension(*field);
        let Some(value) = source.given(name) else { continue };
        let (least, most) = cx.range(*field);
        match value {
            Choice::Int(n) if (least..=most).contains(n) => given.push((*field, *n)),
            other => {
                let why = format!("it must be {least} to {most}");
                return Some(source.refusal(name, other, why));
            }
        }
    }
    let refusal = |(field, value): (FieldId, i128), others: &str, r: &Residual| {
        let why = format!("with it{others} this does not hold: {}", describe(cx, r));
        source.refusal(cx.dimension(field), &Choice::Int(value), why)
    };
    for (field, value) in &given {
        let breaks = |r: &&&Residual| substitute(&r.pred, *field, *value) == Pred::Const(false);
        if let Some(r) = preds.iter().find(breaks) {
            return Some(refusal((*field, *value), "", r));
        }
    }
    for r in preds {
        let mut left = r.pred.clone();
        for (field, value) in &given {
            left = substitute(&left, *field, *value);
            if left == Pred::Const(false) {
                return Some(refusal((*field, *value), " and what else is given", r));
            }
        }
    }
    None
}

/// Creates the error "no value of x.pitch satisfies .. and ..".
pub fn unsatisfiable(cx: Context<'_>, fields: &[FieldId], preds: &[&Residual]) -> RunError {
    let names: Vec<String> = fields.iter().map(|f| cx.name(*f)).collect();
    let mut texts: Vec<String> = Vec::new();
    for r in preds {
        let place = cx.program.source.place(r.span);
        let text = format!("{} [{place}]", describe(cx, r));
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let (verb, names) = (if names.len() == 1 { "satisfies" } else { "satisfy" }, names.join(", "));
    RunError::NoRepresentation(format!("no value of {names} {verb} {}", texts.join(" and ")))
}
