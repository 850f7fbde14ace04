//! What conditions leave to the bases of a layout, which say where its segments lie.

use crate::invert::EnsureId;
use crate::program::FieldId;
use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::Backward;
use super::alike::Alike;
use super::elements::{ByCell, by_cell};
use super::scalars::{Residual, closed_form};
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::Domain;

/// The values that bases may have, each by itself.
#[derive(Debug, Default)]
pub(super) struct Bases {
    /// By input and place among the cells.
    cells: BTreeMap<(FieldId, usize), Domain>,
    /// Arrays of which no cell is told apart.
    arrays: Vec<Even>,
    /// What connects several.
    coupled: Vec<Residual>,
}

/// The first elements of an array, which all may have the same values.
#[derive(Debug)]
struct Even {
    field: FieldId,
    domain: Domain,
    /// Which of them have been taken.
    taken: FixedBitSet,
}

impl Bases {
    /// What a base may be; `None` if nothing is said of it. Each is asked for once.
    pub(super) fn take(&mut self, (field, at): (FieldId, usize)) -> Option<Domain> {
        match self.arrays.iter_mut().find(|even| even.field == field) {
            Some(even) if at < even.taken.len() => {
                even.taken.insert(at);
                Some(even.domain.clone())
            }
            _ => self.cells.remove(&(field, at)),
        }
    }

    /// What connects several bases; and what bases may be that were not asked for.
    pub(super) fn left(mut self) -> (Vec<Residual>, BTreeMap<(FieldId, usize), Domain>) {
        for even in &self.arrays {
            let left = even.taken.zeroes().map(|at| ((even.field, at), even.domain.clone()));
            self.cells.extend(left);
        }
        (self.coupled, self.cells)
    }

    /// Notes what is left to all elements of an array; false where they are told apart.
    fn note(&mut self, field: FieldId, count: usize, domain: Domain) -> bool {
        if self.cells.keys().any(|cell| cell.0 == field) {
            return false;
        }
        match self.arrays.iter_mut().find(|even| even.field == field) {
            Some(even) => match even.domain.intersect(&domain) {
                Some(both) if even.taken.len() == count => {
                    even.domain = both;
                    true
                }
                _ => false,
            },
            None => {
                let taken = FixedBitSet::with_capacity(count);
                self.arrays.push(Even { field, domain, taken });
                true
            }
        }
    }
}

impl Backward<'_> {
    /// What ensure `n` leaves to bases.
    pub(super) fn bases(&mut self, n: EnsureId) -> Result<Bases, RunError> {
        let (left, alike) = self.residuals_alike(n)?;
        let mut bases = self.of_cells(left.residuals)?;
        for Alike { field, count, residuals } in alike {
            let even = self.of_each(field, residuals);
            if !even.is_some_and(|domain| bases.note(field, count, domain)) {
                let left = self.residuals(n)?;
                return self.of_cells(left.residuals);
            }
        }
        debug_assert!(self.are_alike(n, &bases));
        Ok(bases)
    }

    /// Whether elements of which one was looked at for all are alike, one by one.
    fn are_alike(&mut self, n: EnsureId, bases: &Bases) -> bool {
        const MOST: usize = 64;
        if bases.arrays.iter().all(|even| even.taken.len() > MOST) {
            return true;
        }
        let before = self.steps.left();
        let left = self.residuals(n);
        self.steps.give(before - self.steps.left());
        let Ok(all) = left.and_then(|left| self.of_cells(left.residuals)) else { return false };
        bases.arrays.iter().all(|even| {
            (0..even.taken.len()).all(|at| all.cells.get(&(even.field, at)) == Some(&even.domain))
        })
    }

    /// What residuals leave to the cells that they mention.
    fn of_cells(&self, residuals: Vec<Residual>) -> Result<Bases, RunError> {
        let ByCell { single, coupled, outside } = self.split(residuals);
        let none = |r: &Residual| self.impossible(r.span, "no closed form for a place");
        if let Some(r) = outside.first() {
            return Err(none(r));
        }
        let mut cells = BTreeMap::new();
        for (cell, (atom, preds)) in &single {
            let range = self.program.input.fields[cell.0].int.range();
            let refs: Vec<&Residual> = preds.iter().collect();
            let domain = closed_form(atom, range, &refs).ok_or_else(|| none(&preds[0]))?;
            cells.insert(*cell, domain);
        }
        Ok(Bases { cells, arrays: Vec::new(), coupled })
    }

    /// What residuals of element 0 leave to each element of an array; `None` if they mention
    /// anything else, or there is no closed form.
    fn of_each(&self, field: FieldId, residuals: Vec<Residual>) -> Option<Domain> {
        let ByCell { single, coupled, outside } = self.split(residuals);
        let mut single = single.into_iter();
        let (cell, (atom, preds)) = single.next()?;
        let alone = cell == (field, 0) && coupled.is_empty() && outside.is_empty();
        if !alone || single.next().is_some() {
            return None;
        }
        let range = self.program.input.fields[field].int.range();
        closed_form(&atom, range, &preds.iter().collect::<Vec<_>>())
    }

    fn split(&self, residuals: Vec<Residual>) -> ByCell {
        by_cell(residuals, |field| match &self.input.slots[field] {
            Slot::Array(a, _) => Some(&a.lengths),
            _ => self.program.input.fields[field].is_scalar().then_some(&[]),
        })
    }
}
