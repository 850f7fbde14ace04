//! The frame of the code of a statement of an inverse: the canonical value, the representation under construction, and
//! a log with which the statement can be undone.

use super::budget::Budget;
use super::element::Element;
use super::elements::{Elements, Lane};
use super::halt::{Halt, Irregular};
use super::nest::Nest;
use super::target::{Known, Target, To, Written, all, forget};
use crate::program::FieldId;
use crate::run::store::{Array, Slot, Store};

/// An array whose elements all have values.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a, T> {
    pub(super) lengths: &'a [usize],
    pub(super) elements: Elements<'a, T>,
}

impl<'a, T: Element> Source<'a, T> {
    /// A whole array.
    ///
    /// # Errors
    ///
    /// Returns an error if it has elements of another type.
    pub fn of(array: &'a Array) -> Result<Self, Irregular> {
        Ok(Self { lengths: &array.lengths, elements: Elements::of(&array.cells)? })
    }

    /// The array of a fully known value.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not an array of such elements.
    pub fn whole(store: &'a Store, field: FieldId) -> Result<Self, Irregular> {
        match store.slots.get(field.0) {
            Some(Slot::Array(array, _)) => Self::of(array),
            _ => Err(Irregular),
        }
    }

    /// The elements to which `index` refers in the nest, as in [`Nest::affine_index`].
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is outside.
    pub fn at(&self, nest: &Nest, index: &[&[i128]]) -> Result<Lane<'a, T>, Irregular> {
        Ok(Lane { elements: self.elements, place: nest.affine_index(self.lengths, index)? })
    }
}

/// The place of an element among an array's cells.
pub(super) fn place(lengths: &[usize], index: &[i128]) -> Result<usize, Irregular> {
    let mut at = 0;
    for (i, length) in index.iter().zip(lengths) {
        let i = usize::try_from(*i).ok().filter(|i| i < length).ok_or(Irregular)?;
        at = at * length + i;
    }
    Ok(at)
}

/// The data of a statement of an inverse.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The canonical value.
    pub given: &'a Store,
    input: &'a mut Store,
    /// Scalars that an ensure assigned; an assignment may assign them again.
    by_ensure: &'a mut [bool],
    /// The rounds and bytes that the statement may still use.
    pub budget: Budget,
    log: Log,
}

/// The writes of a statement, with which it can be undone.
#[derive(Debug, Default)]
pub struct Log {
    written: Vec<(FieldId, Vec<Written>)>,
    /// Scalars with their previous values.
    settled: Vec<(FieldId, Slot, bool)>,
}

impl Log {
    /// Returns the writes to an array.
    fn of(&mut self, field: FieldId) -> &mut Vec<Written> {
        let at = match self.written.iter().position(|(f, _)| *f == field) {
            Some(at) => at,
            None => {
                self.written.push((field, Vec::new()));
                self.written.len() - 1
            }
        };
        &mut self.written[at].1
    }
}

impl<'a> Frame<'a> {
    /// A frame in which the writes of `log` were already made.
    pub(in crate::run) fn new(
        given: &'a Store,
        input: &'a mut Store,
        by_ensure: &'a mut [bool],
        left: u64,
        log: Log,
    ) -> Self {
        Self { given, input, by_ensure, budget: Budget::rounds_left(left), log }
    }

    /// Returns the number of rounds so far.
    pub(in crate::run) fn rounds(&self) -> u64 {
        self.budget.used()
    }

    /// Returns the log, with which a later frame can continue.
    pub(in crate::run) fn into_log(self) -> Log {
        self.log
    }

    /// Undoes the statement.
    pub(in crate::run) fn take_back(&mut self) {
        for (field, written) in std::mem::take(&mut self.log.written) {
            if let Some(Slot::Array(_, known)) = self.input.slots.get_mut(field.0) {
                forget(&written, known);
            }
        }
        for (field, slot, by_ensure) in self.log.settled.drain(..).rev() {
            self.input.slots[field] = slot;
            self.by_ensure[field.0] = by_ensure;
        }
    }

    /// A scalar of the representation.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value yet.
    pub fn scalar(&self, field: FieldId) -> Result<i128, Halt> {
        self.input.scalar(field).ok_or(Halt::Irregular)
    }

    /// An element of the representation.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not exist, or has no value yet.
    pub fn get(&self, field: FieldId, index: &[i128]) -> Result<i128, Halt> {
        let Some(Slot::Array(array, known)) = self.input.slots.get(field.0) else {
            return Err(Halt::Irregular);
        };
        let at = place(&array.lengths, index)?;
        if !known.contains(at) {
            return Err(Halt::Irregular);
        }
        array.cells.get(at).ok_or(Halt::Irregular)
    }

    /// Assigns a value to a scalar.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not fit, or the scalar already has a different value.
    pub fn settle(&mut self, field: FieldId, range: (i128, i128), value: i128) -> Result<(), Halt> {
        let old = self.input.slots.get_mut(field.0).ok_or(Halt::Irregular)?;
        let by_ensure = &mut self.by_ensure[field.0];
        let clash = matches!(old, Slot::Scalar(n) if *n != value && !*by_ensure);
        if clash || value < range.0 || value > range.1 {
            return Err(Halt::Irregular);
        }
        let old = std::mem::replace(old, Slot::Scalar(value));
        self.log.settled.push((field, old, std::mem::take(by_ensure)));
        Ok(())
    }

    /// Assigns a value to an element.
    ///
    /// # Errors
    ///
    /// Returns an error if the array has to be allocated first, the value does not fit, or the element already has a
    /// different value.
    pub fn set<T: Element>(
        &mut self,
        field: FieldId,
        index: &[i128],
        value: i128,
    ) -> Result<(), Halt> {
        let written = self.log.of(field);
        match self.input.slots.get_mut(field.0) {
            Some(Slot::Array(array, known)) => {
                let at = place(&array.lengths, index)?;
                let value = T::try_from(value).map_err(|_| Halt::Irregular)?;
                let cells = T::slice_mut(&mut array.cells).ok_or(Halt::Irregular)?;
                match Known::Same(known, written).write(&mut To::Cells(cells), at, value) {
                    true => Ok(()),
                    false => Err(Halt::Irregular),
                }
            }
            Some(Slot::Unset) => Err(Halt::Allocate(field)),
            _ => Err(Halt::Irregular),
        }
    }

    /// Calls `write` with an array of the representation. Until `write` returns, the frame does not contain this array.
    ///
    /// # Errors
    ///
    /// Returns an error if the array has to be allocated first; and the errors of `write`.
    pub fn write<T: Element>(
        &mut self,
        field: FieldId,
        write: impl FnOnce(&Self, Target<'_, T>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let slot = match self.input.slots.get_mut(field.0) {
            Some(Slot::Unset) => return Err(Halt::Allocate(field)),
            Some(slot @ Slot::Array(..)) => std::mem::take(slot),
            _ => return Err(Halt::Irregular),
        };
        let Slot::Array(mut array, mut known) = slot else { return Err(Halt::Irregular) };
        let mut written = Vec::new();
        let result = match To::of(&mut array.cells, true) {
            Some(to) => {
                let known = Known::Same(&mut known, &mut written);
                write(self, Target { lengths: &array.lengths, to, known })
            }
            None => Err(Halt::Irregular),
        };
        self.input.slots[field] = Slot::Array(array, known);
        self.log.of(field).append(&mut written);
        result
    }

    /// Elements of the representation to read in a nest, as in [`Nest::affine_index`].
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is outside its array, or has no value yet.
    pub fn at<T: Element>(
        &self,
        field: FieldId,
        nest: &Nest,
        index: &[&[i128]],
    ) -> Result<Lane<'_, T>, Halt> {
        let Some(Slot::Array(array, known)) = self.input.slots.get(field.0) else {
            return Err(Halt::Irregular);
        };
        let lane = Source::of(array)?.at(nest, index)?;
        if all(nest, &lane.place, known) { Ok(lane) } else { Err(Halt::Irregular) }
    }
}
