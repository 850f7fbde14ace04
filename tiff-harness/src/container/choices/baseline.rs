//! The baseline of a seed's container.

use inverter::solve::Choices;

use super::layout::has_count;
use super::required::{DefaultContext, is_required};
use super::types::fitting;
use super::values::{ABSENT, EXPLICIT, ONE, PER_SAMPLE, SPARES};
use crate::container::Tag;
use crate::dimension;
use crate::image::ImageFile;

/// Dimensions for which no file has a value: tags that do not describe the picture are copied or left out, and drawn
/// tags are added to them.
pub const UNTRACED: [&str; 7] = [
    dimension::ENTRY_ORDER,
    dimension::DESCRIPTIVE_TAGS,
    dimension::DOCUMENT_TAGS,
    dimension::PRIVATE_TAGS,
    dimension::UNKNOWN_TAGS,
    dimension::FURTHER_PAGES,
    dimension::SUB_IFDS,
];

/// Returns the choices that `seed` embodies, except for those in [`UNTRACED`], whose first value adds nothing.
pub fn baseline(seed: &ImageFile) -> Choices {
    let mut own = Choices::new();
    own.set(dimension::FORMAT, seed.format.name());
    own.set(dimension::BYTE_ORDER, seed.order.mark());
    if let Some((_, name)) = SPARES.iter().find(|row| row.0 == seed.spare) {
        own.set(dimension::SPARE_BYTES, *name);
    }
    let values = |tag: Tag| seed.integer(tag).map(|integer| integer.values.as_slice());
    let defaults = DefaultContext::new(values);
    for integer in seed.integers.iter().filter(|i| is_required(i, seed)) {
        let most = integer.values.iter().copied().max().unwrap_or(0);
        let types = fitting(integer.tag, seed.format, most);
        if defaults.is_default(integer.tag, &integer.values) && !types.is_empty() {
            let default = if integer.stored.is_some() { EXPLICIT } else { ABSENT };
            own.set(&dimension::default_of(integer.tag), default);
        }
        let Some(kind) = integer.stored else {
            continue;
        };
        if has_count(integer.tag, &integer.values) {
            let count = if integer.count == 1 { ONE } else { PER_SAMPLE };
            own.set(&dimension::count_of(integer.tag), count);
        }
        if types.len() > 1 && types.iter().any(|way| way.0 == kind) {
            own.set(&dimension::type_of(integer.tag), kind.to_string().as_str());
        }
    }
    own
}
