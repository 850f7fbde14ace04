//! The class of each value.

use inverter::solve::Choice;

use super::ask::NONE;
use super::types::class_of_type;
use super::{
    ABSENT, BYTE_ORDER, ENTRY_ORDER, EXPLICIT, FORMAT, PER_SAMPLE, SPARE_BYTES, further, metadata,
};
use crate::container::rules::RULES;
use crate::container::{Class, FieldType, Format, Tag};

/// The class of a file that chooses `value` of `dimension`; `None` for a dimension that is
/// not of the container. `orientation` is here too: "Support for orientations other than 1
/// is not a Baseline TIFF requirement" (TIFF 6.0, section 8).
pub fn class_of(dimension: &str, value: &Choice) -> Option<Class> {
    let is = |text: &str| matches!(value, Choice::Text(t) if t == text);
    let baseline_if = |sure: bool, other| Some(if sure { Class::Baseline } else { other });
    match dimension {
        BYTE_ORDER | SPARE_BYTES | metadata::DESCRIPTIVE_TAGS => Some(Class::Baseline),
        FORMAT => baseline_if(is(Format::Classic.name()), Class::Extension),
        ENTRY_ORDER => baseline_if(is(super::ASCENDING), Class::Questionable),
        metadata::DOCUMENT_TAGS | further::SUB_IFDS => baseline_if(is(NONE), Class::Extension),
        metadata::UNKNOWN_TAGS => baseline_if(is(NONE), Class::Questionable),
        metadata::PRIVATE_TAGS => match value {
            Choice::Text(text) if text != NONE => {
                metadata::private_class(text.split(':').next().unwrap_or_default())
            }
            _ => Some(Class::Baseline),
        },
        further::FURTHER_PAGES => {
            baseline_if(is(NONE) || is(further::THUMBNAIL_AFTER), Class::Extension)
        }
        "orientation" => baseline_if(*value == Choice::Int(1), Class::Extension),
        _ => class_of_tag(dimension, value),
    }
}

/// The same, for dimensions of a tag.
fn class_of_tag(dimension: &str, value: &Choice) -> Option<Class> {
    let (of, name) = dimension.split_once(" of ")?;
    let is = |text: &str| matches!(value, Choice::Text(t) if t == text);
    if of == "type" && Some(name) == Tag::SUB_IFDS.name() {
        return Some(Class::Extension);
    }
    let rule = RULES.iter().find(|rule| rule.tag.name() == Some(name))?;
    match (of, value) {
        ("type", Choice::Text(kind)) => {
            FieldType::from_name(kind).and_then(|kind| class_of_type(rule.tag, kind))
        }
        ("default", _) if is(EXPLICIT) => Some(rule.explicit_class()),
        ("default", _) if is(ABSENT) => Some(Class::Baseline),
        ("count", _) if is(PER_SAMPLE) => Some(Class::Baseline),
        ("count", _) => Some(Class::Questionable),
        _ => None,
    }
}
