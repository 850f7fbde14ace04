//! Classes: inputs that agree on everything that a program reads from them.

use std::collections::BTreeMap;

use crate::program::eval::eval_with;
use crate::program::{FieldId, Length, Program, Span};
use crate::run::outputs::Reservation;
use crate::run::store::{Array, FieldValue, Record};

/// A scalar, or an element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element {
    /// The field.
    pub field: FieldId,
    /// Its index; 0 for a scalar's and for missing dimensions.
    pub index: [i128; 3],
}

/// A read outside an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outside {
    /// The element, which does not exist.
    pub element: Element,
    /// The dimension in which the index is outside.
    pub dimension: usize,
    /// The length of the array in that dimension; `None` if any length is possible.
    pub length: Option<i128>,
    /// The place of the reference.
    pub span: Span,
}

impl Element {
    /// A scalar.
    pub fn scalar(field: FieldId) -> Self {
        Self { field, index: [0; 3] }
    }

    /// Returns its value in `value`; `None` if it is outside its array.
    pub fn of(&self, value: &Record) -> Option<i128> {
        match &value.fields[self.field] {
            FieldValue::Scalar(n) => Some(*n),
            FieldValue::Array(a) => {
                a.place(&self.index[..a.lengths.len()]).and_then(|at| a.cells.get(at))
            }
        }
    }

    /// Returns its name, in an array with this number of dimensions: `place[1]`.
    pub fn name(&self, field: &str, dimensions: usize) -> String {
        let index: String = self.index[..dimensions].iter().map(|i| format!("[{i}]")).collect();
        format!("{field}{index}")
    }
}

/// Inputs that agree on everything that the program reads from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Class {
    /// The values of the scalars and elements that are read.
    pub known: BTreeMap<Element, i128>,
    /// Reserved elements.
    pub reserved: Vec<Reservation>,
}

impl Class {
    /// Returns the least input of the class: arrays as short as possible, zeros where nothing is read.
    pub fn value(&self, program: &Program) -> Option<Record> {
        let scalar = |field: FieldId| {
            let (lo, _) = program.input.fields[field].int.range();
            self.known.get(&Element::scalar(field)).copied().unwrap_or(lo.max(0))
        };
        let mut fields = Vec::new();
        for (field, f) in program.input.indexed() {
            if f.is_scalar() {
                fields.push(FieldValue::Scalar(scalar(field)));
                continue;
            }
            let own = || self.known.iter().filter(|(e, _)| e.field == field);
            let mut lengths = Vec::new();
            for (k, l) in f.lengths.iter().enumerate() {
                let n = match l {
                    Length::Is(e) => eval_with(e, |r| Some(scalar(r.field)))?.max(0),
                    Length::Free => {
                        let used = own().map(|(e, _)| e.index[k] + 1).max().unwrap_or(0);
                        let ends = self.reserved.iter().filter(|r| r.field == field).map(|r| r.end);
                        ends.fold(used, i128::max)
                    }
                };
                lengths.push(usize::try_from(n).ok().filter(|n| *n <= 1 << 24)?);
            }
            let mut array = Array::zeros(f.int, lengths)?;
            for (e, n) in own() {
                let at = array.place(&e.index[..f.lengths.len()])?;
                array.cells.set(at, *n);
            }
            fields.push(FieldValue::Array(array));
        }
        Some(Record { fields })
    }

    /// Returns true if `x` is in the class, with arrays as long as those of `least`.
    pub fn contains(&self, x: &Record, least: &Record) -> bool {
        let lengths = x.fields.iter().zip(&least.fields).all(|(a, b)| match (a, b) {
            (FieldValue::Array(a), FieldValue::Array(b)) => a.lengths == b.lengths,
            (FieldValue::Scalar(_), FieldValue::Scalar(_)) => true,
            _ => false,
        });
        lengths && self.known.iter().all(|(e, n)| e.of(x) == Some(*n))
    }

    /// Lists the relevant scalars and elements, up to this number, in the spec's names: `rows = 2, place[1] = 0`.
    pub fn describe(&self, program: &Program, most: usize) -> String {
        let name = |e: &Element| {
            let f = &program.input.fields[e.field];
            e.name(&f.name, f.lengths.len())
        };
        let mut parts: Vec<String> =
            self.known.iter().take(most).map(|(e, n)| format!("{} = {n}", name(e))).collect();
        if self.known.len() > most {
            parts.push("…".to_owned());
        }
        if parts.is_empty() { "any input".to_owned() } else { parts.join(", ") }
    }
}
