//! The arrays of the segments' offsets and byte counts.

use inverter::solve::{ChoiceError, ChoiceSource};

use crate::alternatives::choose_index;
use crate::container::choices::type_of_size;
use crate::container::{Class, Format, Profile, Tag, Values};
use crate::dimension;
use crate::error::VariantError;

/// Chooses whether a directory has the byte counts of its segments. Returns true if it does.
pub(super) fn choose_counts(
    source: &mut ChoiceSource,
    profile: Profile,
    lone: bool,
) -> Result<bool, ChoiceError> {
    let counts = [("told", Class::Baseline), ("left out", Class::Questionable)];
    let counts = if lone { &counts[..] } else { &counts[..1] };
    Ok(choose_index(source, profile, dimension::BYTE_COUNTS, counts)? == 0)
}

/// Returns an entry of integers of `size` bytes each.
pub(super) fn array(
    tag: Tag,
    format: Format,
    size: u64,
    values: &[u64],
) -> Result<(Tag, Values), VariantError> {
    let kind = type_of_size(tag, format, size);
    let values = kind.and_then(|kind| Values::integers(kind, values));
    let values = values.map(|values| (tag, values));
    values.ok_or_else(|| VariantError::Internal(format!("{tag} does not fit {size} bytes")))
}
