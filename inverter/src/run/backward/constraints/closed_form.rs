//! Closed forms: the exact set of values that one unknown may have.

use crate::program::eval::holds_with;
use crate::program::{Atom, Expr, FieldId, Poly, Pred, Side};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::limits::MOST_VALUES;
use crate::solve::IntervalSet;
use crate::solve::domain::{self, Domain};
use crate::solve::network::simplified;

/// Returns the values of one unknown that satisfy all of `preds`: in closed form or, if they are
/// few, by enumeration.
pub fn closed_form(atom: &Atom, range: (i128, i128), preds: &[&Residual]) -> Option<Domain> {
    let (domain, exact) = narrowed(atom, range, preds);
    exact.then_some(domain)
}

/// Like [`closed_form`], but tries up to as many values as a 16-bit type has.
pub fn closed_form_of_word(
    atom: &Atom,
    range: (i128, i128),
    preds: &[&Residual],
) -> Option<Domain> {
    let (domain, exact) = narrowed_by(atom, range, preds, 1 << 16);
    exact.then_some(domain)
}

/// Like [`closed_form`], but ignores constraints that have no closed form if there are too many
/// values to try. The bool is true if the result is exact.
pub fn narrowed(atom: &Atom, range: (i128, i128), preds: &[&Residual]) -> (Domain, bool) {
    narrowed_by(atom, range, preds, MOST_VALUES)
}

/// [`narrowed`], with up to `most` values tried.
fn narrowed_by(
    atom: &Atom,
    range: (i128, i128),
    preds: &[&Residual],
    most: u128,
) -> (Domain, bool) {
    let mut domain = Domain::range(range);
    let mut hard = Vec::new();
    for r in preds {
        match domain::solutions(&r.pred, atom, range).and_then(|d| domain.intersect(&d)) {
            Some(narrowed) => domain = narrowed,
            None => hard.push(&r.pred),
        }
    }
    if hard.is_empty() {
        return (domain, true);
    }
    let Some(members) = domain.members(most) else { return (domain, false) };
    let fits = |v: &i128| hard.iter().all(|p| decide(p, atom, *v) == Some(true));
    (Domain::of(IntervalSet::from_spans(members.into_iter().filter(fits).map(|v| (v, v)))), true)
}

/// Decides a predicate whose only unknown is `atom`, for `atom = value`.
fn decide(p: &Pred, atom: &Atom, value: i128) -> Option<bool> {
    holds_with(p, |r| (Poly::ref_atom(r) == *atom).then_some(value))
}

/// Substitutes the value of `field`, and removes decided parts.
pub fn substitute(p: &Pred, field: FieldId, value: i128) -> Pred {
    let replacement = |e: &Expr| match e {
        Expr::Ref(r) if r.side == Side::Input && r.index.is_empty() && r.field == field => {
            Some(Expr::Int(value))
        }
        _ => None,
    };
    simplified(p.substitute(replacement))
}

/// Returns true if the predicate mentions the input field.
pub fn mentions(p: &Pred, field: FieldId) -> bool {
    p.mentions(|r| r.side == Side::Input && r.field == field)
}

/// Returns the unknown that is a scalar input.
pub fn scalar(field: FieldId) -> Atom {
    Atom::Ref(Side::Input, field, Vec::new())
}
