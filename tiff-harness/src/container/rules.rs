//! What TIFF 6.0 says of the integer tags that a strip file's picture depends on: which
//! types they may have, how many values, and what their absence means.

use super::{Class, FieldType, Tag};

/// How many values a tag has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// One for each sample of a pixel.
    PerSample,
    /// One for each strip.
    PerStrip,
}

/// What a tag's absence means. "If the field does not exist, readers must assume the
/// default value" (TIFF 6.0, section 8), and a writer may write a default or not
/// (section 7, defaults), so that both are baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The tag is required.
    Refused,
    /// This value.
    Means(u64),
    /// The greatest number of BitsPerSample bits.
    MeansAllOnes,
    /// Nothing but 1, which is not what is written here: in effect required.
    MeansOneBit,
}

/// The rule of one tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The tag.
    pub tag: Tag,
    /// The types that its field may have; the first is the narrowest.
    pub types: &'static [FieldType],
    /// How many values it has.
    pub count: Count,
    /// What its absence means.
    pub absence: Absence,
    /// The section of TIFF 6.0 that says so.
    pub section: u8,
}

impl Rule {
    /// The value that absence means, for samples of `bits` bits.
    pub fn default(&self, bits: u64) -> Option<u64> {
        match self.absence {
            Absence::Means(value) => Some(value),
            Absence::MeansAllOnes if (1..64).contains(&bits) => Some((1 << bits) - 1),
            _ => None,
        }
    }

    /// The class of a file that says the default in so many words. Part 2's tags are no
    /// business of a baseline reader, which must skip them (section 7, other fields).
    pub fn explicit_class(&self) -> Class {
        if self.section <= 10 { Class::Baseline } else { Class::Extension }
    }
}

const SHORT: &[FieldType] = &[FieldType::Short];
const LONG: &[FieldType] = &[FieldType::Long];
const SHORT_OR_LONG: &[FieldType] = &[FieldType::Short, FieldType::Long];

const fn rule(
    tag: Tag,
    types: &'static [FieldType],
    count: Count,
    absence: Absence,
    section: u8,
) -> Rule {
    Rule { tag, types, count, absence, section }
}

/// The rules, by tag. Part 1: sections 1 to 10.
pub const RULES: &[Rule] = &[
    rule(Tag::NEW_SUBFILE_TYPE, LONG, Count::One, Absence::Means(0), 8),
    rule(Tag::IMAGE_WIDTH, SHORT_OR_LONG, Count::One, Absence::Refused, 8),
    rule(Tag::IMAGE_LENGTH, SHORT_OR_LONG, Count::One, Absence::Refused, 8),
    rule(Tag::BITS_PER_SAMPLE, SHORT, Count::PerSample, Absence::MeansOneBit, 8),
    rule(Tag::COMPRESSION, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::PHOTOMETRIC_INTERPRETATION, SHORT, Count::One, Absence::Refused, 8),
    rule(Tag::THRESHHOLDING, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::FILL_ORDER, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::STRIP_OFFSETS, SHORT_OR_LONG, Count::PerStrip, Absence::Refused, 8),
    rule(Tag::ORIENTATION, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::SAMPLES_PER_PIXEL, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::ROWS_PER_STRIP, SHORT_OR_LONG, Count::One, Absence::Means(u32::MAX as u64), 8),
    rule(Tag::STRIP_BYTE_COUNTS, SHORT_OR_LONG, Count::PerStrip, Absence::Refused, 8),
    rule(Tag::MIN_SAMPLE_VALUE, SHORT, Count::PerSample, Absence::Means(0), 8),
    rule(Tag::MAX_SAMPLE_VALUE, SHORT, Count::PerSample, Absence::MeansAllOnes, 8),
    rule(Tag::PLANAR_CONFIGURATION, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::RESOLUTION_UNIT, SHORT, Count::One, Absence::Means(2), 8),
    rule(Tag::PREDICTOR, SHORT, Count::One, Absence::Means(1), 14),
    rule(Tag::SAMPLE_FORMAT, SHORT, Count::PerSample, Absence::Means(1), 19),
];

/// The rule of `tag`, if it has one.
pub fn rule_of(tag: Tag) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.tag == tag)
}
