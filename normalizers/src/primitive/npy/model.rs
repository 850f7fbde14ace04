//! An array of NumPy, and the bytes to which [`NpyHeader`](super::NpyHeader) decodes a file.

use inverter::primitive::PrimitiveError;

/// The number of bytes before the elements.
const HEADER: usize = 13;

/// Types: their kind, the number of bytes of an element, and another character that names them.
pub(super) const TYPES: [(u8, u8, u8); 12] = [
    (b'b', 1, b'?'),
    (b'i', 1, b'b'),
    (b'i', 2, b'h'),
    (b'i', 4, b'i'),
    (b'i', 8, b'q'),
    (b'u', 1, b'B'),
    (b'u', 2, b'H'),
    (b'u', 4, b'I'),
    (b'u', 8, b'Q'),
    (b'f', 2, b'e'),
    (b'f', 4, b'f'),
    (b'f', 8, b'd'),
];

/// An array as it is stored.
pub(super) struct Npy {
    pub(super) kind: u8,
    /// The number of bytes of an element.
    pub(super) size: u8,
    /// 1 if elements are big-endian.
    pub(super) big: u8,
    /// 1 if the first index varies fastest.
    pub(super) fortran: u8,
    /// 0 to 2.
    pub(super) dims: u8,
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) elements: Vec<u8>,
}

impl Npy {
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Npy, PrimitiveError> {
        let Some((&[kind, size, big, fortran, dims, a, b, c, d, e, f, g, h], elements)) =
            bytes.split_first_chunk::<HEADER>()
        else {
            return Err(format!("{} bytes are too few for an array", bytes.len()).into());
        };
        let npy = Npy {
            kind,
            size,
            big,
            fortran,
            dims,
            rows: u32::from_le_bytes([a, b, c, d]),
            columns: u32::from_le_bytes([e, f, g, h]),
            elements: elements.to_vec(),
        };
        npy.check()?;
        Ok(npy)
    }

    /// # Errors
    ///
    /// Returns an error if no file stores it.
    pub(super) fn check(&self) -> Result<(), PrimitiveError> {
        let Npy { kind, size, big, fortran, dims, rows, columns, .. } = *self;
        if !TYPES.iter().any(|t| (t.0, t.1) == (kind, size)) {
            return Err(format!("kind {kind} with {size} bytes is no type of numbers").into());
        }
        if big > 1 || fortran > 1 || big == 1 && size == 1 {
            return Err(format!("byte order {big} and order {fortran} are not stored").into());
        }
        if dims > 2 || dims < 2 && columns != 1 || dims == 0 && rows != 1 {
            return Err(format!("{rows} by {columns} elements in {dims} dimensions").into());
        }
        let count = u64::from(rows) * u64::from(columns);
        let stored = self.elements.len();
        if count.checked_mul(size.into()) != Some(stored as u64) {
            return Err(format!("{stored} bytes of {count} elements of {size}").into());
        }
        Ok(())
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.kind, self.size, self.big, self.fortran, self.dims];
        out.extend(self.rows.to_le_bytes());
        out.extend(self.columns.to_le_bytes());
        out.extend(&self.elements);
        out
    }
}
