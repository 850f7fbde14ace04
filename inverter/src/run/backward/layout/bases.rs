//! The values that constraints allow for the bases of a layout, for each base apart from the others.
//!
//! A format constrains all offsets of an array of bases in the same way; such uniform constraints
//! are solved once for the array.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::problem::Base;
use crate::invert::EnsureId;
use crate::program::FieldId;
use crate::run::backward::constraints::by_cell::{ByCell, by_cell};
use crate::run::backward::constraints::closed_form::closed_form;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::residual::residuals;
use crate::run::backward::constraints::uniform::{Uniform, residuals_and_uniform};
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::eval::Env;
use crate::run::store::{Slot, Store};
use crate::solve::Domain;

/// The values that bases may have.
#[derive(Debug, Default)]
pub struct Bases {
    cells: BTreeMap<Base, Domain>,
    /// Arrays whose elements all have the same values.
    arrays: Vec<UniformBases>,
    /// The constraints that connect bases.
    coupled: Vec<Residual>,
}

/// The first elements of an array, which all have the same values.
#[derive(Debug)]
struct UniformBases {
    field: FieldId,
    domain: Domain,
    /// The elements that segments have taken.
    taken: FixedBitSet,
}

impl Bases {
    /// Takes the values of a base; `None` if no constraint mentions it. Each base is taken only once.
    pub fn take(&mut self, (field, at): Base) -> Option<Domain> {
        match self.arrays.iter_mut().find(|array| array.field == field) {
            Some(array) if at < array.taken.len() => {
                array.taken.insert(at);
                Some(array.domain.clone())
            }
            _ => self.cells.remove(&(field, at)),
        }
    }

    /// Returns the constraints that connect bases, and the values of bases that were not taken.
    pub fn left(mut self) -> (Vec<Residual>, BTreeMap<Base, Domain>) {
        for array in &self.arrays {
            let left = array.taken.zeroes().map(|at| ((array.field, at), array.domain.clone()));
            self.cells.extend(left);
        }
        (self.coupled, self.cells)
    }

    /// Adds values for all elements of an array; returns false if its elements have individual values.
    fn add(&mut self, field: FieldId, count: usize, domain: Domain) -> bool {
        if self.cells.keys().any(|cell| cell.0 == field) {
            return false;
        }
        match self.arrays.iter_mut().find(|array| array.field == field) {
            Some(array) => match array.domain.intersect(&domain) {
                Some(both) if array.taken.len() == count => {
                    array.domain = both;
                    true
                }
                _ => false,
            },
            None => {
                let taken = FixedBitSet::with_capacity(count);
                self.arrays.push(UniformBases { field, domain, taken });
                true
            }
        }
    }
}

/// Computes the values that ensure `n` leaves to bases.
pub fn bases(cx: Context<'_>, env: &mut Env<'_>, n: EnsureId) -> Result<Bases, RunError> {
    let (left, uniform) = residuals_and_uniform(cx, env, n)?;
    let mut bases = of_cells(cx, env.input, left.residuals)?;
    for Uniform { field, count, residuals: of_first } in uniform {
        let domain = of_each(cx, env.input, field, of_first);
        if !domain.is_some_and(|domain| bases.add(field, count, domain)) {
            let left = residuals(cx, env, n)?;
            return of_cells(cx, env.input, left.residuals);
        }
    }
    debug_assert!(are_uniform(cx, env, n, &bases));
    Ok(bases)
}

/// Returns true if the arrays of which only one element was examined are uniform, after checking the other elements.
fn are_uniform(cx: Context<'_>, env: &mut Env<'_>, n: EnsureId, bases: &Bases) -> bool {
    const MOST: usize = 64;
    if bases.arrays.iter().all(|array| array.taken.len() > MOST) {
        return true;
    }
    let before = env.steps.left();
    let left = residuals(cx, env, n);
    env.steps.give(before - env.steps.left());
    let Ok(all) = left.and_then(|left| of_cells(cx, env.input, left.residuals)) else {
        return false;
    };
    bases.arrays.iter().all(|array| {
        (0..array.taken.len()).all(|at| all.cells.get(&(array.field, at)) == Some(&array.domain))
    })
}

/// Computes the values that constraints allow for each cell that they mention.
fn of_cells(cx: Context<'_>, input: &Store, residuals: Vec<Residual>) -> Result<Bases, RunError> {
    let ByCell { single, coupled, outside } = split(cx, input, residuals);
    let none = |r: &Residual| cx.impossible(r.span, "no closed form for a place");
    if let Some(r) = outside.first() {
        return Err(none(r));
    }
    let mut cells = BTreeMap::new();
    for (cell, (atom, preds)) in &single {
        let refs: Vec<&Residual> = preds.iter().collect();
        let domain = closed_form(atom, cx.range(cell.0), &refs).ok_or_else(|| none(&preds[0]))?;
        cells.insert(*cell, domain);
    }
    Ok(Bases { cells, arrays: Vec::new(), coupled })
}

/// Computes the values that constraints on element 0 allow for each element of an array; `None` if they mention
/// anything else, or there is no closed form.
fn of_each(
    cx: Context<'_>,
    input: &Store,
    field: FieldId,
    residuals: Vec<Residual>,
) -> Option<Domain> {
    let ByCell { single, coupled, outside } = split(cx, input, residuals);
    let mut single = single.into_iter();
    let (cell, (atom, preds)) = single.next()?;
    let alone = cell == (field, 0) && coupled.is_empty() && outside.is_empty();
    if !alone || single.next().is_some() {
        return None;
    }
    closed_form(&atom, cx.range(field), &preds.iter().collect::<Vec<_>>())
}

fn split(cx: Context<'_>, input: &Store, residuals: Vec<Residual>) -> ByCell {
    by_cell(residuals, |field| match &input.slots[field] {
        Slot::Array(a, _) => Some(&a.lengths),
        _ => cx.program.input.fields[field].is_scalar().then_some(&[]),
    })
}
