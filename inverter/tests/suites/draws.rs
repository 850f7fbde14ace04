//! The number of draws of a value.

use inverter::run::{FieldValue, Record};

/// The number of elements that are many.
const MANY: usize = 500;

/// The number of draws of a value with few elements, and of one with many.
#[derive(Clone, Copy)]
pub struct Draws {
    pub few: u64,
    pub many: u64,
}

impl Draws {
    /// The number of draws of this value.
    pub fn of(self, y: &Record) -> u64 {
        if size(y) < MANY { self.few } else { self.many }
    }
}

/// The number of scalars and elements of a value.
pub fn size(y: &Record) -> usize {
    let of = |f: &FieldValue| match f {
        FieldValue::Scalar(_) => 1,
        FieldValue::Array(a) => a.cells.len(),
    };
    y.fields.iter().map(of).sum()
}
