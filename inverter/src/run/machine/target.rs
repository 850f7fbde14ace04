//! Arrays that code writes, with a record of which elements have values.

use fixedbitset::FixedBitSet;

use super::element::Element;
use super::elements::{Elements, Resolved};
use super::halt::Irregular;
use super::nest::{AffineIndex, Nest, Plane};
use crate::run::bytes::{Bytes, Shared};
use crate::run::store::Cells;

/// An array that is written.
#[derive(Debug)]
pub struct Target<'a, T> {
    pub(super) lengths: &'a [usize],
    pub(super) to: To<'a, T>,
    pub(super) known: Known<'a>,
}

/// The destination of the values that are written.
#[derive(Debug)]
pub(super) enum To<'a, T> {
    /// They are stored.
    Cells(&'a mut [T]),
    /// They are compared with these elements.
    Expected(Elements<'a, T>),
    /// They are recorded as pieces.
    Pieces {
        /// The bytes.
        bytes: &'a mut Bytes,
        /// True in an inverse, where writes may be copies in another order, and may be undone.
        reorder: bool,
    },
}

/// The record of which elements of a target have been written.
#[derive(Debug)]
pub(super) enum Known<'a> {
    /// No record, because each element is proved to be written once.
    Proved,
    /// The written elements; none may be written again.
    Once(&'a mut FixedBitSet),
    /// The written elements, none of which may receive a different value, and a log of them.
    Same(&'a mut FixedBitSet, &'a mut Vec<Written>),
}

/// Elements that had no value before the statement.
#[derive(Debug, Clone)]
pub(super) enum Written {
    /// The elements of a nest.
    Nest(Nest, AffineIndex),
    /// All elements from the first index up to, but not including, the second.
    Run(usize, usize),
}

/// The elements that a statement writes.
#[derive(Debug)]
pub struct Aim<'a, T> {
    pub(super) to: To<'a, T>,
    pub(super) known: Known<'a>,
    pub(super) place: AffineIndex,
}

/// The elements of a destination in memory.
#[derive(Debug)]
pub(super) enum Destination<'a, T> {
    /// They are stored.
    Cells(&'a mut [T]),
    /// They are compared with these elements. The second part is the memory that holds them, if others refer to it as
    /// well.
    Expected(&'a [T], Option<&'a Shared>),
}

impl<'a, T: Element> To<'a, T> {
    /// Returns the destination of writes to an array, which may consist of copies in another order if `reorder` is
    /// true; `None` if it has elements of another type.
    pub(super) fn of(cells: &'a mut Cells, reorder: bool) -> Option<Self> {
        if T::recorded(cells).is_some() {
            return T::recorded(cells).map(|bytes| To::Pieces { bytes, reorder });
        }
        T::slice_mut(cells).map(To::Cells)
    }

    /// Returns the elements at `place` in a nest in memory, and their place there.
    pub(super) fn resolved(
        self,
        nest: &Nest,
        place: AffineIndex,
    ) -> (Destination<'a, T>, AffineIndex) {
        match self {
            To::Cells(cells) => (Destination::Cells(cells), place),
            To::Expected(elements) => {
                let Resolved { cells, place, memory } = elements.resolved(nest, place);
                (Destination::Expected(cells, memory), place)
            }
            To::Pieces { bytes, .. } => {
                (Destination::Cells(T::of_bytes_mut(bytes).unwrap_or_default()), place)
            }
        }
    }

    /// Returns the element at `at`; `None` if there is none.
    fn get(&self, at: usize) -> Option<T> {
        match self {
            To::Cells(cells) => cells.get(at).copied(),
            To::Expected(elements) => elements.get(at),
            To::Pieces { bytes, .. } => bytes.byte(at).and_then(T::of_byte),
        }
    }
}

impl<'a, T: Element> Target<'a, T> {
    /// The elements to which `index` refers in the nest, as in [`Nest::affine_index`].
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is outside.
    pub fn at(self, nest: &Nest, index: &[&[i128]]) -> Result<Aim<'a, T>, Irregular> {
        let place = nest.affine_index(self.lengths, index)?;
        Ok(Aim { to: self.to, known: self.known, place })
    }
}

impl Known<'_> {
    /// Marks the elements as written. Returns false if some already were, so that each has to be compared.
    pub fn claim(&mut self, nest: &Nest, place: &AffineIndex) -> Result<bool, Irregular> {
        match self {
            Known::Proved => Ok(true),
            Known::Once(known) => {
                if nest.injective(place) && none(nest, place, known) {
                    mark(nest, place, known, true);
                    return Ok(true);
                }
                let mut fresh = |at: usize| !known.put(at);
                let once = nest.planes([place], |p| every(&p, &mut fresh));
                if once { Ok(true) } else { Err(Irregular) }
            }
            Known::Same(known, written) => {
                let fresh = nest.injective(place) && none(nest, place, known);
                if fresh {
                    mark(nest, place, known, true);
                    written.push(Written::Nest(*nest, *place));
                }
                Ok(fresh)
            }
        }
    }

    /// Writes one element, if that is allowed.
    pub fn write<T: Element>(&mut self, to: &mut To<'_, T>, at: usize, value: T) -> bool {
        let Some(old) = to.get(at) else { return false };
        match self {
            Known::Proved => {}
            Known::Once(known) => {
                if known.put(at) {
                    return false;
                }
            }
            Known::Same(known, written) => {
                if known.put(at) {
                    return old == value;
                }
                match written.last_mut() {
                    Some(Written::Run(_, end)) if *end == at => *end += 1,
                    _ => written.push(Written::Run(at, at + 1)),
                }
            }
        }
        match to {
            To::Cells(cells) => cells[at] = value,
            To::Expected(_) => return old == value,
            // Elements that are written one by one are no longer pieces.
            To::Pieces { bytes, .. } => match T::of_bytes_mut(bytes) {
                Some(cells) => cells[at] = value,
                None => return false,
            },
        }
        true
    }
}

/// Returns true if none of the elements is known.
fn none(nest: &Nest, place: &AffineIndex, known: &FixedBitSet) -> bool {
    nest.planes([place], |p| {
        rows(&p, |row| match row {
            Row::Dense(start, end) => !known.contains_any_in_range(start..end),
            Row::Sparse(row) => every(&row, &mut |at| !known.contains(at)),
        })
    })
}

/// Returns true if all of the elements are known.
pub(super) fn all(nest: &Nest, place: &AffineIndex, known: &FixedBitSet) -> bool {
    nest.planes([place], |p| {
        rows(&p, |row| match row {
            Row::Dense(start, end) => known.contains_all_in_range(start..end),
            Row::Sparse(row) => every(&row, &mut |at| known.contains(at)),
        })
    })
}

/// Marks the elements.
fn mark(nest: &Nest, place: &AffineIndex, known: &mut FixedBitSet, value: bool) {
    nest.planes([place], |p| {
        rows(&p, |row| match row {
            Row::Dense(start, end) => {
                known.set_range(start..end, value);
                true
            }
            Row::Sparse(row) => every(&row, &mut |at| {
                known.set(at, value);
                true
            }),
        })
    });
}

/// Undoes the writes.
pub(super) fn forget(written: &[Written], known: &mut FixedBitSet) {
    for w in written {
        match w {
            Written::Nest(nest, place) => mark(nest, place, known, false),
            Written::Run(start, end) => known.remove_range(*start..*end),
        }
    }
}

/// The elements of a row.
pub(super) enum Row {
    /// All elements from the first index up to, but not including, the second.
    Dense(usize, usize),
    /// Elements with others between them.
    Sparse(Plane<1>),
}

/// Calls `visit` on the rows of a plane, as long as it returns true.
pub(super) fn rows(p: &Plane<1>, mut visit: impl FnMut(Row) -> bool) -> bool {
    if p.col != [1] && p.cols > 1 {
        return visit(Row::Sparse(p.long()));
    }
    (0..p.rows).all(|r| {
        let [start] = p.at(r);
        visit(Row::Dense(start, start + p.cols))
    })
}

/// Calls `visit` on the elements of a plane, as long as it returns true.
pub(super) fn every(p: &Plane<1>, visit: &mut impl FnMut(usize) -> bool) -> bool {
    (0..p.rows).all(|r| {
        let mut at = p.at(r)[0];
        (0..p.cols).all(|_| {
            let here = at;
            at = at.wrapping_add_signed(p.col[0]);
            visit(here)
        })
    })
}
