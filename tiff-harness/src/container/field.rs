//! Field types and values (TIFF 6.0, section 2, types).

use std::fmt;

use super::ByteOrder;

/// The type of an entry's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// 1: 8 bits, unsigned.
    Byte,
    /// 2: text; each string ends with a NUL that the count includes.
    Ascii,
    /// 3: 16 bits, unsigned.
    Short,
    /// 4: 32 bits, unsigned.
    Long,
    /// 5: two LONGs: numerator, denominator.
    Rational,
    /// 6: 8 bits, signed.
    SByte,
    /// 7: bytes with an application-defined meaning.
    Undefined,
    /// 8: 16 bits, signed.
    SShort,
    /// 9: 32 bits, signed.
    SLong,
    /// 10: two SLONGs: numerator, denominator.
    SRational,
    /// 11: IEEE single precision.
    Float,
    /// 12: IEEE double precision.
    Double,
    /// 13: the offset of a directory (Adobe PageMaker 6.0 TIFF technical notes, note 1).
    Ifd,
    /// 16: 64 bits, unsigned (BigTIFF).
    Long8,
    /// 17: 64 bits, signed (BigTIFF).
    SLong8,
    /// 18: the offset of a directory, 64 bits (BigTIFF).
    Ifd8,
    /// Any other number. The size of values of such a type is unknown, so an entry may hold values or an offset;
    /// readers skip it (section 2).
    Unknown(u16),
}

/// Code, name, number of bytes of a value, number of bytes that byte order reverses together.
const TYPES: [(FieldType, u16, &str, u64, usize); 16] = [
    (FieldType::Byte, 1, "BYTE", 1, 1),
    (FieldType::Ascii, 2, "ASCII", 1, 1),
    (FieldType::Short, 3, "SHORT", 2, 2),
    (FieldType::Long, 4, "LONG", 4, 4),
    (FieldType::Rational, 5, "RATIONAL", 8, 4),
    (FieldType::SByte, 6, "SBYTE", 1, 1),
    (FieldType::Undefined, 7, "UNDEFINED", 1, 1),
    (FieldType::SShort, 8, "SSHORT", 2, 2),
    (FieldType::SLong, 9, "SLONG", 4, 4),
    (FieldType::SRational, 10, "SRATIONAL", 8, 4),
    (FieldType::Float, 11, "FLOAT", 4, 4),
    (FieldType::Double, 12, "DOUBLE", 8, 8),
    (FieldType::Ifd, 13, "IFD", 4, 4),
    (FieldType::Long8, 16, "LONG8", 8, 8),
    (FieldType::SLong8, 17, "SLONG8", 8, 8),
    (FieldType::Ifd8, 18, "IFD8", 8, 8),
];

impl FieldType {
    fn row(self) -> Option<&'static (FieldType, u16, &'static str, u64, usize)> {
        TYPES.iter().find(|row| row.0 == self)
    }

    /// Returns the type with this number.
    pub fn from_code(code: u16) -> Self {
        TYPES.iter().find(|row| row.1 == code).map_or(FieldType::Unknown(code), |row| row.0)
    }

    /// Returns the type with this name in the standard: `SHORT`.
    pub fn from_name(name: &str) -> Option<Self> {
        TYPES.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    /// Returns its name in the standard; `None` for an unknown type.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.2)
    }

    /// Returns the unsigned integer type of 1, 2, 4 or 8 bytes.
    pub fn unsigned(bytes: u64) -> Option<Self> {
        let types = [FieldType::Byte, FieldType::Short, FieldType::Long, FieldType::Long8];
        types.into_iter().find(|kind| kind.size() == Some(bytes))
    }

    /// Returns the number of the type.
    pub fn code(self) -> u16 {
        match self {
            FieldType::Unknown(code) => code,
            known => known.row().map_or(0, |row| row.1),
        }
    }

    /// Returns the size of a value in bytes; `None` for an unknown type.
    pub fn size(self) -> Option<u64> {
        self.row().map(|row| row.3)
    }

    /// Returns the greatest value of an unsigned integer type. Readers accept BYTE, SHORT and LONG for
    /// any unsigned integer field (section 2).
    pub fn max_integer(self) -> Option<u64> {
        match self {
            FieldType::Byte => Some(u8::MAX.into()),
            FieldType::Short => Some(u16::MAX.into()),
            FieldType::Long => Some(u32::MAX.into()),
            FieldType::Long8 => Some(u64::MAX),
            _ => None,
        }
    }

    /// Returns true if the value is the offset of a directory.
    pub fn is_pointer(self) -> bool {
        matches!(self, FieldType::Ifd | FieldType::Ifd8)
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            Some(row) => f.pad(row.2),
            None => write!(f, "type {}", self.code()),
        }
    }
}

/// The values of an entry. They are stored as bytes in one byte order, so that irrelevant details (a NaN's payload, an
/// unreduced fraction) are preserved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Values {
    kind: FieldType,
    count: u64,
    /// The bytes of the values, little-endian. For an unknown type, they are as in the file.
    bytes: Vec<u8>,
}

impl Values {
    /// Returns unsigned integers of type `kind`; `None` if it is not an unsigned integer type, or cannot hold one of
    /// the numbers.
    pub fn integers(kind: FieldType, numbers: &[u64]) -> Option<Self> {
        let most = kind.max_integer()?;
        let size = usize::try_from(kind.size()?).ok()?;
        let mut bytes = Vec::with_capacity(numbers.len().checked_mul(size)?);
        for number in numbers {
            (*number <= most).then(|| bytes.extend(&number.to_le_bytes()[..size]))?;
        }
        Some(Self { kind, count: numbers.len() as u64, bytes })
    }

    /// Returns offsets of type `kind`: of directories (IFD, IFD8) or of anything (an integer type). Returns `None` for
    /// another type, or for one that cannot hold an offset.
    pub fn offsets(kind: FieldType, offsets: &[u64]) -> Option<Self> {
        let unsigned = if kind.is_pointer() { FieldType::unsigned(kind.size()?)? } else { kind };
        Self::integers(unsigned, offsets).map(|values| Self { kind, ..values })
    }

    /// Returns SHORTs.
    pub fn shorts(numbers: &[u16]) -> Self {
        let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        Self { kind: FieldType::Short, count: numbers.len() as u64, bytes }
    }

    /// Returns LONGs.
    pub fn longs(numbers: &[u32]) -> Self {
        let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        Self { kind: FieldType::Long, count: numbers.len() as u64, bytes }
    }

    /// Returns RATIONALs with these numerators and denominators.
    pub fn rationals(fractions: &[(u32, u32)]) -> Self {
        let bytes =
            fractions.iter().flat_map(|(n, d)| [n.to_le_bytes(), d.to_le_bytes()]).flatten();
        Self { kind: FieldType::Rational, count: fractions.len() as u64, bytes: bytes.collect() }
    }

    /// Returns a text, with the NUL that ends it.
    pub fn ascii(text: &str) -> Self {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        Self { kind: FieldType::Ascii, count: bytes.len() as u64, bytes }
    }

    /// Decodes the values of type `kind` that `raw` holds in byte order `order`. Returns `None` if the
    /// type is unknown or `raw` is not a whole number of values.
    pub fn decode(kind: FieldType, order: ByteOrder, raw: &[u8]) -> Option<Self> {
        let size = kind.size()?;
        let len = raw.len() as u64;
        let mut bytes = raw.to_vec();
        swap(kind, order, &mut bytes);
        len.is_multiple_of(size).then_some(Self { kind, count: len / size, bytes })
    }

    /// Returns `count` values of the unknown type `code`, of which only the bytes `raw` of the value
    /// field are available.
    pub fn unknown(code: u16, count: u64, raw: &[u8]) -> Self {
        Self { kind: FieldType::Unknown(code), count, bytes: raw.to_vec() }
    }

    /// Returns the values' bytes in byte order `order`; those of an unknown type are unchanged.
    pub fn encode(&self, order: ByteOrder) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        swap(self.kind, order, &mut bytes);
        bytes
    }

    /// Returns their type.
    pub fn kind(&self) -> FieldType {
        self.kind
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns their length in bytes, in an entry or in a block.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the numbers, if the type is an unsigned integer (BYTE, SHORT, LONG, LONG8).
    pub fn as_integers(&self) -> Option<Vec<u64>> {
        self.kind.max_integer()?;
        let size = usize::try_from(self.kind.size()?).ok()?;
        Some(self.bytes.chunks_exact(size).map(|n| ByteOrder::Little.get(n)).collect())
    }

    /// Returns the first string of a text, without the NUL that ends it, if the type is ASCII and the
    /// string is UTF-8.
    pub fn as_text(&self) -> Option<&str> {
        let text = (self.kind == FieldType::Ascii).then(|| std::str::from_utf8(&self.bytes))?;
        text.ok()?.split('\0').next()
    }
}

/// Converts between little-endian and `order`; it is its own inverse.
fn swap(kind: FieldType, order: ByteOrder, bytes: &mut [u8]) {
    let unit = kind.row().map_or(1, |row| row.4);
    if order == ByteOrder::Big && unit > 1 {
        bytes.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rational_swaps_its_halves_and_not_their_order() {
        let values = Values::rationals(&[(0x0102_0304, 5)]);
        assert_eq!(values.encode(ByteOrder::Big), [1, 2, 3, 4, 0, 0, 0, 5]);
        assert_eq!(values.encode(ByteOrder::Little), [4, 3, 2, 1, 5, 0, 0, 0]);
    }

    #[test]
    fn integers_must_fit_their_type() {
        assert_eq!(Values::integers(FieldType::Short, &[65536]), None);
        assert_eq!(Values::integers(FieldType::Float, &[1]), None);
        let values = Values::integers(FieldType::Long, &[7, 70000]).unwrap();
        assert_eq!(values.as_integers().unwrap(), [7, 70000]);
        assert_eq!((values.size(), values.count()), (8, 2));
    }

    #[test]
    fn codes_and_types_are_one_to_one() {
        for code in 0..=u16::MAX {
            assert_eq!(FieldType::from_code(code).code(), code);
        }
    }
}
