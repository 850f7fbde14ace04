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

/// A set of assignments of integers to cells that stand for one value each. It is never empty.
pub trait Numbers: Clone + Send + 'static {
    /// The name of the client that has these.
    const NAME: &'static str;

    /// All assignments.
    fn top() -> Self;

    /// The least interval known of a form.
    fn bounds(&self, form: &Linear, ranges: &Ranges) -> Interval;

    /// Gives a cell the value of a form, which may have the cell in it. The value is in the cell's range.
    fn assign(&mut self, cell: CellId, form: &Linear, ranges: &Ranges);

    /// Forgets all about a cell.
    fn forget(&mut self, cell: CellId);

    /// Keeps the assignments at which a form is as a sign says for some number of its interval; false if there are
    /// none.
    #[must_use]
    fn constrain(&mut self, form: &Linear, sign: Sign, ranges: &Ranges) -> bool;

    /// A set with the assignments of both.
    #[must_use]
    fn join(&self, other: &Self, ranges: &Ranges) -> Self;

    /// A set with the assignments of both, such that chains of them end.
    #[must_use]
    fn widen(&self, other: &Self, thresholds: &[i128], ranges: &Ranges) -> Self;

    /// True if all assignments are in another set.
    fn within(&self, other: &Self, ranges: &Ranges) -> bool;

    /// Forms that are not positive, which together describe what is known of some cells.
    fn constraints(&self, cells: &[CellId], ranges: &Ranges) -> Vec<Linear>;
}

/// The range of a form if nothing is known but the ranges of cells.
pub fn range_of(form: &Linear, value: impl Fn(CellId) -> Interval) -> Interval {
    form.terms.iter().fold(form.rest, |sum, (cell, factor)| {
        sum.plus(value(*cell).multiply(Interval::point(*factor)))
    })
}
