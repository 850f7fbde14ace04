//! Conditions on all elements of an array, for an element that is a scalar.
//!
//! Scalars are chosen before elements: if `chain[0] = first`, and each link is below the number of clusters, then
//! `first` has to be chosen below it, too.

use super::inst::Conjunct;
use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side, VarId};

/// Returns the conditions on scalars that follow.
pub fn conditions(conjuncts: &[Conjunct]) -> Vec<Conjunct> {
    let mut out = Vec::new();
    for (element, at, scalar) in conjuncts.iter().filter_map(|c| picked(&c.pred)) {
        for c in conjuncts {
            let Pred::All(var, count, inner) = &c.pred else { continue };
            let given = |e: &Expr| !e.mentions(|r| r.side == Side::Input && !r.index.is_empty());
            if !given(count) || !is_about(inner, *var, element) {
                continue;
            }
            let own = inner.substitute(|e| match e {
                Expr::Ref(r) if r.side == Side::Input && r.field == element => Some(scalar.clone()),
                Expr::Var(v) if v == var => Some(Expr::Int(at)),
                _ => None,
            });
            let beyond = Pred::cmp(Cmp::Le, (**count).clone(), Expr::Int(at));
            out.push(Conjunct { pred: Pred::or([beyond, own]), ..c.clone() });
        }
    }
    out
}

/// Returns the array, the index and the scalar of an equation of an element with a scalar.
fn picked(p: &Pred) -> Option<(FieldId, i128, &Expr)> {
    let Pred::Cmp(Cmp::Eq, a, b) = p else { return None };
    let is_input = |r: &Ref| r.side == Side::Input;
    [(a, b), (b, a)].into_iter().find_map(|(element, scalar)| match (element, scalar) {
        (Expr::Ref(e), Expr::Ref(s)) if is_input(e) && is_input(s) && s.index.is_empty() => {
            match e.index[..] {
                [Expr::Int(at)] if at >= 0 => Some((e.field, at, scalar)),
                _ => None,
            }
        }
        _ => None,
    })
}

/// Returns true if the only elements of inputs in a predicate are those of one array that a variable picks.
fn is_about(p: &Pred, var: VarId, array: FieldId) -> bool {
    let (mut own, mut others) = (false, false);
    p.refs(&mut |r| {
        if r.side == Side::Input && !r.index.is_empty() {
            let picks = matches!(r.index[..], [Expr::Var(v)] if v == var);
            let is_own = r.field == array && picks;
            own |= is_own;
            others |= !is_own;
        }
    });
    own && !others
}
