//! Kernels: the computation that each round of a nest does on its elements.

use super::MOST_LANES;
use super::scope::Scope;
use crate::program::{Expr, Op, Ref, VarId};

/// The least and the greatest value of all parts of expressions that vary between rounds; `None` if a part may have no
/// value, or needs 128 bits.
pub(crate) type Hull = Option<(i128, i128)>;

/// Returns the elements that `exprs` read outside indices; `None` if there are too many, or one of `vars` is used
/// outside indices.
pub(super) fn elements_of<'e>(exprs: &[&'e Expr], vars: &[VarId]) -> Option<Vec<&'e Ref>> {
    let mut lanes: Vec<&Ref> = Vec::new();
    let mut counts = false;
    for e in exprs {
        elements(e, &mut |e| match e {
            Expr::Ref(r) => {
                if !lanes.contains(&r) {
                    lanes.push(r);
                }
            }
            Expr::Var(v) => counts |= vars.contains(v),
            Expr::Int(_) | Expr::Bin(..) => {}
        });
    }
    (lanes.len() <= MOST_LANES && !counts).then_some(lanes)
}

/// Returns the bounds of all parts of `exprs`.
pub(super) fn hull(scope: &Scope<'_>, exprs: &[&Expr]) -> Hull {
    let mut all = (0, 0);
    exprs.iter().all(|e| extend(scope, e, &mut all)).then_some(all)
}

/// Extends the bounds by those of `e` and its parts. Returns false if there are none.
fn extend(scope: &Scope<'_>, e: &Expr, all: &mut (i128, i128)) -> bool {
    let (least, most) = scope.range(e);
    *all = (all.0.min(least), all.1.max(most));
    match e {
        Expr::Int(_) | Expr::Var(_) | Expr::Ref(_) => true,
        // Values that are the same in all rounds are computed before the first round, in 128 bits.
        e if !reads(e) => true,
        Expr::Bin(Op::DivCeil, ..) => false,
        Expr::Bin(Op::Div | Op::Rem, _, b) if scope.range(b).0 < 1 => false,
        Expr::Bin(_, a, b) => extend(scope, a, all) && extend(scope, b, all),
    }
}

/// Returns true if `e` reads an element.
pub(crate) fn reads(e: &Expr) -> bool {
    match e {
        Expr::Int(_) | Expr::Var(_) => false,
        Expr::Ref(r) => !r.index.is_empty(),
        Expr::Bin(_, a, b) => reads(a) || reads(b),
    }
}

/// Calls `visit` on the elements and variables in `e` that are not in an index.
fn elements<'p>(e: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    match e {
        Expr::Int(_) => {}
        Expr::Var(_) => visit(e),
        Expr::Ref(r) if r.index.is_empty() => {}
        Expr::Ref(_) => visit(e),
        Expr::Bin(_, a, b) => {
            elements(a, visit);
            elements(b, visit);
        }
    }
}
