//! Values of records while a program runs.

use crate::program::{IntType, Record};

/// The elements of an array, in their own width.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cells {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

macro_rules! each {
    ($cells:expr, $v:ident => $body:expr) => {
        match $cells {
            Cells::U8($v) => $body,
            Cells::U16($v) => $body,
            Cells::U32($v) => $body,
            Cells::U64($v) => $body,
            Cells::I8($v) => $body,
            Cells::I16($v) => $body,
            Cells::I32($v) => $body,
            Cells::I64($v) => $body,
        }
    };
}

impl Cells {
    /// `len` zeros.
    pub fn zeros(int: IntType, len: usize) -> Self {
        match int {
            IntType::U8 => Cells::U8(vec![0; len]),
            IntType::U16 => Cells::U16(vec![0; len]),
            IntType::U32 => Cells::U32(vec![0; len]),
            IntType::U64 => Cells::U64(vec![0; len]),
            IntType::I8 => Cells::I8(vec![0; len]),
            IntType::I16 => Cells::I16(vec![0; len]),
            IntType::I32 => Cells::I32(vec![0; len]),
            IntType::I64 => Cells::I64(vec![0; len]),
        }
    }

    /// The type of the elements.
    pub fn int(&self) -> IntType {
        match self {
            Cells::U8(_) => IntType::U8,
            Cells::U16(_) => IntType::U16,
            Cells::U32(_) => IntType::U32,
            Cells::U64(_) => IntType::U64,
            Cells::I8(_) => IntType::I8,
            Cells::I16(_) => IntType::I16,
            Cells::I32(_) => IntType::I32,
            Cells::I64(_) => IntType::I64,
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        each!(self, v => v.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `at`.
    pub fn get(&self, at: usize) -> Option<i128> {
        each!(self, v => v.get(at).map(|n| i128::from(*n)))
    }

    /// Sets the element at `at`; false if there is none or the value does not fit.
    pub fn set(&mut self, at: usize, value: i128) -> bool {
        each!(self, v => match (v.get_mut(at), value.try_into()) {
            (Some(cell), Ok(value)) => {
                *cell = value;
                true
            }
            _ => false,
        })
    }
}

/// An array of one to three dimensions, in row-major order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// The lengths of the dimensions, outermost first.
    pub lengths: Vec<usize>,
    /// The elements.
    pub cells: Cells,
}

impl Array {
    /// An array of bytes.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self { lengths: vec![bytes.len()], cells: Cells::U8(bytes) }
    }

    /// An array of zeros; `None` if it would have more elements than memory can hold.
    pub fn zeros(int: IntType, lengths: Vec<usize>) -> Option<Self> {
        let len = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l))?;
        let (lo, hi) = int.range();
        let width = (hi - lo).ilog2() as usize / 8 + 1;
        // Asked for first, with room for what is noted of each: otherwise the process ends.
        let room = len.checked_mul(width + 1)?;
        Vec::<u8>::new().try_reserve_exact(room).ok()?;
        Some(Self { cells: Cells::zeros(int, len), lengths })
    }

    /// The place of the element at `index` among the cells.
    pub fn place(&self, index: &[i128]) -> Option<usize> {
        let mut at = 0usize;
        for (i, length) in index.iter().zip(&self.lengths) {
            let i = usize::try_from(*i).ok().filter(|i| i < length)?;
            at = at * length + i;
        }
        Some(at)
    }
}

/// A field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum {
    /// A scalar.
    Scalar(i128),
    /// An array.
    Array(Array),
}

/// A record's value: one datum a field, in the record's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The fields' values.
    pub fields: Vec<Datum>,
}

impl Value {
    /// The scalar `name`.
    pub fn scalar(&self, record: &Record, name: &str) -> Option<i128> {
        match self.fields.get(record.field(name)?)? {
            Datum::Scalar(n) => Some(*n),
            Datum::Array(_) => None,
        }
    }

    /// The array `name`.
    pub fn array(&self, record: &Record, name: &str) -> Option<&Array> {
        match self.fields.get(record.field(name)?)? {
            Datum::Scalar(_) => None,
            Datum::Array(a) => Some(a),
        }
    }
}

/// A field in the making.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Slot {
    /// Nothing yet.
    #[default]
    Unset,
    /// A scalar.
    Scalar(i128),
    /// An array, with which of its elements have their value.
    Array(Array, Vec<bool>),
}

/// A record in the making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The fields, in the record's order.
    pub slots: Vec<Slot>,
}

impl Store {
    /// Nothing is known.
    pub fn unset(record: &Record) -> Self {
        Self { slots: vec![Slot::Unset; record.fields.len()] }
    }

    /// Everything is known.
    pub fn full(value: &Value) -> Self {
        let slot = |d: &Datum| match d {
            Datum::Scalar(n) => Slot::Scalar(*n),
            Datum::Array(a) => Slot::Array(a.clone(), vec![true; a.cells.len()]),
        };
        Self { slots: value.fields.iter().map(slot).collect() }
    }

    /// The scalar of a field, if it is one and known.
    pub fn scalar(&self, field: usize) -> Option<i128> {
        match self.slots.get(field)? {
            Slot::Scalar(n) => Some(*n),
            _ => None,
        }
    }
}
