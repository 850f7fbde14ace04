//! Errors from reading a file, writing one, or building a variant.

use inverter::primitive::EncodeError;
use inverter::run::RunError;
use inverter::solve::{ChoiceError, ChoiceSource};

use crate::container::{FieldType, Tag};

/// The reason why a variant cannot be built.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VariantError {
    /// No file has these choices; the message names the rule that they violate.
    #[error("{0}")]
    Impossible(String),
    /// An internal error: a file was built that does not mean the same as the seed.
    #[error("internal error: {0}; please report this with the seed file and the choices")]
    Internal(String),
}

impl VariantError {
    /// Refuses choices that contradict the settings of `source`: given ones for which the variant has no dimension, and
    /// those that do not comply with its restriction.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError::Impossible`], with the first such choice.
    pub fn refuse_unmet(source: &ChoiceSource) -> Result<(), Self> {
        if let Some(unknown) = source.unused().first() {
            return Err(VariantError::Impossible(format!(
                "there is no choice `{unknown}` to be made in this file"
            )));
        }
        Ok(source.complies()?)
    }
}

impl From<ChoiceError> for VariantError {
    fn from(e: ChoiceError) -> Self {
        VariantError::Impossible(e.to_string())
    }
}

impl From<EncodeError> for VariantError {
    fn from(e: EncodeError) -> Self {
        VariantError::Impossible(e.to_string())
    }
}

impl From<RunError> for VariantError {
    fn from(e: RunError) -> Self {
        match e {
            RunError::Refused { .. } => VariantError::Internal(e.to_string()),
            other => VariantError::Impossible(other.to_string()),
        }
    }
}

/// The kind of a [`TiffError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The file is not a TIFF file.
    NotTiff,
    /// The file is a TIFF file that breaks the rules.
    Damaged,
    /// The file may be fine; repfuzz does not support it yet.
    Unsupported,
}

/// The reason why a file is refused: one line with the fault and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TiffError {
    /// The file does not start like a TIFF file (TIFF 6.0, section 2).
    #[error("not a TIFF file: {0}")]
    NotTiff(String),
    /// A part is not inside the file.
    #[error("{what} needs {needs} bytes at offset {at}, the file has {has}")]
    Outside {
        /// The part: a directory, a tag's values, a strip.
        what: String,
        /// Its offset.
        at: u64,
        /// Its length.
        needs: u128,
        /// The bytes of the whole file.
        has: u64,
    },
    /// An offset that points into the header.
    #[error("the offset of {what} is {value} (at offset {at}), which is inside the header")]
    InHeader {
        /// The part to which the offset points.
        what: String,
        /// The offset.
        value: u64,
        /// The offset of the value.
        at: u64,
    },
    /// A directory without entries.
    #[error("the directory at offset {at} has no entries")]
    EmptyIfd {
        /// Its offset.
        at: u64,
    },
    /// The chain of directories leads back to itself.
    #[error("the chain of directories is a loop: offset {at} occurs again after {after} of them")]
    IfdLoop {
        /// The offset that occurs twice.
        at: u64,
        /// The number of directories before it occurs for the second time.
        after: usize,
    },
    /// More directories than any real file has.
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
        /// The total length of these values.
        bytes: u64,
        /// The bytes of the file.
        has: u64,
    },
    /// A file whose content takes more memory than allowed.
    #[error(
        "{what} take {bytes} bytes once they are decoded; at most {most} may be made of a file"
    )]
    TooLarge {
        /// The object that takes the memory: the picture or the pages.
        what: String,
        /// The bytes.
        bytes: u64,
        /// The maximum number of bytes.
        most: u64,
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
    /// A tag that occurs twice: readers disagree about which one counts.
    #[error("{tag} occurs twice in the directory, the second time at offset {at}")]
    Twice {
        /// The tag.
        tag: Tag,
        /// The offset of the second entry.
        at: u64,
    },
    /// A tag with a type that it cannot have.
    #[error("{tag} at offset {at} has type {kind}, it must be {must}")]
    WrongType {
        /// The tag.
        tag: Tag,
        /// The offset of the entry.
        at: u64,
        /// The type that it has.
        kind: FieldType,
        /// The types that it may have, in words.
        must: &'static str,
    },
    /// A tag with too few or too many values.
    #[error("{tag} at offset {at} has {}, it must have {must}", counted(*count, "value"))]
    WrongCount {
        /// The tag.
        tag: Tag,
        /// The offset of the entry.
        at: u64,
        /// The number of its values.
        count: u64,
        /// The number that it must have, and the reason.
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
        /// The values that it may have.
        must: &'static str,
    },
    /// A strip or tile whose byte count is too small for its rows.
    #[error(
        "{what} {index} at offset {at} has {} by its byte count, its rows need {needs}",
        counted(*has, "byte")
    )]
    ShortSegment {
        /// "strip" or "tile".
        what: &'static str,
        /// Its index, from 0.
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
        /// Its index, from 0.
        index: usize,
        /// Its offset.
        at: u64,
        /// The fault.
        why: String,
    },
    /// A feature that is not supported yet.
    #[error("{what} is not supported yet{}", hint.map(|h| format!(": {h}")).unwrap_or_default())]
    Unsupported {
        /// The feature: a tag and its value, if the feature is one.
        what: String,
        /// The reason, or a way around it.
        hint: Option<&'static str>,
    },
}

impl TiffError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            TiffError::NotTiff(_) => ErrorKind::NotTiff,
            TiffError::Unsupported { .. } | TiffError::TooLarge { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Damaged,
        }
    }
}

/// The reason why a plan cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A directory has at least one entry (TIFF 6.0, section 2).
    #[error("a directory needs at least one entry")]
    NoEntries,
    /// More entries than the directory's counter holds.
    #[error("a directory cannot have {0} entries")]
    TooManyEntries(usize),
    /// A tag that is planned twice.
    #[error("{0} is planned twice")]
    Twice(Tag),
    /// Values of unknown size, more of them than an entry holds.
    #[error("the values of {tag} have the unknown {kind} and cannot be written")]
    UnknownType {
        /// The tag.
        tag: Tag,
        /// Its type.
        kind: FieldType,
    },
    /// A number of places that differs from the number of blocks.
    #[error("{has} places are given for {needs} blocks")]
    Places {
        /// The number of blocks.
        needs: usize,
        /// The number of places.
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
    /// Values that fit in their entry but were given a separate place. A reader looks for them in the entry.
    #[error("the values of {tag} take {size} bytes, which the entry holds: offset {at} is wrong")]
    NeedlessPlace {
        /// The tag.
        tag: Tag,
        /// The bytes.
        size: u64,
        /// The place.
        at: u64,
    },
    /// A part that is not inside the file.
    #[error("{what} needs {needs} bytes at offset {at}, the file has {has}")]
    Outside {
        /// The part.
        what: String,
        /// Its offset.
        at: u64,
        /// Its bytes.
        needs: u64,
        /// The bytes of the file.
        has: u64,
    },
    /// A number for which this format has no room.
    #[error("{what} = {value} does not fit, the most is {most}")]
    TooLarge {
        /// The meaning of the number.
        what: String,
        /// The number.
        value: u64,
        /// The greatest number that fits.
        most: u64,
    },
    /// Two parts at the same place.
    #[error("{a} and {b} overlap at offset {at}")]
    Overlap {
        /// The first.
        a: String,
        /// The second.
        b: String,
        /// The first byte that they share.
        at: u64,
    },
}

/// A number with its noun: `1 byte`, `2 bytes`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
