//! Values of records while a program runs.

use fixedbitset::FixedBitSet;

use super::bytes::{Bytes, zeros};
use crate::program::eval::{Lookup, Undefined, eval};
use crate::program::{Expr, Field, FieldId, IntType, Length, RecordType, Ref, Span, VarId};

/// The elements of an array, stored in the width of their type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cells {
    U8(Bytes),
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
pub(super) use each;

impl Cells {
    /// `len` zeros.
    pub fn zeros(int: IntType, len: usize) -> Self {
        match int {
            IntType::U8 => Cells::U8(Bytes::zeros(len)),
            IntType::U16 => Cells::U16(zeros(len)),
            IntType::U32 => Cells::U32(zeros(len)),
            IntType::U64 => Cells::U64(zeros(len)),
            IntType::I8 => Cells::I8(zeros(len)),
            IntType::I16 => Cells::I16(zeros(len)),
            IntType::I32 => Cells::I32(zeros(len)),
            IntType::I64 => Cells::I64(zeros(len)),
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

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        each!(self, v => v.len())
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `at`.
    pub fn get(&self, at: usize) -> Option<i128> {
        if let Cells::U8(bytes) = self {
            return bytes.byte(at).map(i128::from);
        }
        each!(self, v => v.get(at).map(|n| i128::from(*n)))
    }

    /// Appends all elements to `out`.
    pub fn append_to(&self, out: &mut Vec<i128>) {
        each!(self, v => out.extend(v.iter().map(|n| i128::from(*n))));
    }

    /// Appends an element; returns false if the value does not fit.
    pub fn push(&mut self, value: i128) -> bool {
        each!(self, v => match value.try_into() {
            Ok(value) => {
                v.push(value);
                true
            }
            Err(_) => false,
        })
    }

    /// Sets the element at `at`; returns false if it does not exist or the value does not fit.
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

/// Returns the number of bytes of an element of this type.
pub(super) fn width(int: IntType) -> usize {
    let (least, most) = int.range();
    (most - least).ilog2() as usize / 8 + 1
}

impl Array {
    /// An array of bytes.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self { lengths: vec![bytes.len()], cells: Cells::U8(bytes.into()) }
    }

    /// An array of zeros; `None` if it would have more elements than memory can hold.
    pub fn zeros(int: IntType, lengths: Vec<usize>) -> Option<Self> {
        let len = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l))?;
        // Memory is reserved first, including a bit for each element, because a failed allocation would end the
        // process.
        let room = len.checked_mul(width(int))?.checked_add(len / 8)?;
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
pub enum FieldValue {
    /// A scalar.
    Scalar(i128),
    /// An array.
    Array(Array),
}

/// A record: the values of the fields of a [`RecordType`], in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The fields' values.
    pub fields: Vec<FieldValue>,
}

impl Record {
    /// Returns the number of scalars and elements of arrays.
    pub fn elements(&self) -> usize {
        let of = |field_value: &FieldValue| match field_value {
            FieldValue::Scalar(_) => 1,
            FieldValue::Array(array) => array.cells.len(),
        };
        self.fields.iter().map(of).sum()
    }

    /// Checks that it is a value of the record: its fields, their types, and the lengths that the record
    /// declares.
    ///
    /// # Errors
    ///
    /// The first mismatch, and the place where the field is declared.
    pub fn fits(&self, record: &RecordType) -> Result<(), (Span, String)> {
        if self.fields.len() != record.fields.len() {
            let (found, type_name) = (self.fields.len(), &record.type_name);
            return Err((Span::default(), format!("{found} fields are no {type_name}")));
        }
        for (f, field_value) in record.fields.iter().zip(&self.fields) {
            let why = match field_value {
                FieldValue::Scalar(n) if f.is_scalar() => {
                    let (lo, hi) = f.int.range();
                    let fits = (lo..=hi).contains(n);
                    (!fits).then(|| format!("{n} is not a {}", f.int))
                }
                FieldValue::Array(a)
                    if a.lengths.len() == f.lengths.len()
                        && a.cells.int() == f.int
                        && a.lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l))
                            == Some(a.cells.len()) =>
                {
                    self.misfit(f, a)
                }
                _ => Some("a value of another type".to_owned()),
            };
            if let Some(why) = why {
                return Err((f.span, format!("field `{}`: {why}", f.name)));
            }
        }
        Ok(())
    }

    /// Describes how an array's lengths differ from the declared ones.
    fn misfit(&self, f: &Field, array: &Array) -> Option<String> {
        f.lengths.iter().zip(&array.lengths).find_map(|(length, found)| match length {
            Length::Free => None,
            Length::Is(e) => match self.length(e) {
                Ok(n) if usize::try_from(n.max(0)) == Ok(*found) => None,
                Ok(n) => Some(format!("the length is {found}, not {}", n.max(0))),
                Err(why) => Some(format!("the length has no value: {why}")),
            },
        })
    }

    /// A declared length, which is computed from scalars.
    pub fn length(&self, e: &Expr) -> Result<i128, &'static str> {
        eval(&mut Scalars(self), e)
    }

    /// The scalar `name`.
    pub fn scalar(&self, record: &RecordType, name: &str) -> Option<i128> {
        match self.fields.get(record.field(name)?.0)? {
            FieldValue::Scalar(n) => Some(*n),
            FieldValue::Array(_) => None,
        }
    }

    /// The array `name`.
    pub fn array(&self, record: &RecordType, name: &str) -> Option<&Array> {
        match self.fields.get(record.field(name)?.0)? {
            FieldValue::Scalar(_) => None,
            FieldValue::Array(a) => Some(a),
        }
    }
}

/// The scalars of a record, from which declared lengths are computed.
struct Scalars<'a>(&'a Record);

impl Lookup for Scalars<'_> {
    type Stop = &'static str;

    fn var(&mut self, _: VarId) -> Result<i128, &'static str> {
        Err("it depends on a loop")
    }

    fn load(&mut self, r: &Ref) -> Result<i128, &'static str> {
        match self.0.fields.get(r.field.0) {
            Some(FieldValue::Scalar(n)) => Ok(*n),
            _ => Err("it depends on an array"),
        }
    }

    fn undefined(&self, why: Undefined) -> &'static str {
        why.message()
    }
}

/// A field under construction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Slot {
    /// No value yet.
    #[default]
    Unset,
    /// A scalar.
    Scalar(i128),
    /// An array, with a flag for each element that has a value; if there are no flags, all elements have values.
    Array(Array, FixedBitSet),
}

impl Slot {
    /// An array whose elements are all known, or all unknown.
    pub fn array(array: Array, known: bool) -> Self {
        let mut flags = FixedBitSet::with_capacity(array.cells.len());
        if known {
            flags.set_range(.., true);
        }
        Slot::Array(array, flags)
    }

    /// Returns its part of a cache key: the value of a scalar, if it has one. `None` for an array, which is never part
    /// of a key.
    pub fn key(&self) -> Option<Option<i128>> {
        match self {
            Slot::Array(..) => None,
            Slot::Scalar(n) => Some(Some(*n)),
            Slot::Unset => Some(None),
        }
    }

    /// Returns the number of elements; 0 for a scalar.
    pub fn cells(&self) -> usize {
        match self {
            Slot::Array(array, _) => array.cells.len(),
            Slot::Unset | Slot::Scalar(_) => 0,
        }
    }
}

/// A record under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The fields, in the record's order.
    pub slots: Vec<Slot>,
}

impl Store {
    /// Returns a record in which nothing is known.
    pub fn unset(record: &RecordType) -> Self {
        Self { slots: vec![Slot::Unset; record.fields.len()] }
    }

    /// Returns a copy of a record in which everything is known.
    pub fn full(value: &Record) -> Self {
        Self::whole(value.clone())
    }

    /// Converts a store in which everything is known; a scalar without a value counts as 0.
    pub fn into_record(self) -> Record {
        let field_value = |slot| match slot {
            Slot::Array(array, _) => FieldValue::Array(array),
            Slot::Scalar(n) => FieldValue::Scalar(n),
            Slot::Unset => FieldValue::Scalar(0),
        };
        Record { fields: self.slots.into_iter().map(field_value).collect() }
    }

    /// As [`full`](Self::full), without a copy.
    pub fn whole(value: Record) -> Self {
        let slot = |d: FieldValue| match d {
            FieldValue::Scalar(n) => Slot::Scalar(n),
            FieldValue::Array(a) => Slot::Array(a, FixedBitSet::new()),
        };
        Self { slots: value.fields.into_iter().map(slot).collect() }
    }

    /// Returns true if everything is known and equal to `value`.
    pub fn is(&self, value: &Record) -> bool {
        let same = |(slot, field_value): (&Slot, &FieldValue)| match (slot, field_value) {
            (Slot::Scalar(a), FieldValue::Scalar(b)) => a == b,
            (Slot::Array(a, known), FieldValue::Array(b)) => known.is_full() && a == b,
            _ => false,
        };
        self.slots.len() == value.fields.len() && self.slots.iter().zip(&value.fields).all(same)
    }

    /// The value, if everything is known.
    pub fn value(&self) -> Option<Record> {
        let field_value = |slot: &Slot| match slot {
            Slot::Unset => None,
            Slot::Scalar(n) => Some(FieldValue::Scalar(*n)),
            Slot::Array(a, known) => known.is_full().then(|| FieldValue::Array(a.clone())),
        };
        Some(Record { fields: self.slots.iter().map(field_value).collect::<Option<_>>()? })
    }

    /// The scalar of a field, if it is one and known.
    pub fn scalar(&self, field: FieldId) -> Option<i128> {
        match self.slots.get(field.0)? {
            Slot::Scalar(n) => Some(*n),
            _ => None,
        }
    }
}
