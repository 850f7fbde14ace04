//! Polyhedra of some cells.

use super::cone::Row;
use super::convex::Convex;
use crate::numbers::{Interval, Linear};
use crate::unfold::memory::CellId;

/// The maximum number of cells of a polyhedron.
pub const LARGEST: usize = 6;

/// A polyhedron whose coordinates are cells in ascending order.
#[derive(Debug, Clone)]
pub struct Block<P> {
    /// The cells.
    pub cells: Vec<CellId>,
    /// The polyhedron.
    pub polyhedron: P,
}

impl<P: Convex> Block<P> {
    /// A constraint as a form that is not negative.
    pub fn form(&self, row: &Row) -> Linear {
        let terms = self.cells.iter().copied().zip(row[1..].iter().copied());
        Linear { terms: terms.filter(|(_, k)| *k != 0).collect(), rest: Interval::point(row[0]) }
    }

    /// Returns the interval of a form of its cells, inside another interval.
    pub fn bounds(&self, form: &Linear, plain: Interval) -> Interval {
        let mut row = vec![0; self.cells.len()];
        for (cell, factor) in &form.terms {
            if let Ok(at) = self.cells.binary_search(cell) {
                row[at] = *factor;
            }
        }
        let Some((lo, hi)) = self.polyhedron.bounds(&row) else { return plain };
        Interval::new(lo.unwrap_or(plain.lo).max(plain.lo), hi.unwrap_or(plain.hi).min(plain.hi))
            .unwrap_or(plain)
    }

    /// Returns the blocks of related cells. Intervals have the bounds of single cells.
    pub fn split(self) -> Vec<Self> {
        let mut classes: Vec<Vec<usize>> = (0..self.cells.len()).map(|k| vec![k]).collect();
        for row in self.polyhedron.inequalities() {
            let related = |class: &Vec<usize>| class.iter().any(|k| row[k + 1] != 0);
            let (mut merged, rest): (Vec<_>, Vec<_>) = classes.into_iter().partition(related);
            classes = rest;
            let mut class: Vec<usize> = merged.drain(..).flatten().collect();
            class.sort_unstable();
            classes.push(class);
        }
        classes.retain(|class| class.len() >= 2);
        if classes.len() == 1 && classes[0].len() == self.cells.len() {
            return vec![self];
        }
        let part = |class: Vec<usize>| {
            let polyhedron = self.polyhedron.projected(&class).some()?;
            Some(Self { cells: class.iter().map(|k| self.cells[*k]).collect(), polyhedron })
        };
        classes.into_iter().filter_map(part).collect()
    }

    /// The block without a cell.
    pub fn without(&self, cell: CellId) -> Vec<Self> {
        self.kept(|known| known != cell)
    }

    /// Returns the block of its cells that are among the given cells, in ascending order.
    pub fn named(&self, cells: &[CellId]) -> Vec<Self> {
        let named = |cell| cells.binary_search(&cell).is_ok();
        if self.cells.iter().copied().all(named) { vec![self.clone()] } else { self.kept(named) }
    }

    fn kept(&self, keep: impl Fn(CellId) -> bool) -> Vec<Self> {
        let keep: Vec<usize> = (0..self.cells.len()).filter(|k| keep(self.cells[*k])).collect();
        if keep.len() < 2 {
            return Vec::new();
        }
        let Some(polyhedron) = self.polyhedron.projected(&keep).some() else { return Vec::new() };
        Self { cells: keep.iter().map(|k| self.cells[*k]).collect(), polyhedron }.split()
    }
}

/// Tightens a constraint on integers, so that its factors have no common divisor.
pub fn integral(mut row: Row, equation: bool) -> Row {
    let divisor = row[1..].iter().fold(0_i128, |g, x| {
        let (mut a, mut b) = (g, x.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    if divisor > 1 && (!equation || row[0] % divisor == 0) {
        row[0] = row[0].div_euclid(divisor);
        row[1..].iter_mut().for_each(|x| *x /= divisor);
    }
    row
}
