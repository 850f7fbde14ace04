//! Residual constraints: the conjuncts of an ensure with all determined values substituted.
//!
//! This is partial evaluation: quantifiers are unrolled and decided parts removed, so that the rest mentions only
//! unknowns, and its connected components can be solved separately.

use super::constraint::{Origin, Residual, Residuals};
use super::equated::bases_equated;
use super::tightest::tightest;
use crate::invert::{ConjunctId, DisjointnessStrategy, EnsureId, Extent, Level, Why};
use crate::program::print::Show;
use crate::program::views::Source;
use crate::program::{Cmp, Expr, Length, Pred, Ref, Side};
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};

/// Computes the residual constraints of ensure `n`.
pub fn residuals(cx: Context<'_>, env: &mut Env<'_>, n: EnsureId) -> Result<Residuals, RunError> {
    residuals_except(cx, env, n, |_, _| false)
}

/// Computes the residual constraints of ensure `n`, without the conjuncts for which `done` returns
/// true.
pub fn residuals_except(
    cx: Context<'_>,
    env: &mut Env<'_>,
    n: EnsureId,
    mut done: impl FnMut(&mut Env<'_>, ConjunctId) -> bool,
) -> Result<Residuals, RunError> {
    let mut out = Residuals { residuals: Vec::new(), deferred: Vec::new() };
    let conjuncts = cx.inverse.ensures[n].conjuncts.iter().enumerate();
    for (k, c) in conjuncts.map(|(k, c)| (ConjunctId(k), c)) {
        if done(env, k) {
            continue;
        }
        let mut preds = Vec::new();
        let pred = &cx.inverse.output_conditions().conjuncts[n][k];
        match env.residual_pred(pred, c.span, &mut |p| preds.push(p)) {
            Ok(true) => {
                out.residuals.extend(tightest(preds).into_iter().map(|pred| Residual {
                    pred,
                    span: c.span,
                    origin: Origin::Conjunct(n, k),
                    once: matches!(c.why, Why::Once(_)),
                }));
            }
            Ok(false) => {
                let text = format!("{} does not hold: {}", env.show(&c.pred), c.why);
                return Err(cx.impossible(c.span, &text));
            }
            Err(Stop::Unset(..)) => out.deferred.push(k),
            // This comes from an unreachable statement; if it were reachable, a separate condition would cover its
            // divisors.
            Err(Stop::Error(_)) if c.why.is_derived() => {}
            Err(Stop::Error(e)) => return Err(e),
        }
    }
    Ok(out)
}

/// Computes the limits on the sizes of arrays of free length, as far as they depend only on
/// references for which `unknown` returns true.
pub fn size_limits(
    cx: Context<'_>,
    env: &mut Env<'_>,
    unknown: &dyn Fn(&Ref) -> bool,
) -> Result<Vec<Residual>, RunError> {
    let mut out = Vec::new();
    // The length of a file is as free as the places in it.
    for view in &cx.program.views {
        let Source::Length(array) = view.source else { continue };
        let length =
            Ref { side: Side::Input, field: view.field, index: Vec::new(), span: view.span };
        if unknown(&length) {
            let most = Expr::Int(cx.most_elements());
            let pred = Pred::cmp(Cmp::Le, Expr::Ref(length), most);
            let (span, origin) = (view.span, Origin::Size(array));
            out.push(Residual { pred, span, origin, once: false });
        }
    }
    for (array, strategy) in &cx.inverse.strategies {
        let DisjointnessStrategy::Layout(layout) = strategy else { continue };
        let free = cx.program.input.fields[*array].lengths.get(layout.dimension);
        if !matches!(free, Some(Length::Free)) && cx.program.length_of(*array).is_none() {
            continue;
        }
        // If places are relative to a scalar, there must be room after it.
        for part in layout.parts.iter().filter(|part| part.base.is_some()) {
            part.lo.refs(&mut |r| {
                if r.side == Side::Input && r.index.is_empty() && unknown(r) {
                    let most = Expr::Int(cx.most_elements() / 2);
                    let pred = Pred::cmp(Cmp::Le, Expr::Ref(r.clone()), most);
                    let (span, origin) = (part.span, Origin::Size(*array));
                    out.push(Residual { pred, span, origin, once: false });
                }
            });
        }
    }
    for limit in bases_equated(cx) {
        let mut preds = Vec::new();
        if matches!(env.residual_pred(&limit.pred, limit.span, &mut |p| preds.push(p)), Ok(true)) {
            let only = |p: &Pred| !p.mentions(|r| !unknown(r));
            let limit = |pred| Residual { pred, ..limit.clone() };
            out.extend(preds.into_iter().filter(only).map(limit));
        }
    }
    for e in &cx.inverse.extents {
        // A guard on elements that have no value yet may hold.
        let decided = |r: &Ref| r.side == Side::Output || r.index.is_empty() || unknown(r);
        let all = size_limit(cx, e, |g| !g.mentions(|r| !decided(r)));
        let mut preds = Vec::new();
        // Other elements without a value are bounded when they are chosen.
        let done = env.residual_pred(&all, e.span, &mut |p| preds.push(p));
        if matches!(done, Ok(true)) {
            let only = |p: &Pred| !p.mentions(|r| !unknown(r));
            out.extend(preds.into_iter().filter(only).map(|pred| Residual {
                pred,
                span: e.span,
                origin: Origin::Size(e.array),
                once: false,
            }));
        }
    }
    Ok(out)
}

/// Returns the condition that an array of free length does not become much larger than its content, unless one of the
/// `decided` guards fails.
pub fn size_limit(cx: Context<'_>, e: &Extent, decided: impl Fn(&Pred) -> bool) -> Pred {
    let small = Pred::cmp(Cmp::Lt, e.hi.clone(), Expr::Int(cx.most_elements()));
    let unless = e.guards.iter().filter(|g| decided(g)).map(Pred::negated);
    Level::all(&e.nest, Pred::or(unless.chain([small])))
}

/// Describes a residual constraint by the conjunct from which it comes, in the spec's names.
pub fn describe(cx: Context<'_>, r: &Residual) -> String {
    match r.origin {
        Origin::Conjunct(n, k) => {
            let c = &cx.inverse.ensures[n].conjuncts[k];
            format!("{} ({})", Show(cx.program, &c.pred), c.why)
        }
        Origin::Size(array) => {
            let (name, most) = (cx.name(array), cx.most_elements());
            format!("{name} may not grow beyond {most} elements")
        }
        Origin::Overlap => String::new(),
    }
}
