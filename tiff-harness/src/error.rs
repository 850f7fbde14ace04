//! What can be wrong with a TIFF file, and with a plan to write one.

use crate::container::{FieldType, Tag};

/// What sort of trouble a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It is something else.
    NotTiff,
    /// It is a TIFF file, and breaks the rules.
    Damaged,
    /// It may be fine; repfuzz cannot take it yet.
    Unsupported,
}

/// Why a file cannot be taken: one line that says what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TiffError {
    /// The file does not start as a TIFF file does (TIFF 6.0, section 2).
    #[error("not a TIFF file: {0}")]
    NotTiff(String),
    /// Something does not lie inside the file.
    #[error("{what} needs {needs} bytes at offset {at}, the file has {has}")]
    Outside {
        /// What: a directory, a tag's values, a strip.
        what: String,
        /// Its offset.
        at: u64,
        /// Its bytes.
        needs: u128,
        /// The bytes of the whole file.
        has: u64,
    },
    /// An offset that cannot be one.
    #[error("the offset of {what} is {value} (at offset {at}), which is inside the header")]
    InHeader {
        /// Of what.
        what: String,
        /// The offset.
        value: u64,
        /// Where it says so.
        at: u64,
    },
    /// A directory without entries.
    #[error("the directory at offset {at} has no entries")]
    EmptyIfd {
        /// Its offset.
        at: u64,
    },
    /// The chain of directories comes back to itself.
    #[error("the chain of directories is a loop: offset {at} comes again after {after} of them")]
    IfdLoop {
        /// The offset that comes again.
        at: u64,
        /// The number of directories before it does.
        after: usize,
    },
    /// More directories than anyone writes.
    #[error("the chain of directories has more than {most} of them")]
    TooManyIfds {
        /// The limit.
        most: usize,
    },
    /// Blocks of values that together are larger than the file.
    #[error(
        "the values of the directory at offset {ifd} up to {tag} take {bytes} bytes, the whole \
         file has {has}: too many entries share their bytes"
    )]
    SharedValues {
        /// The directory's offset.
        ifd: u64,
        /// The entry that is one too many.
        tag: Tag,
        /// What they all take.
        bytes: u64,
        /// The bytes of the file.
        has: u64,
    },
    /// The normalization programs refuse the file.
    #[error("{0}")]
    Refused(String),
    /// A tag that a picture cannot do without.
    #[error("{tag} is missing in the directory at offset {ifd}")]
    Missing {
        /// The tag.
        tag: Tag,
        /// The directory's offset.
        ifd: u64,
    },
    /// A tag that is there twice: readers disagree about which one counts.
    #[error("{tag} comes twice in the directory, the second time at offset {at}")]
    Twice {
        /// The tag.
        tag: Tag,
        /// The offset of the second entry.
        at: u64,
    },
    /// A tag of a type that does not hold what it tells.
    #[error("{tag} at offset {at} has type {kind}, it must be {must}")]
    WrongType {
        /// The tag.
        tag: Tag,
        /// The offset of the entry.
        at: u64,
        /// The type it has.
        kind: FieldType,
        /// The types it may have, in words.
        must: &'static str,
    },
    /// A tag with too few or too many values.
    #[error("{tag} at offset {at} has {count} values, it must have {must}")]
    WrongCount {
        /// The tag.
        tag: Tag,
        /// The offset of the entry.
        at: u64,
        /// The number of its values.
        count: u64,
        /// How many there must be, and why.
        must: String,
    },
    /// A value that breaks the rules.
    #[error("{tag} = {value} at offset {at}, it must be {must}")]
    BadValue {
        /// The tag.
        tag: Tag,
        /// The offset of the entry.
        at: u64,
        /// The value.
        value: u64,
        /// What it must be.
        must: &'static str,
    },
    /// A strip or tile that is said to be too short for its rows.
    #[error(
        "{what} {index} at offset {at} has {has} bytes by its byte count, its rows need {needs}"
    )]
    ShortSegment {
        /// "strip" or "tile".
        what: &'static str,
        /// Which, from 0.
        index: usize,
        /// Its offset.
        at: u64,
        /// Its bytes.
        has: u64,
        /// The bytes of its rows.
        needs: u64,
    },
    /// A strip or tile that cannot be decoded.
    #[error("{what} {index} at offset {at} cannot be decoded: {why}")]
    Undecodable {
        /// "strip" or "tile".
        what: &'static str,
        /// Which, from 0.
        index: usize,
        /// Its offset.
        at: u64,
        /// What is wrong with it.
        why: String,
    },
    /// Something that is not built yet.
    #[error("{what} is not supported yet{}", hint.map(|h| format!(": {h}")).unwrap_or_default())]
    Unsupported {
        /// The tag and its value, or what else.
        what: String,
        /// What to do about it.
        hint: Option<&'static str>,
    },
}

impl TiffError {
    /// What sort of trouble it is.
    pub fn kind(&self) -> Kind {
        match self {
            TiffError::NotTiff(_) => Kind::NotTiff,
            TiffError::Unsupported { .. } => Kind::Unsupported,
            _ => Kind::Damaged,
        }
    }
}

/// Why a plan cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A directory has at least one entry (TIFF 6.0, section 2).
    #[error("a directory needs at least one entry")]
    NoEntries,
    /// More entries than the directory's counter can tell.
    #[error("a directory cannot have {0} entries")]
    TooManyEntries(usize),
    /// A tag that is planned twice.
    #[error("{0} is planned twice")]
    Twice(Tag),
    /// Values whose bytes nobody knows, and more of them than an entry holds.
    #[error("the values of {tag} have the unknown {kind} and cannot be written")]
    UnknownType {
        /// The tag.
        tag: Tag,
        /// Its type.
        kind: FieldType,
    },
    /// Another number of places than of things to be placed.
    #[error("{has} places are given for {needs} blocks")]
    Places {
        /// How many blocks there are.
        needs: usize,
        /// How many places.
        has: usize,
    },
    /// Values that do not fit in their entry and have no place.
    #[error("the values of {tag} take {size} bytes and need a place")]
    NoPlace {
        /// The tag.
        tag: Tag,
        /// The bytes.
        size: u64,
    },
    /// Values that fit in their entry and are given another place. A reader looks for
    /// them in the entry.
    #[error("the values of {tag} take {size} bytes, which the entry holds: offset {at} is wrong")]
    NeedlessPlace {
        /// The tag.
        tag: Tag,
        /// The bytes.
        size: u64,
        /// The place.
        at: u64,
    },
    /// Something that does not lie inside the file.
    #[error("{what} needs {needs} bytes at offset {at}, the file has {has}")]
    Outside {
        /// What.
        what: String,
        /// Its offset.
        at: u64,
        /// Its bytes.
        needs: u64,
        /// The bytes of the file.
        has: u64,
    },
    /// A number that this format has no room for.
    #[error("{what} = {value} does not fit, the most is {most}")]
    TooLarge {
        /// What.
        what: String,
        /// The number.
        value: u64,
        /// The greatest that fits.
        most: u64,
    },
    /// Two things at the same place.
    #[error("{a} and {b} overlap at offset {at}")]
    Overlap {
        /// The first.
        a: String,
        /// The second.
        b: String,
        /// The first byte of both.
        at: u64,
    },
}
