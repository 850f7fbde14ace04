//! The TIFF container (TIFF 6.0, section 2): a header, directories (IFDs) of entries, and
//! the blocks that hold the values that do not fit in an entry.
//!
//! Nothing here depends on strips or pictures, except the tiny pictures of further pages. Only [`Format`] knows the
//! differences between classic TIFF and BigTIFF. Directories are read individually ([`read::read_ifd`]), so further
//! pages and SubIFDs have the form of the first one.

pub mod carried;
pub mod choices;
pub mod class;
pub mod field;
pub mod format;
pub mod listing;
pub mod meaning;
pub mod read;
pub mod rules;
pub mod tags;
pub mod write;

pub use class::{Class, Profile};
pub use field::{FieldType, Values};
pub use format::{ByteOrder, Format};
pub use read::read;
pub use tags::Tag;

use crate::error::TiffError;

/// A TIFF file's structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// The order of the bytes of every number (TIFF 6.0, section 2, image file header).
    pub order: ByteOrder,
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// The first directory.
    pub ifd: Ifd,
    /// The offsets of the directories after the first, in the order of the chain, up to the first damaged one.
    /// [`read::read_ifd`] reads each of them.
    pub later_ifds: Vec<u64>,
    /// The damage at which the chain ends.
    pub broken_chain: Option<TiffError>,
}

/// A directory (TIFF 6.0, section 2, image file directory).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ifd {
    /// Its place: the number of entries, the entries, and the next offset.
    pub span: Span,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The offset of the next directory, 0 if there is none.
    pub next: u64,
}

impl Ifd {
    /// Returns the first entry of `tag`.
    pub fn get(&self, tag: Tag) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }
}

/// An entry of a directory (TIFF 6.0, section 2, IFD entry).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The tag.
    pub tag: Tag,
    /// Its values, independent of byte order; for an unknown type, the bytes of the value field.
    pub values: Values,
    /// The offset of the entry itself, which starts with the tag.
    pub at: u64,
    /// The offset of the block that holds the values; `None` if they are in the entry.
    pub block: Option<u64>,
}

impl Entry {
    /// Returns the block that holds the values, if they are not in the entry.
    pub fn block_span(&self) -> Option<Span> {
        self.block.map(|at| Span { at, len: self.values.size() })
    }
}

/// A range of bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first.
    pub at: u64,
    /// The number of bytes.
    pub len: u64,
}

impl Span {
    /// Returns the offset after the last byte, if it is a 64-bit number.
    pub fn end(self) -> Option<u64> {
        self.at.checked_add(self.len)
    }

    /// Returns true if all of `other` is in this range.
    pub fn holds(self, other: Self) -> bool {
        let end = self.end().zip(other.end());
        other.at >= self.at && end.is_some_and(|(own, end)| end <= own)
    }

    /// Returns the bytes of `file` in this range; `None` if the file is too short.
    pub fn of(self, file: &[u8]) -> Option<&[u8]> {
        let start = usize::try_from(self.at).ok()?;
        let end = usize::try_from(self.end()?).ok()?;
        file.get(start..end)
    }

    /// Returns the bytes of `file` in this range, to be written.
    pub fn of_mut(self, file: &mut [u8]) -> Option<&mut [u8]> {
        let start = usize::try_from(self.at).ok()?;
        let end = usize::try_from(self.end()?).ok()?;
        file.get_mut(start..end)
    }
}
