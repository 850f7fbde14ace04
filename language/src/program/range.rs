//! Bounds of the values of expressions, from the types of their references.

use super::syntax::{Expr, Op, Program, Ref, VarId};
use super::views::Around;

/// The range of a loop variable of an unknown loop.
const NOT_NEGATIVE: (i128, i128) = (0, i128::MAX);

/// Returns bounds, both included, of `e` if references may have any value of their types and loop variables are not
/// negative. Saturates at 128 bits.
pub fn of(program: &Program, e: &Expr) -> (i128, i128) {
    of_with(program, e, &|_| NOT_NEGATIVE)
}

/// Like [`of`], with the bounds of loop variables given by `vars`.
pub fn of_with(program: &Program, e: &Expr, vars: &dyn Fn(VarId) -> (i128, i128)) -> (i128, i128) {
    bounds(e, vars, &|r| program.field(r).int.range())
}

/// Like [`of`], with the bounds of references given by `reference`.
pub fn with(e: &Expr, reference: &dyn Fn(&Ref) -> (i128, i128)) -> (i128, i128) {
    bounds(e, &|_| NOT_NEGATIVE, reference)
}

/// Like [`with`], with the variable of each of these loops below the loop's number of iterations.
pub fn in_loops(
    e: &Expr,
    loops: &[Around],
    reference: &dyn Fn(&Ref) -> (i128, i128),
) -> (i128, i128) {
    let vars = |v: VarId| {
        let at = loops.iter().position(|level| level.var == v);
        // The count of a loop depends on those around it.
        let outer = at.map(|at| (&loops[..at], &loops[at].count));
        outer.map_or(NOT_NEGATIVE, |(outer, count)| {
            (0, in_loops(count, outer, reference).1.saturating_sub(1).max(0))
        })
    };
    bounds(e, &vars, reference)
}

fn bounds(
    e: &Expr,
    vars: &dyn Fn(VarId) -> (i128, i128),
    reference: &dyn Fn(&Ref) -> (i128, i128),
) -> (i128, i128) {
    match e {
        Expr::Int(n) => (*n, *n),
        Expr::Var(v) => vars(*v),
        Expr::Ref(r) => reference(r),
        Expr::Bin(op, a, b) => {
            let ((al, ah), (bl, bh)) = (bounds(a, vars, reference), bounds(b, vars, reference));
            match op {
                Op::Add => (al.saturating_add(bl), ah.saturating_add(bh)),
                Op::Sub => (al.saturating_sub(bh), ah.saturating_sub(bl)),
                Op::Mul => {
                    let corners = [
                        al.saturating_mul(bl),
                        al.saturating_mul(bh),
                        ah.saturating_mul(bl),
                        ah.saturating_mul(bh),
                    ];
                    // Four corners: never empty.
                    (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
                }
                Op::Min => (al.min(bl), ah.min(bh)),
                Op::Max => (al.max(bl), ah.max(bh)),
                Op::Div if bl == bh && bl >= 1 => (al.div_euclid(bl), ah.div_euclid(bl)),
                // With a divisor of at least 1 a quotient lies between the dividend and 0.
                Op::Div | Op::DivCeil => (al.min(0), ah.max(0)),
                Op::Rem => (0, bh.saturating_sub(1).max(0)),
            }
        }
    }
}

/// Returns true if `e` is within `lo..=hi` for all values of its references.
pub fn within(program: &Program, e: &Expr, (lo, hi): (i128, i128)) -> bool {
    let (least, most) = of(program, e);
    lo <= least && most <= hi
}
