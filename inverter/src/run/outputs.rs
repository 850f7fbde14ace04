//! Rules of the language that both the interpreter and explorations enforce, with their messages: outputs are assigned
//! once, after the scalars that fix their lengths; reservations do not overlap.

use std::fmt::Display;

use crate::program::{Field, FieldId};

/// Returns the message that an output array is used before its lengths have values.
pub fn lengths_unassigned(f: &Field) -> String {
    format!("the lengths of {} are not assigned before it", f.name)
}

/// Returns the message that an output location is assigned twice.
pub fn assigned_twice(location: impl Display) -> String {
    format!("{location} is assigned twice")
}

/// Returns the message that an output location is never assigned.
pub fn never_assigned(location: impl Display) -> String {
    format!("{location} is never assigned")
}

/// Elements of an input array that the spec reserves, from `start` to below `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reservation {
    /// The array, of one dimension.
    pub field: FieldId,
    /// The first element.
    pub start: i128,
    /// One past the last element.
    pub end: i128,
}

impl Reservation {
    /// The reservation of `start..end`; `None` if that is empty.
    pub fn of(field: FieldId, start: i128, end: i128) -> Option<Self> {
        (start < end).then_some(Self { field, start, end })
    }

    /// Returns true if the element is reserved.
    pub fn contains(&self, field: FieldId, at: i128) -> bool {
        self.field == field && (self.start..self.end).contains(&at)
    }
}

/// Returns the first of `sorted` that overlaps the previous one.
pub fn overlapping<T>(sorted: &[T], reservation: impl Fn(&T) -> &Reservation) -> Option<&T> {
    let overlap = |pair: &[T]| {
        let (a, b) = (reservation(&pair[0]), reservation(&pair[1]));
        a.field == b.field && b.start < a.end
    };
    sorted.windows(2).find(|pair| overlap(pair)).map(|pair| &pair[1])
}
