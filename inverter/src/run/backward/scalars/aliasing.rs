//! Aliasing on purpose: values of scalars under which writes of equal values overlap.
//!
//! Conditions normally keep all writes disjoint. A representation may still store equal elements
//! once; occasionally one is drawn that does, by negating the conditions and checking afterwards
//! that overlapping writes agree.

use rand::RngExt;

use super::components::components;
use super::conflict::{WriteChecks, conflict};
use super::plan::Plan;
use super::solve::{OnUnsat, Unknowns, solve_scalars};
use super::undo::undo;
use crate::invert::EnsureId;
use crate::program::{Atom, Expr, FieldId, Pred, Ref, Side, Span};
use crate::run::backward::constraints::closed_form::mentions;
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::domain::solutions;
use crate::solve::{Choice, Domain, IntervalSet};

/// The largest canonical value for which it is tried: every write is looked at.
const MOST_CELLS: i128 = 1 << 14;
/// The number of solutions that are tried.
const TRIES: usize = 3;

/// Occasionally assigns values that make equal writes overlap. Returns false if it did not try,
/// or failed.
pub fn choose_overlap(
    run: &mut Backward<'_>,
    n: EnsureId,
    open: &[FieldId],
    plan: &Plan,
) -> Result<bool, RunError> {
    let cx = run.cx;
    let disjoint = &plan.disjoint;
    if !cx.limits.sharing || disjoint.is_empty() {
        return Ok(false);
    }
    let concerned = |f: &&FieldId| disjoint.iter().any(|p| mentions(p, **f));
    let Some(first) = open.iter().find(concerned) else { return Ok(false) };
    let source = &*run.choices.source;
    if cx.value_size() > MOST_CELLS
        || open.iter().any(|f| source.is_given(cx.dimension(*f)))
        || !open.iter().filter(concerned).any(|f| source.varies(cx.dimension(*f)))
        || source.stream_for(cx.dimension(*first), ": meets").random_range(0..6) != 0
    {
        return Ok(false);
    }
    let components = plan.overlapping.get_or_init(|| {
        let mut preds = without_disjointness(plan);
        preds.push(Residual {
            pred: Pred::and(disjoint.iter().cloned()).negated(),
            span: Span::default(),
            origin: Origin::Overlap,
            once: false,
        });
        components(cx, open, &preds)
    });
    let mut excluded: Vec<IntervalSet> = vec![IntervalSet::empty(); open.len()];
    let at = open.iter().position(|f| f == first).unwrap_or(0);
    let before = run.assignment.snapshot();
    for _ in 0..TRIES {
        let unknowns = Unknowns { open, components, excluded: &excluded };
        let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
        if solve_scalars(cx, unknowns, OnUnsat::Fail, assignment, source).is_ok()
            && conflict(run, n, &plan.left.deferred, WriteChecks::All)?.is_none()
        {
            // Forced values are choices, too: without the overlap they would not be forced. Not so those that
            // follow from others whatever overlaps.
            let defined = defined(run, plan, open, &concerned);
            for field in open.iter().filter(|f| !defined.contains(f)) {
                if let Some(value) = run.assignment.scalar(*field) {
                    let name = cx.dimension(*field);
                    run.choices.source.fix(name, Choice::Int(value), String::new)?;
                }
            }
            return Ok(true);
        }
        if let Some(value) = run.assignment.scalar(*first) {
            excluded[at] = excluded[at].union(&IntervalSet::point(value));
        }
        undo(run, open, &before);
    }
    Ok(false)
}

/// Returns the scalars among `open` whose values follow from those of the others by an equation, in an order such
/// that each follows without those before it.
fn defined(
    run: &Backward<'_>,
    plan: &Plan,
    open: &[FieldId],
    concerned: &dyn Fn(&&FieldId) -> bool,
) -> Vec<FieldId> {
    let constraints = without_disjointness(plan);
    let mut out: Vec<FieldId> = Vec::new();
    // A later number is more likely to be computed from an earlier one.
    for field in open.iter().rev().filter(|f| !concerned(f)) {
        let value = |r: &Ref| match r.side == Side::Input && r.index.is_empty() && r.field != *field
        {
            true if !out.contains(&r.field) => run.assignment.scalar(r.field),
            _ => None,
        };
        let mut domain = Domain::range(run.cx.range(*field));
        for Residual { pred, .. } in constraints.iter().filter(|r| mentions(&r.pred, *field)) {
            let known = pred.substitute(|e| match e {
                Expr::Ref(r) => value(r).map(Expr::Int),
                _ => None,
            });
            let unknown = Atom::Ref(Side::Input, *field, Vec::new());
            let alone = !known.mentions(|r| r.field != *field || r.side != Side::Input);
            if alone
                && !known.has_quantifier()
                && let Some(solutions) = solutions(&known, &unknown, run.cx.range(*field))
                && let Some(both) = domain.intersect(&solutions)
            {
                domain = both;
            }
        }
        if domain.quotients().len() == 1 {
            out.push(*field);
        }
    }
    out
}

/// Returns the constraints of a plan without those that only keep writes disjoint.
pub fn without_disjointness(plan: &Plan) -> Vec<Residual> {
    plan.left.residuals.iter().filter(|r| !r.once).cloned().collect()
}
