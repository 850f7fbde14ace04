//! Limits on numbers that must be places because a condition equates a base with them.
//!
//! Scalars are chosen before places. If a base is equal to a number, such as `place` in `c != 1 or at = place`, the
//! number therefore has to leave room: it must not be far away, and data at this place must not overlap parts that
//! scalars place.

use super::constraint::{Origin, Residual};
use crate::invert::{DisjointnessStrategy, EnsureKind, Inverse, Part};
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side};
use crate::run::backward::context::Context;

/// Returns the limits, which may mention unknown scalars.
pub fn bases_equated(cx: Context<'_>) -> Vec<Residual> {
    let mut out = Vec::new();
    let most = Expr::Int(cx.most_elements() / 2);
    let near = |_: &Ref, place: &Expr| Some(Pred::cmp(Cmp::Le, place.clone(), most.clone()));
    let conditions = cx.inverse.output_conditions();
    for (ensure, preds) in cx.inverse.ensures.iter().zip(&conditions.conjuncts) {
        let EnsureKind::Places { array, bases } = &ensure.kind else { continue };
        for (conjunct, pred) in ensure.conjuncts.iter().zip(preds) {
            let mut add = |pred: Option<Pred>, once| {
                let (span, origin) = (conjunct.span, Origin::Size(*array));
                out.extend(pred.map(|pred| Residual { pred, span, origin, once }));
            };
            let limit = equated(pred, bases, &near);
            let any = limit.is_some();
            add(limit, false);
            let parts = cx.layout(*array).map_or(&[][..], |layout| &layout.parts);
            for fixed in parts.iter().filter(|part| any && part.base.is_none()) {
                for part in parts.iter().filter(|part| part.base.is_some()) {
                    add(
                        equated(pred, bases, &|base, place| beside(base, place, part, fixed)),
                        true,
                    );
                }
            }
        }
    }
    out
}

/// Calls `visit` on the references that decide the limits.
pub fn equated_with_bases(inverse: &Inverse, visit: &mut dyn FnMut(&Ref)) {
    for ensure in &inverse.ensures {
        let EnsureKind::Places { array, bases } = &ensure.kind else { continue };
        let place = |_: &Ref, place: &Expr| Some(Pred::cmp(Cmp::Le, place.clone(), Expr::Int(0)));
        let preds = ensure.conjuncts.iter().map(|conjunct| &conjunct.pred);
        let mut any = false;
        for limit in preds.filter_map(|pred| equated(pred, bases, &place)) {
            any = true;
            limit.refs(visit);
        }
        if any && let Some(DisjointnessStrategy::Layout(layout)) = inverse.strategies.get(array) {
            layout.parts.iter().for_each(|part| part.refs(visit));
        }
    }
}

/// Returns the condition that a part at this place does not overlap one that scalars place; `None` if it has another
/// base, or if loops determine the place of either.
fn beside(base: &Ref, place: &Expr, part: &Part, fixed: &Part) -> Option<Pred> {
    if part.base.as_ref() != Some(base) || !part.outer.is_empty() || !fixed.outer.is_empty() {
        return None;
    }
    let at = |offset: &Expr| Expr::bin(Op::Add, place.clone(), offset.clone());
    let absent = part.guards.iter().chain(&fixed.guards).map(Pred::negated);
    let empty = [part, fixed].map(|p| Pred::cmp(Cmp::Lt, p.hi.clone(), p.lo.clone()));
    let apart = [
        Pred::cmp(Cmp::Lt, at(&part.hi), fixed.lo.clone()),
        Pred::cmp(Cmp::Gt, at(&part.lo), fixed.hi.clone()),
    ];
    Some(Pred::or(absent.chain(empty).chain(apart)))
}

/// Returns the demands of `limit` on the numbers that a predicate equates with a base; `None` if it equates none.
fn equated(
    p: &Pred,
    bases: &[FieldId],
    limit: &dyn Fn(&Ref, &Expr) -> Option<Pred>,
) -> Option<Pred> {
    let base = |r: &Ref| r.side == Side::Input && bases.contains(&r.field);
    let number = |e: &Expr| e.mentions(|r| r.side == Side::Input) && !e.mentions(base);
    match p {
        Pred::Cmp(Cmp::Eq, Expr::Ref(r), e) | Pred::Cmp(Cmp::Eq, e, Expr::Ref(r))
            if base(r) && number(e) =>
        {
            limit(r, e)
        }
        Pred::And(all) => {
            let all: Vec<Pred> = all.iter().filter_map(|p| equated(p, bases, limit)).collect();
            (!all.is_empty()).then(|| Pred::and(all))
        }
        Pred::Or(any) => {
            let mut found = false;
            let one = |p: &Pred| match equated(p, bases, limit) {
                Some(limit) => {
                    found = true;
                    Some(limit)
                }
                None => (!p.mentions(base)).then(|| p.clone()),
            };
            let any: Option<Vec<Pred>> = any.iter().map(one).collect();
            any.filter(|_| found).map(Pred::or)
        }
        _ => None,
    }
}
