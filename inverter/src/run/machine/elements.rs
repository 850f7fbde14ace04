//! The elements of an array that code reads: in memory, or as pieces.

use super::element::Element;
use super::halt::Irregular;
use super::nest::{AffineIndex, Nest};
use crate::run::bytes::{Bytes, Shared};
use crate::run::store::Cells;

/// The elements of an array.
#[derive(Debug, Clone, Copy)]
pub struct Elements<'a, T> {
    /// The elements in memory; empty if they are `bytes`.
    cells: &'a [T],
    bytes: Option<&'a Bytes>,
}

/// Elements in memory, some of which a nest reads.
pub(super) struct Resolved<'a, T> {
    pub(super) cells: &'a [T],
    pub(super) place: AffineIndex,
    /// The memory, if others refer to it as well.
    pub(super) memory: Option<&'a Shared>,
}

impl<'a, T: Element> Elements<'a, T> {
    /// Returns the elements of an array.
    ///
    /// # Errors
    ///
    /// Returns an error if they have another type.
    pub(super) fn of(cells: &'a Cells) -> Result<Self, Irregular> {
        match T::shared(cells) {
            Some(bytes) => Ok(Self { cells: &[], bytes: Some(bytes) }),
            None => Ok(Self { cells: T::slice(cells).ok_or(Irregular)?, bytes: None }),
        }
    }

    /// Returns the element at `at`; `None` if there is none.
    pub(super) fn get(&self, at: usize) -> Option<T> {
        match self.bytes {
            Some(bytes) => T::of_byte(bytes.byte(at)?),
            None => self.cells.get(at).copied(),
        }
    }

    /// Returns the bytes, if other arrays can refer to them.
    pub(super) fn bytes(&self) -> Option<&'a Bytes> {
        self.bytes
    }

    /// Returns all elements in memory.
    pub(super) fn all(&self) -> &'a [T] {
        match self.bytes {
            Some(bytes) => T::of_bytes(bytes).unwrap_or_default(),
            None => self.cells,
        }
    }

    /// Returns the elements at `place` in a nest, in memory.
    pub(super) fn resolved(&self, nest: &Nest, place: AffineIndex) -> Resolved<'a, T> {
        let found = self.bytes.and_then(|bytes| {
            let (memory, first) = bytes.contiguous(&nest.extent(&place))?;
            let cells = T::of_bytes(memory)?;
            Some(Resolved { cells, place: place.after(first), memory: Some(memory) })
        });
        found.unwrap_or_else(|| Resolved { cells: self.all(), place, memory: None })
    }
}

/// Elements to read, one per round.
#[derive(Debug, Clone, Copy)]
pub struct Lane<'a, T> {
    /// The array's elements.
    pub(super) elements: Elements<'a, T>,
    /// The positions of the elements that are read.
    pub place: AffineIndex,
}

impl<'a, T: Element> Lane<'a, T> {
    /// Returns the elements in memory.
    pub(super) fn resolved(&self, nest: &Nest) -> Resolved<'a, T> {
        self.elements.resolved(nest, self.place)
    }
}
