//! Solves scalars, component by component: draws from a closed form if there is one; otherwise uses a network, or Z3.

use std::borrow::Cow;
use std::sync::Arc;

use super::connected::{self, Combination, Ruled};
use super::plan::Component;
use super::smt;
use crate::program::FieldId;
use crate::run::backward::assignment::Assignment;
use crate::run::backward::constraints::closed_form::scalar;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::domain::{self, Domain};
use crate::solve::evenly;
use crate::solve::network::Found;
use crate::solve::{Choice, ChoiceError, ChoiceSource, IntervalSet};

/// The response to constraints that no values satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnUnsat {
    /// Find the conflicting constraints, which costs a call to Z3.
    Explain,
    /// Only fail: the caller tries something else.
    Fail,
}

/// Unknown scalars that are solved together.
#[derive(Clone, Copy)]
pub struct Unknowns<'p> {
    /// All unknowns.
    pub open: &'p [FieldId],
    /// The connected components of the unknowns.
    pub components: &'p [Arc<Component>],
    /// For each of `open`, the values that were already tried.
    pub excluded: &'p [IntervalSet],
    /// Combinations of values that were already tried.
    pub refused: &'p [Combination],
}

/// Assigns values that satisfy all constraints.
pub fn solve_scalars(
    cx: Context<'_>,
    unknowns: Unknowns<'_>,
    on_unsat: OnUnsat,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    let Unknowns { open, components, excluded, refused } = unknowns;
    // The components that leave a choice.
    let is_open = |c: &&Arc<Component>| {
        c.domain.as_ref().is_none_or(|d| !d.is_empty() && d.single().is_none())
    };
    let skew = evenly::skew(components.iter().filter(is_open).count());
    for component in components {
        let of = |f: &FieldId| Some(&excluded[open.iter().position(|o| o == f)?]);
        let excluded: Vec<&IntervalSet> = component.fields.iter().filter_map(of).collect();
        match (&component.fields[..], &component.domain) {
            ([field], Some(domain)) => {
                let value = draw(cx, component, *field, domain, (excluded[0], skew), source)?;
                assignment.assign(*field, value);
            }
            _ => {
                let ruled = Ruled { excluded: &excluded, refused, skew };
                solve_component(cx, component, ruled, on_unsat, assignment, source)?;
            }
        }
    }
    Ok(())
}

/// Draws the value of a single unknown from its closed form.
fn draw(
    cx: Context<'_>,
    component: &Component,
    field: FieldId,
    unbounded: &Domain,
    (excluded, skew): (&IntervalSet, f64),
    source: &mut ChoiceSource,
) -> Result<i128, RunError> {
    let name = cx.dimension(field);
    let domain = if excluded.is_empty() {
        Cow::Borrowed(unbounded)
    } else {
        Cow::Owned(Domain { set: unbounded.set.without(excluded), ..*unbounded })
    };
    if domain.is_empty() {
        let preds: Vec<&Residual> = component.preds.iter().collect();
        return Err(smt::unsatisfiable(cx, &[field], &preds));
    }
    // A forced value is not a choice.
    if let Some(forced) = unbounded.single()
        && !source.is_given(name)
    {
        return Ok(forced);
    }
    let value = source.evenly(name, &domain, cx.interesting_values, skew).map_err(|e| {
        // Names the constraint that a given value violates, in the spec's words.
        let broken = component.preds.iter().find(|r| {
            match (&e.value, domain::solutions(&r.pred, &scalar(field), cx.range(field))) {
                (Choice::Int(v), Some(d)) => !d.contains(*v),
                _ => false,
            }
        });
        match broken {
            Some(r) => ChoiceError { why: format!("{}: {}", e.why, describe(cx, r)), ..e },
            None => e,
        }
    })?;
    Ok(value)
}

/// Solves a component of several unknowns, or of one without a closed form.
fn solve_component(
    cx: Context<'_>,
    component: &Component,
    ruled: Ruled<'_>,
    on_unsat: OnUnsat,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    match connected::solve(cx, component, ruled, assignment, source)? {
        Found::Values(_) => Ok(()),
        Found::Nothing if on_unsat == OnUnsat::Fail => {
            Err(RunError::NoRepresentation("nothing is left to choose".to_owned()))
        }
        found => {
            let none = found == Found::Nothing;
            smt::solve(cx, component, ruled.excluded, none, assignment, source)
        }
    }
}
