//! What a seed itself chose.

use inverter::solve::Choices;

use super::chosen::has_count;
use super::said::{Facts, may_be_said};
use super::types::fitting;
use super::{
    ABSENT, BYTE_ORDER, ENTRY_ORDER, EXPLICIT, FORMAT, ONE, PER_SAMPLE, SPARE_BYTES, SPARES,
    count_dimension, default_dimension, further, metadata, type_dimension,
};
use crate::container::Tag;
use crate::image::ImageFile;

/// Dimensions that cannot be told from a file: what is in it beside the picture is carried,
/// or left out, and what is drawn comes on top.
pub const UNTOLD: [&str; 7] = [
    ENTRY_ORDER,
    metadata::DESCRIPTIVE_TAGS,
    metadata::DOCUMENT_TAGS,
    metadata::PRIVATE_TAGS,
    metadata::UNKNOWN_TAGS,
    further::FURTHER_PAGES,
    further::SUB_IFDS,
];

/// What `seed` itself chose, of the same dimensions under the same names. Nothing is said
/// of those in [`UNTOLD`]: their first value is the one without anything.
pub fn own_choices(seed: &ImageFile) -> Choices {
    let mut own = Choices::new();
    own.set(FORMAT, seed.format.name());
    own.set(BYTE_ORDER, seed.order.mark());
    if let Some((_, name)) = SPARES.iter().find(|row| row.0 == seed.spare) {
        own.set(SPARE_BYTES, *name);
    }
    let values = |tag: Tag| seed.integer(tag).map(|integer| integer.values.as_slice());
    let facts = Facts::of(values);
    for integer in seed.integers.iter().filter(|i| may_be_said(i, seed)) {
        let most = integer.values.iter().copied().max().unwrap_or(0);
        let types = fitting(integer.tag, seed.format, most);
        if facts.is_default(integer.tag, &integer.values) && !types.is_empty() {
            let said = if integer.stored.is_some() { EXPLICIT } else { ABSENT };
            own.set(&default_dimension(integer.tag), said);
        }
        let Some(kind) = integer.stored else {
            continue;
        };
        if has_count(integer.tag, &integer.values) {
            let count = if integer.count == 1 { ONE } else { PER_SAMPLE };
            own.set(&count_dimension(integer.tag), count);
        }
        if types.len() > 1 && types.iter().any(|way| way.0 == kind) {
            own.set(&type_dimension(integer.tag), kind.to_string().as_str());
        }
    }
    own
}
