//! The assignment: the current values of input fields in one run of the inverse.
//!
//! [`Assignment::snapshot`] and [`Assignment::rollback`] provide transactions for all solvers: a solver that tries
//! values, and a check that must change nothing, roll back to where they started. A snapshot copies no array; it
//! records which fields had no value.

use crate::program::{Field, FieldId, RecordType};
use crate::run::store::{Slot, Store};

/// The values of input fields, and their origins.
#[derive(Debug)]
pub struct Assignment {
    /// The input record.
    pub input: Store,
    /// True for scalars that an ensure assigned, which an assignment in a branch may replace.
    pub by_ensure: Vec<bool>,
    /// One past the last element in use of each array, once a layout has fixed it.
    pub ends: Vec<Option<i128>>,
}

/// A state of an [`Assignment`] to roll back to.
#[derive(Debug)]
pub struct Snapshot {
    unset: Vec<bool>,
    by_ensure: Vec<bool>,
    ends: Vec<Option<i128>>,
}

impl Assignment {
    /// Creates an assignment of the values that `input` has.
    pub fn new(input: Store) -> Self {
        let count = input.slots.len();
        Self { input, by_ensure: vec![false; count], ends: vec![None; count] }
    }

    /// Records which fields have no value yet.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            unset: self.input.slots.iter().map(|slot| *slot == Slot::Unset).collect(),
            by_ensure: self.by_ensure.clone(),
            ends: self.ends.clone(),
        }
    }

    /// Removes the fields that were set since the snapshot.
    pub fn rollback(&mut self, snapshot: &Snapshot) {
        for (slot, unset) in self.input.slots.iter_mut().zip(&snapshot.unset) {
            if *unset {
                *slot = Slot::Unset;
            }
        }
        self.by_ensure.clone_from(&snapshot.by_ensure);
        self.ends.clone_from(&snapshot.ends);
    }

    /// Returns true if the field has no value yet.
    pub fn is_unset(&self, field: FieldId) -> bool {
        self.input.slots[field] == Slot::Unset
    }

    /// Returns the value of a scalar, if it has one.
    pub fn scalar(&self, field: FieldId) -> Option<i128> {
        self.input.scalar(field)
    }

    /// Assigns a scalar on behalf of an ensure.
    pub fn assign(&mut self, field: FieldId, value: i128) {
        self.input.slots[field] = Slot::Scalar(value);
        self.by_ensure[field] = true;
    }

    /// Assigns elements, given by their positions among the cells, of an array that is allocated.
    pub fn assign_elements(
        &mut self,
        field: FieldId,
        elements: impl IntoIterator<Item = (usize, i128)>,
    ) {
        let Slot::Array(array, known) = &mut self.input.slots[field] else { return };
        for (at, value) in elements {
            array.cells.set(at, value);
            known.insert(at);
        }
    }

    /// Returns the scalars, with 0 for each array, if each scalar has a value and no array is allocated.
    pub fn all_scalars(&self, record: &RecordType) -> Option<Vec<i128>> {
        let value = |(slot, f): (&Slot, &Field)| match slot.key()? {
            None if !f.is_scalar() => Some(0),
            n => n,
        };
        self.input.slots.iter().zip(&record.fields).map(value).collect()
    }
}
