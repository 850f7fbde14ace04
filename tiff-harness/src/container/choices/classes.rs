//! The class, by the standard, of each value of a container's dimensions.

use inverter::solve::Choice;

use super::types::class_of_type;
use super::values::{ABSENT, ASCENDING, EXPLICIT, PER_SAMPLE};
use super::{further, metadata};
use crate::alternatives::NONE;
use crate::container::rules::RULES;
use crate::container::tags::TagProperty;
use crate::container::{Class, FieldType, Format, Tag};
use crate::dimension;

/// Returns the class of a file that chooses `value` in `dimension`; `None` for a dimension that the container does not
/// have. `orientation` is classified here too: "Support for orientations other than 1 is not a Baseline TIFF
/// requirement" (TIFF 6.0, section 8).
pub fn class_of(dimension: &str, value: &Choice) -> Option<Class> {
    let is = |text: &str| matches!(value, Choice::Text(t) if t == text);
    let baseline_if = |sure: bool, other| Some(if sure { Class::Baseline } else { other });
    match dimension {
        dimension::BYTE_ORDER | dimension::SPARE_BYTES | dimension::DESCRIPTIVE_TAGS => {
            Some(Class::Baseline)
        }
        dimension::FORMAT => baseline_if(is(Format::Classic.name()), Class::Extension),
        dimension::ENTRY_ORDER => baseline_if(is(ASCENDING), Class::Questionable),
        dimension::DOCUMENT_TAGS | dimension::SUB_IFDS => baseline_if(is(NONE), Class::Extension),
        dimension::UNKNOWN_TAGS => baseline_if(is(NONE), Class::Questionable),
        dimension::PRIVATE_TAGS => match value {
            Choice::Text(text) if text != NONE => {
                metadata::private_class(text.split(':').next().unwrap_or_default())
            }
            _ => Some(Class::Baseline),
        },
        dimension::FURTHER_PAGES => {
            baseline_if(is(NONE) || is(further::THUMBNAIL_AFTER), Class::Extension)
        }
        dimension::ORIENTATION => baseline_if(*value == Choice::Int(1), Class::Extension),
        _ => class_of_tag(dimension, value),
    }
}

/// Returns the class of a value of a tag's dimension.
fn class_of_tag(dimension: &str, value: &Choice) -> Option<Class> {
    let (word, name) = dimension.split_once(" of ")?;
    let property = TagProperty::of_word(word)?;
    let is = |text: &str| matches!(value, Choice::Text(t) if t == text);
    if property == TagProperty::Type && Some(name) == Tag::SUB_IFDS.name() {
        return Some(Class::Extension);
    }
    let rule = RULES.iter().find(|rule| rule.tag.name() == Some(name))?;
    match (property, value) {
        (TagProperty::Type, Choice::Text(kind)) => {
            FieldType::from_name(kind).and_then(|kind| class_of_type(rule.tag, kind))
        }
        (TagProperty::Default, _) if is(EXPLICIT) => Some(rule.explicit_class()),
        (TagProperty::Default, _) if is(ABSENT) => Some(Class::Baseline),
        (TagProperty::Count, _) if is(PER_SAMPLE) => Some(Class::Baseline),
        (TagProperty::Count, _) => Some(Class::Questionable),
        _ => None,
    }
}
