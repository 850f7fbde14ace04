//! Byte order, and the differences between classic TIFF and BigTIFF.

use std::fmt;

/// The order of the bytes of every number in a file (TIFF 6.0, section 2, image file header, bytes 0 and 1). Every
/// reader must accept both (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// `II`: the least significant byte first.
    Little,
    /// `MM`: the most significant byte first.
    Big,
}

impl ByteOrder {
    /// Returns the mark at the start of a file.
    pub fn mark(self) -> &'static str {
        match self {
            ByteOrder::Little => "II",
            ByteOrder::Big => "MM",
        }
    }

    /// Returns the order of this mark.
    pub fn of_mark(mark: &[u8]) -> Option<Self> {
        [ByteOrder::Little, ByteOrder::Big].into_iter().find(|o| o.mark().as_bytes() == mark)
    }

    /// Returns the unsigned number in `bytes`, of which at most 8 count.
    pub fn get(self, bytes: &[u8]) -> u64 {
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            ByteOrder::Little => bytes.iter().rev().fold(0, join),
            ByteOrder::Big => bytes.iter().fold(0, join),
        }
    }

    /// Fills `bytes` with the low bytes of `number`.
    pub fn put(self, number: u64, bytes: &mut [u8]) {
        let low = number.to_le_bytes().into_iter().chain(std::iter::repeat(0));
        match self {
            ByteOrder::Little => bytes.iter_mut().zip(low).for_each(|(to, byte)| *to = byte),
            ByteOrder::Big => bytes.iter_mut().rev().zip(low).for_each(|(to, byte)| *to = byte),
        }
    }
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mark())
    }
}

/// The widths of the container's own numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// TIFF 6.0: version 42, offsets of 4 bytes.
    Classic,
    /// BigTIFF: version 43, offsets of 8 bytes.
    Big,
}

impl Format {
    /// Returns the name: `classic`, `BigTIFF`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Classic => "classic",
            Format::Big => "BigTIFF",
        }
    }

    /// Returns the version number in the header.
    pub fn version(self) -> u16 {
        match self {
            Format::Classic => 42,
            Format::Big => 43,
        }
    }

    /// Returns the length of the header.
    pub fn header_size(self) -> u64 {
        match self {
            Format::Classic => 8,
            Format::Big => 16,
        }
    }

    /// Returns the size of an offset, of an entry's count, and of its value field.
    pub fn offset_size(self) -> u64 {
        match self {
            Format::Classic => 4,
            Format::Big => 8,
        }
    }

    /// Returns the size of the number of entries at the start of a directory.
    pub fn entry_count_size(self) -> u64 {
        match self {
            Format::Classic => 2,
            Format::Big => 8,
        }
    }

    /// Returns the size of an entry: tag, type, count, and value or offset.
    pub fn entry_size(self) -> u64 {
        4 + 2 * self.offset_size()
    }

    /// Returns the greatest offset.
    pub fn max_offset(self) -> u64 {
        match self {
            Format::Classic => u32::MAX.into(),
            Format::Big => u64::MAX,
        }
    }

    /// Returns the greatest number of entries of a directory.
    pub fn max_entries(self) -> u64 {
        match self {
            Format::Classic => u16::MAX.into(),
            Format::Big => u64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_both_orders() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for width in 1..=8 {
                let number = 0x0102_0304_0506_0708 & (u64::MAX >> (64 - 8 * width));
                let mut bytes = vec![0xAA; width];
                order.put(number, &mut bytes);
                assert_eq!(order.get(&bytes), number);
            }
        }
        assert_eq!(ByteOrder::Little.get(&[1, 2]), 0x0201);
        assert_eq!(ByteOrder::Big.get(&[1, 2]), 0x0102);
    }
}
