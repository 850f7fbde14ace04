//! Ensures of scalars: finds values under which no two writes conflict, and nothing that depends on them fails.
//!
//! The constraints alone do not cover everything (a stream's encoder, the room for segments), so each solution is
//! checked for conflicts, and other values are tried for the inputs on which a conflict depends.

use std::sync::Arc;

use super::aliasing::{choose_overlap, without_disjointness};
use super::components::components;
use super::conflict::{WriteChecks, conflict};
use super::connected::Combination;
use super::plan::{Component, Conflict, Plan};
use super::planning::plan;
use super::solve::{OnUnsat, Unknowns, solve_scalars};
use super::undo::undo;
use crate::invert::{ConjunctId, EnsureId};
use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side};
use crate::run::backward::assignment::Snapshot;
use crate::run::backward::constraints::closed_form::{mentions, narrowed, scalar};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::context::Context;
use crate::run::backward::layout::room::without_room;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::network::Network;
use crate::solve::{Domain, IntervalSet};

/// The maximum number of times that scalars are chosen again because of a conflict.
const ATTEMPTS: usize = 64;

/// Assigns the scalars of ensure `n`.
pub fn ensure_scalars(
    run: &mut Backward<'_>,
    n: EnsureId,
    fields: &[FieldId],
) -> Result<(), RunError> {
    let cx = run.cx;
    assign_equated(run, n, fields);
    let open: Vec<FieldId> =
        fields.iter().copied().filter(|f| run.assignment.is_unset(*f)).collect();
    let plan = plan(run, n, &open)?;
    if fields.is_empty() || choose_overlap(run, n, &open, &plan)? {
        return Ok(());
    }
    let before = run.assignment.snapshot();
    let solved = solve_disjoint(run, n, &open, &plan, &before);
    let given = |f: &FieldId| run.choices.source.is_given(cx.dimension(*f));
    match solved {
        // Given values may make equal writes overlap.
        Err(e @ (RunError::Choice(_) | RunError::NoRepresentation(_)))
            if open.iter().any(given) && cx.may_overlap() =>
        {
            undo(run, &open, &before);
            let loose = without_disjointness(&plan);
            if loose.len() == plan.left.residuals.len() {
                return Err(e);
            }
            let excluded = &vec![IntervalSet::empty(); open.len()];
            let components = &components(cx, &open, &loose);
            let unknowns = Unknowns { open: &open, components, excluded, refused: &[] };
            let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
            let agrees = solve_scalars(cx, unknowns, OnUnsat::Fail, assignment, source).is_ok()
                && conflict(run, n, &plan.left.deferred, WriteChecks::All)?.is_none();
            if agrees { Ok(()) } else { Err(e) }
        }
        other => other,
    }
}

/// Assigns the scalars that a conjunct equates with known values, so that bounds of loops are known where other
/// conjuncts mention them.
fn assign_equated(run: &mut Backward<'_>, n: EnsureId, fields: &[FieldId]) {
    let cx = run.cx;
    loop {
        let mut progress = false;
        for (k, c) in cx.inverse.ensures[n].conjuncts.iter().enumerate() {
            let pred = &cx.inverse.output_conditions().conjuncts[n][ConjunctId(k)];
            let Pred::Cmp(Cmp::Eq, a, b) = pred else { continue };
            for (own, value) in [(a, b), (b, a)] {
                let Expr::Ref(r) = own else { continue };
                let open = r.side == Side::Input
                    && r.index.is_empty()
                    && fields.contains(&r.field)
                    && run.assignment.is_unset(r.field)
                    && !run.choices.source.is_given(cx.dimension(r.field));
                let fits =
                    |value: &i128| (cx.range(r.field).0..=cx.range(r.field).1).contains(value);
                // Otherwise the solver explains why there is no value.
                if open
                    && let Ok(value) = run.env().eval(value, c.span)
                    && fits(&value)
                {
                    run.assignment.assign(r.field, value);
                    progress = true;
                }
            }
        }
        if !progress {
            return;
        }
    }
}

/// Assigns values under which all writes are disjoint.
fn solve_disjoint(
    run: &mut Backward<'_>,
    n: EnsureId,
    open: &[FieldId],
    plan: &Plan,
    before: &Snapshot,
) -> Result<(), RunError> {
    let cx = run.cx;
    let components = &plan.components;
    let mut excluded: Vec<IntervalSet> = vec![IntervalSet::empty(); open.len()];
    let mut refused: Vec<Combination> = Vec::new();
    let mut attempt = 0;
    let mut last: Option<String> = None;
    while attempt <= ATTEMPTS {
        let unknowns = Unknowns { open, components, excluded: &excluded, refused: &refused };
        let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
        // With the same random numbers, an end of the remaining values would be drawn again and again.
        let other = if attempt == 0 { None } else { source.attempt(attempt as u64) };
        let solved = match other {
            Some(mut other) => {
                let solved = solve_scalars(cx, unknowns, OnUnsat::Explain, assignment, &mut other);
                source.adopt(other);
                solved
            }
            None => solve_scalars(cx, unknowns, OnUnsat::Explain, assignment, source),
        };
        match (solved, &last) {
            (Ok(()), _) => {}
            // No value is left to try, so the last conflict is the reason.
            (Err(RunError::NoRepresentation(_)), Some(why)) => {
                return Err(RunError::NoRepresentation(why.clone()));
            }
            (Err(e), _) => return Err(e),
        }
        let conflict = conflict(run, n, &plan.left.deferred, WriteChecks::Undecided)?;
        let Some(conflict) = conflict else { return Ok(()) };
        last = Some(conflict.why.clone());
        let value = |f: &FieldId| Some((*f, run.assignment.scalar(*f)?));
        let concerned = open.iter().filter(|f| conflict.depends_on.contains(f));
        let combination: Combination = concerned.filter_map(value).collect();
        let few = is_of_few(cx, components, &combination) && !refused.contains(&combination);
        refused.push(combination);
        if few {
            undo(run, open, before);
            continue;
        }
        attempt += 1;
        // A search tries other values, because excluding one value excludes many solutions.
        if attempt == 1 {
            undo(run, open, before);
            continue;
        }
        // Excludes the value of one input on which the conflict depends, each in turn.
        let may_help: Vec<usize> = (0..open.len())
            .filter(|k| conflict.depends_on.contains(&open[*k]))
            .filter(|k| !run.choices.source.is_given(cx.dimension(open[*k])))
            .collect();
        // A value that is forced cannot be the reason.
        let free = |k: &usize, values: &IntervalSet| {
            let left = allowed(cx, components, open[*k]).set;
            let all = excluded[*k].union(values);
            !left.without(&all).is_empty()
        };
        if let Some((k, values)) = crowding(run, &conflict, open, &may_help, &free)? {
            excluded[k] = excluded[k].union(&values);
            undo(run, open, before);
            continue;
        }
        let k = may_help.get((attempt - 2) % may_help.len().max(1)).copied();
        let Some((k, value)) = k.and_then(|k| Some((k, run.assignment.scalar(open[k])?))) else {
            return Err(RunError::NoRepresentation(conflict.why.clone()));
        };
        excluded[k] = excluded[k].union(&IntervalSet::point(value));
        undo(run, open, before);
    }
    Err(RunError::NoRepresentation(last.unwrap_or_default()))
}

/// Returns one of the scalars `open` that leaves no room for the segments of a layout, by its position, with all values
/// that leave no room: a place before the first segment that is too late, or a length that is too small. `free` returns
/// true if the scalar has other values.
fn crowding(
    run: &mut Backward<'_>,
    conflict: &Conflict,
    open: &[FieldId],
    may_help: &[usize],
    free: &dyn Fn(&usize, &IntervalSet) -> bool,
) -> Result<Option<(usize, IntervalSet)>, RunError> {
    let Some(crowded) = conflict.crowded else { return Ok(None) };
    for k in may_help {
        if let Some(value) = run.assignment.scalar(open[*k])
            && let Some(values) = without_room(run, crowded, open[*k], value)?
            && free(k, &values)
        {
            return Ok(Some((*k, values)));
        }
    }
    Ok(None)
}

/// Returns the values that constraints on a scalar alone allow, or a superset.
fn allowed(cx: Context<'_>, components: &[Arc<Component>], field: FieldId) -> Domain {
    let own = |r: &&Residual| {
        let other = |r: &Ref| r.side == Side::Input && r.field != field;
        mentions(&r.pred, field) && !r.pred.mentions(other)
    };
    let preds: Vec<&Residual> = components.iter().flat_map(|c| &c.preds).filter(own).collect();
    narrowed(&scalar(field), cx.range(field), &preds).0
}

/// Returns true if the unknowns of a combination belong to one component with few solutions, so that there are few
/// combinations as well.
fn is_of_few(cx: Context<'_>, components: &[Arc<Component>], combination: &Combination) -> bool {
    let of = |c: &&Arc<Component>| combination.iter().any(|(field, _)| c.fields.contains(field));
    let mut concerned = components.iter().filter(of);
    match (concerned.next(), concerned.next()) {
        (Some(component), None) => {
            component.domain.is_none() && component.network(cx).is_some_and(Network::has_few)
        }
        _ => false,
    }
}
