//! Directories other than the first, before they have a place in the file.

use crate::container::{FieldType, Tag, Values};

/// A directory other than the first, before it has a place. Its StripOffsets, if it has them, are filled in when its
/// data has a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// The directory's entries, by tag.
    pub entries: Vec<(Tag, Values)>,
    /// The directory's only strip; empty if it is not a picture.
    pub data: Vec<u8>,
    /// The next directory in the chain of pages: an index into
    /// [`ContainerLayout::directories`](super::ContainerLayout::directories).
    pub next: Option<usize>,
}

/// Returns `count` offsets that will be filled in later.
pub(super) fn unplaced(kind: FieldType, count: usize) -> Values {
    Values::offsets(kind, &vec![0; count]).unwrap_or_else(|| Values::longs(&vec![0; count]))
}
