//! The data on which code runs: a representation and the canonical value under construction, or vice versa, or a
//! canonical value alone.

use std::collections::BTreeSet;

use super::budget::Budget;
use super::code::ArrayRef;
use super::elements::Lane;
use super::frame::{Frame, Source};
use super::halt::{Halt, Irregular};
use super::lanes::{AnyLane, AnyOutput, Cell, each_output, typed};
use super::nest::Nest;
use super::output::{Output, Reads, Scalar};
use super::target::Target;
use crate::program::{Field, FieldId, Program};
use crate::run::store::{Array, FieldValue, Record, Slot, Store};

/// Arrays whose elements are read.
pub(super) trait Arrays {
    /// Returns the array of the given side.
    fn given_array(&self, field: FieldId) -> Option<&Array>;

    /// Returns an element of the given side.
    fn element(&self, field: FieldId, index: &[i128]) -> Result<i128, Halt> {
        let given = self.given_array(field).ok_or(Irregular)?;
        let at = given.place(index).ok_or(Irregular)?;
        given.cells.get(at).ok_or(Halt::Irregular)
    }

    /// Returns the elements to which `index` refers in the nest.
    fn lane<T: Cell>(
        &self,
        array: ArrayRef,
        nest: &Nest,
        index: &[&[i128]],
    ) -> Result<Lane<'_, T>, Halt> {
        match array.own {
            true => Err(Halt::Irregular),
            false => {
                let given = self.given_array(array.field).ok_or(Irregular)?;
                Ok(Source::of(given)?.at(nest, index)?)
            }
        }
    }

    /// Returns the elements to which `index` refers in the nest, of any type.
    fn any_lane(
        &self,
        array: ArrayRef,
        nest: &Nest,
        index: &[&[i128]],
    ) -> Result<AnyLane<'_>, Halt> {
        typed!(array.int, T => Ok(T::any(self.lane::<T>(array, nest, index)?)))
    }
}

impl Arrays for Record {
    fn given_array(&self, field: FieldId) -> Option<&Array> {
        match self.fields.get(field.0) {
            Some(FieldValue::Array(array)) => Some(array),
            _ => None,
        }
    }
}

impl Arrays for Store {
    fn given_array(&self, field: FieldId) -> Option<&Array> {
        match self.slots.get(field.0) {
            Some(Slot::Array(array, _)) => Some(array),
            _ => None,
        }
    }
}

impl Arrays for Frame<'_> {
    fn given_array(&self, field: FieldId) -> Option<&Array> {
        self.given.given_array(field)
    }

    fn lane<T: Cell>(
        &self,
        array: ArrayRef,
        nest: &Nest,
        index: &[&[i128]],
    ) -> Result<Lane<'_, T>, Halt> {
        match array.own {
            true => self.at(array.field, nest, index),
            false => self.given.lane(array, nest, index),
        }
    }
}

/// The data on which code runs.
pub(super) trait Host {
    /// The arrays that are read while another one is written.
    type Arrays: Arrays;

    fn arrays(&self) -> &Self::Arrays;
    fn budget(&mut self) -> &mut Budget;
    /// Returns a scalar of the given side.
    fn given(&self, field: FieldId) -> Option<i128>;

    /// Returns an element.
    fn load(&self, array: ArrayRef, index: &[i128]) -> Result<i128, Halt> {
        match array.own {
            true => Err(Halt::Irregular),
            false => self.arrays().element(array.field, index),
        }
    }

    /// Returns a scalar of the side that is written.
    fn own(&self, _: FieldId) -> Result<i128, Halt> {
        Err(Halt::Irregular)
    }

    /// Assigns a scalar.
    fn settle(&mut self, _: FieldId, _: (i128, i128), _: i128) -> Result<(), Halt> {
        Err(Halt::Irregular)
    }

    /// Assigns an element.
    fn store(&mut self, _: ArrayRef, _: &[i128], _: i128) -> Result<(), Halt> {
        Err(Halt::Irregular)
    }

    /// Returns true if an output array is allocated.
    fn is_allocated(&self, _: FieldId) -> bool {
        false
    }

    /// Allocates an output array.
    fn allocate(&mut self, _: FieldId, _: &[i128]) -> Result<(), Halt> {
        Err(Halt::Irregular)
    }

    /// Records that an element is read.
    fn note(&mut self, _: ArrayRef, _: &[i128]) {}

    /// Records that elements are read.
    fn note_lane(&mut self, _: ArrayRef, _: &Nest, _: &[&[i128]]) -> Result<(), Halt> {
        Ok(())
    }

    /// Records that elements are reserved.
    fn reserve(&mut self, _: FieldId, _: i128, _: i128) {}

    /// Calls `write` with an array that is written.
    fn write<T: Cell>(
        &mut self,
        _: FieldId,
        _: impl FnOnce(&Self::Arrays, Target<'_, T>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        Err(Halt::Irregular)
    }
}

/// The normalization of a representation.
pub(super) struct Forward<'a> {
    given: &'a Record,
    scalars: Vec<Scalar>,
    /// The arrays, by their fields.
    arrays: Vec<Option<AnyOutput<'a>>>,
    /// The reads and reservations of each input; used only for inputs with reservations.
    reads: Vec<Reads>,
    budget: Budget,
}

impl<'a> Forward<'a> {
    /// Starts with nothing assigned. If there is an expected value, arrays are compared with its arrays.
    ///
    /// # Errors
    ///
    /// Returns an error if that has other arrays.
    pub fn new(
        program: &Program,
        proved: &BTreeSet<FieldId>,
        given: &'a Record,
        expected: Option<&'a Store>,
        budget: Budget,
    ) -> Result<Self, Irregular> {
        let array = |(field, f): (FieldId, &Field)| {
            let proved = proved.contains(&field);
            let output =
                || typed!(f.int, T => Output::<T>::new(proved, expected, field).map(T::wrap));
            (!f.is_scalar()).then(output).transpose()
        };
        Ok(Self {
            given,
            scalars: program.output.fields.iter().map(|_| Scalar::default()).collect(),
            arrays: program.output.indexed().map(array).collect::<Result<_, _>>()?,
            reads: program.input.fields.iter().map(|_| Reads::default()).collect(),
            budget,
        })
    }

    /// Returns the canonical value, without elements if it was compared.
    ///
    /// # Errors
    ///
    /// Returns an error if something is not assigned, or reservations do not hold.
    pub fn into_record(self) -> Result<Record, Irregular> {
        for (reads, value) in self.reads.into_iter().zip(&self.given.fields) {
            if let FieldValue::Array(array) = value {
                reads.check(array.cells.len())?;
            }
        }
        let field = |(scalar, array): (Scalar, Option<AnyOutput<'_>>)| match array {
            Some(array) => each_output!(array, output => output.field_value()),
            None => scalar.field_value(),
        };
        let fields = self.scalars.into_iter().zip(self.arrays).map(field);
        Ok(Record { fields: fields.collect::<Result<_, _>>()? })
    }
}

impl Host for Forward<'_> {
    type Arrays = Record;

    fn arrays(&self) -> &Record {
        self.given
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn given(&self, field: FieldId) -> Option<i128> {
        match self.given.fields.get(field.0) {
            Some(FieldValue::Scalar(n)) => Some(*n),
            _ => None,
        }
    }

    fn own(&self, field: FieldId) -> Result<i128, Halt> {
        Ok(self.scalars[field.0].get()?)
    }

    fn settle(&mut self, field: FieldId, range: (i128, i128), value: i128) -> Result<(), Halt> {
        Ok(self.scalars[field.0].assign(range, value)?)
    }

    fn store(&mut self, array: ArrayRef, index: &[i128], value: i128) -> Result<(), Halt> {
        let output = self.arrays[array.field.0].as_mut().ok_or(Irregular)?;
        Ok(each_output!(output, output => output.assign(index, value))?)
    }

    fn is_allocated(&self, field: FieldId) -> bool {
        let output = self.arrays[field.0].as_ref();
        output.is_some_and(|any| each_output!(any, output => output.is_allocated()))
    }

    fn allocate(&mut self, field: FieldId, lengths: &[i128]) -> Result<(), Halt> {
        let output = self.arrays[field.0].as_mut().ok_or(Irregular)?;
        let budget = &mut self.budget;
        Ok(each_output!(output, output => output.allocate(budget, || Ok(lengths)))?)
    }

    fn note(&mut self, array: ArrayRef, index: &[i128]) {
        let place = || self.given.given_array(array.field).and_then(|a| a.place(index));
        self.reads[array.field.0].one(|| place().ok_or(Irregular));
    }

    fn note_lane(&mut self, array: ArrayRef, nest: &Nest, index: &[&[i128]]) -> Result<(), Halt> {
        typed!(array.int, T => {
            let lane = self.given.lane::<T>(array, nest, index)?;
            self.reads[array.field.0].nest(nest, &lane);
        });
        Ok(())
    }

    fn reserve(&mut self, field: FieldId, start: i128, end: i128) {
        self.reads[field.0].reserve(start, end);
    }

    fn write<T: Cell>(
        &mut self,
        field: FieldId,
        write: impl FnOnce(&Record, Target<'_, T>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let output = self.arrays[field.0].as_mut().and_then(T::output).ok_or(Irregular)?;
        write(self.given, output.target()?)
    }
}

impl<'a> Host for Frame<'a> {
    type Arrays = Self;

    fn arrays(&self) -> &Self {
        self
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn given(&self, field: FieldId) -> Option<i128> {
        self.given.scalar(field)
    }

    fn load(&self, array: ArrayRef, index: &[i128]) -> Result<i128, Halt> {
        match array.own {
            true => self.get(array.field, index),
            false => self.element(array.field, index),
        }
    }

    fn own(&self, field: FieldId) -> Result<i128, Halt> {
        self.scalar(field)
    }

    fn settle(&mut self, field: FieldId, range: (i128, i128), value: i128) -> Result<(), Halt> {
        Frame::settle(self, field, range, value)
    }

    fn store(&mut self, array: ArrayRef, index: &[i128], value: i128) -> Result<(), Halt> {
        typed!(array.int, T => self.set::<T>(array.field, index, value))
    }

    fn write<T: Cell>(
        &mut self,
        field: FieldId,
        write: impl FnOnce(&Self, Target<'_, T>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        Frame::write(self, field, write)
    }
}

/// A canonical value for which conditions are decided.
pub(super) struct Conditions<'a> {
    given: &'a Store,
    budget: Budget,
}

impl<'a> Conditions<'a> {
    /// Begins with the canonical value.
    pub fn new(given: &'a Store) -> Self {
        Self { given, budget: Budget::over(given) }
    }
}

impl Host for Conditions<'_> {
    type Arrays = Store;

    fn arrays(&self) -> &Store {
        self.given
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn given(&self, field: FieldId) -> Option<i128> {
        self.given.scalar(field)
    }
}
