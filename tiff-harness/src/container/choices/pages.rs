//! The pages of a container after the first one.

use crate::container::{Tag, Values};

/// A part of a page to which a tag points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A segment, by its index.
    Segment(usize),
    /// Data, by its index.
    Data(usize),
}

/// A page after the first, before its parts have places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLayout {
    /// Its entries, by tag. Pointers have arbitrary values of their type until the places are known.
    pub entries: Vec<(Tag, Values)>,
    /// Its stored segments.
    pub segments: Vec<Vec<u8>>,
    /// Data other than segments.
    pub data: Vec<Vec<u8>>,
    /// The tags whose values are offsets: each value is the offset of a part plus this number of bytes.
    pub pointers: Vec<(Tag, Vec<(Target, u64)>)>,
}
