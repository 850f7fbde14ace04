//! Abstractions of the values of integer cells.

pub mod boxes;
pub mod interval;
pub mod linear;
pub mod polyhedra;

use crate::unfold::memory::CellId;
pub use interval::Interval;
pub use linear::Linear;

/// A comparison of a linear form with zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is zero.
    Zero,
    /// It is not zero.
    NotZero,
    /// It is zero or negative.
    NotPositive,
}

/// The ranges of the types of all cells.
pub type Ranges = [Interval];

/// A set of assignments of integers to cells, where each cell represents one value. It is never empty.
pub trait Numbers: Clone + Send + 'static {
    /// The name of the client that uses this domain.
    const NAME: &'static str;

    /// All assignments.
    fn top() -> Self;

    /// The least interval known of a form.
    fn bounds(&self, form: &Linear, ranges: &Ranges) -> Interval;

    /// Assigns to a cell the value of a form, which may contain the cell. The value is in the cell's range.
    fn assign(&mut self, cell: CellId, form: &Linear, ranges: &Ranges);

    /// Forgets everything about a cell.
    fn forget(&mut self, cell: CellId);

    /// Keeps the assignments for which a form has the given sign for some number of its interval; returns false if
    /// there are none.
    #[must_use]
    fn constrain(&mut self, form: &Linear, sign: Sign, ranges: &Ranges) -> bool;

    /// A set with the assignments of both.
    #[must_use]
    fn join(&self, other: &Self, ranges: &Ranges) -> Self;

    /// Returns a set with the assignments of both, by widening, so that chains of sets end.
    #[must_use]
    fn widen(&self, other: &Self, thresholds: &[i128], ranges: &Ranges) -> Self;

    /// Returns true if all assignments are in another set.
    fn within(&self, other: &Self, ranges: &Ranges) -> bool;

    /// Returns forms that are not positive, which together describe what is known about some cells.
    fn constraints(&self, cells: &[CellId], ranges: &Ranges) -> Vec<Linear>;
}

/// Returns the range of a form if only the ranges of cells are known.
pub fn range_of(form: &Linear, value: impl Fn(CellId) -> Interval) -> Interval {
    form.terms.iter().fold(form.rest, |sum, (cell, factor)| {
        sum.plus(value(*cell).multiply(Interval::point(*factor)))
    })
}
