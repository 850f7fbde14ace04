//! C types, with the ranges and layouts of the LP64 data model (64-bit Linux).

use serde::{Deserialize, Serialize};

use super::{CompositeId, Place};

/// The rank of an integer type (C11, 6.3.1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntRank {
    /// `_Bool`.
    Bool,
    /// `char`, with or without a sign.
    Char,
    /// `short`.
    Short,
    /// `int`, and enumerations.
    Int,
    /// `long`.
    Long,
    /// `long long`.
    LongLong,
    /// 128 bits. No C type here has this size; it is for numbers of programs in other languages.
    Wide,
}

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IntType {
    /// The rank, which determines the size.
    pub rank: IntRank,
    /// True if values may be negative.
    pub signed: bool,
}

impl IntType {
    /// `_Bool`.
    pub const BOOL: Self = Self { rank: IntRank::Bool, signed: false };
    /// `unsigned char`, a byte.
    pub const BYTE: Self = Self { rank: IntRank::Char, signed: false };
    /// `int`.
    pub const INT: Self = Self { rank: IntRank::Int, signed: true };
    /// `unsigned int`.
    pub const UNSIGNED: Self = Self { rank: IntRank::Int, signed: false };
    /// `long`, also `ptrdiff_t`.
    pub const LONG: Self = Self { rank: IntRank::Long, signed: true };
    /// `unsigned long`, also `size_t`.
    pub const SIZE: Self = Self { rank: IntRank::Long, signed: false };
    /// Signed numbers of 128 bits.
    pub const WIDE: Self = Self { rank: IntRank::Wide, signed: true };

    /// The number of bits: 8, 16, 32, 64 or 128.
    pub fn bits(self) -> u32 {
        match self.rank {
            IntRank::Bool | IntRank::Char => 8,
            IntRank::Short => 16,
            IntRank::Int => 32,
            IntRank::Long | IntRank::LongLong => 64,
            IntRank::Wide => 128,
        }
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i128, i128) {
        match (self.rank, self.signed) {
            (IntRank::Bool, _) => (0, 1),
            // Unsigned numbers of 128 bits would not fit into the type used for calculations.
            (IntRank::Wide, _) => (i128::MIN, i128::MAX),
            (_, true) => (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1),
            (_, false) => (0, (1 << self.bits()) - 1),
        }
    }

    /// Returns true if the type has the value.
    pub fn contains(self, value: i128) -> bool {
        let (least, greatest) = self.range();
        (least..=greatest).contains(&value)
    }

    /// The value converted to the type (C11, 6.3.1.3): modulo 2^bits, and for `_Bool` 0 or 1.
    pub fn convert(self, value: i128) -> i128 {
        if self.rank == IntRank::Bool {
            return i128::from(value != 0);
        }
        if self.rank == IntRank::Wide {
            return value;
        }
        let low = value & ((1 << self.bits()) - 1);
        if self.signed && low >> (self.bits() - 1) != 0 { low - (1 << self.bits()) } else { low }
    }
}

/// A floating type. Calculations treat `long double` as `double`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloatType {
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`: 16 bytes.
    LongDouble,
}

/// A type of C without qualifiers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// `void`.
    Void,
    /// An integer type. Enumerations are `int` or `unsigned int`, as in gcc.
    Int(IntType),
    /// A floating type.
    Float(FloatType),
    /// A pointer.
    Pointer(Box<Type>),
    /// An array with its number of elements, if known.
    Array(Box<Type>, Option<u64>),
    /// A function.
    Function(Box<FunctionType>),
    /// A struct or a union.
    Composite(CompositeId),
}

impl Type {
    /// `int`.
    pub const INT: Self = Self::Int(IntType::INT);

    /// A pointer to the type.
    pub fn pointer(self) -> Self {
        Self::Pointer(Box::new(self))
    }

    /// The type to which a pointer points, or of which an array consists.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Self::Pointer(element) | Self::Array(element, _) => Some(element),
            _ => None,
        }
    }

    /// The integer type, if it is one.
    pub fn int(&self) -> Option<IntType> {
        match self {
            Self::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// Returns true for integers, floating types and pointers: values that fit into one expression.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Float(_) | Self::Pointer(_))
    }
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FunctionType {
    /// The type of its value.
    pub result: Type,
    /// The types of its parameters, in which arrays and functions are pointers.
    pub parameters: Vec<Type>,
    /// True if more arguments may follow (`...`) or the parameters are unspecified (`()`).
    pub variadic: bool,
}

/// A struct or a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompositeKind {
    /// Fields one after another.
    Struct,
    /// Fields in the same place.
    Union,
}

/// The bits of a bit-field, inside the storage unit at its field's offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bits {
    /// The lowest bit in a little-endian unit of the field's type.
    pub start: u32,
    /// The number of bits, at least 1.
    pub width: u32,
}

/// A field of a struct or union.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// Its name; empty for an unnamed struct or union, whose fields count as fields of the outer one.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Offset in bytes from the start of the composite.
    pub offset: u64,
    /// The bits, if it is a bit-field.
    pub bits: Option<Bits>,
}

/// A struct or union with its layout, as in the System V ABI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Composite {
    /// Struct or union.
    pub kind: CompositeKind,
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// The fields in the order of their declaration; empty if the type is incomplete.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// False if the program never declares the fields.
    pub complete: bool,
    /// The place of the declaration of its fields, or otherwise of its first mention.
    pub place: Option<Place>,
}
