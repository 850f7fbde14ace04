//! The rules of TIFF 6.0 for the integer tags on which a picture depends: their types, their numbers of values, and the
//! meaning of their absence.

use super::{Class, FieldType, Tag};

/// The number of values of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// One for each sample of a pixel.
    PerSample,
    /// Two.
    Two,
    /// One for each strip.
    PerStrip,
    /// One for each tile.
    PerTile,
}

/// The meaning of a tag's absence. "If the field does not exist, readers must assume the default value" (TIFF 6.0,
/// section 8), and a writer may or may not write a default (section 7, defaults). Both are therefore baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The tag is required.
    Refused,
    /// The absence means this value.
    Means(u64),
    /// The greatest number of BitsPerSample bits.
    MeansAllOnes,
    /// The picture has no such feature; no value means the same.
    MeansNothing,
}

/// The rule of one tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The tag.
    pub tag: Tag,
    /// The types that its field may have, the narrowest first.
    pub types: &'static [FieldType],
    /// The number of its values.
    pub count: Count,
    /// The meaning of its absence.
    pub absence: Absence,
    /// The section of TIFF 6.0 with the rule.
    pub section: u8,
    /// Another tag and its values with which a default may be explicit. With other values, the default is left out
    /// unless the seed has it, because readers do not expect it.
    pub only_with: Option<(Tag, &'static [u64])>,
}

impl Rule {
    /// Returns the value that absence means, for samples of `bits` bits.
    pub fn default(&self, bits: u64) -> Option<u64> {
        match self.absence {
            Absence::Means(value) => Some(value),
            Absence::MeansAllOnes if (1..=64).contains(&bits) => Some(u64::MAX >> (64 - bits)),
            _ => None,
        }
    }

    /// Returns the class of a file with an explicit default. A baseline reader must skip the tags of
    /// part 2 (section 7, other fields).
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
    Rule { tag, types, count, absence, section, only_with: None }
}

/// Restricts a rule to certain values of another tag.
const fn with(tag: Tag, values: &'static [u64], rule: Rule) -> Rule {
    Rule { only_with: Some((tag, values)), ..rule }
}

/// The rules, by tag. Part 1: sections 1 to 10.
pub const RULES: &[Rule] = &[
    rule(Tag::NEW_SUBFILE_TYPE, LONG, Count::One, Absence::Means(0), 8),
    rule(Tag::IMAGE_WIDTH, SHORT_OR_LONG, Count::One, Absence::Refused, 8),
    rule(Tag::IMAGE_LENGTH, SHORT_OR_LONG, Count::One, Absence::Refused, 8),
    rule(Tag::BITS_PER_SAMPLE, SHORT, Count::PerSample, Absence::Means(1), 8),
    rule(Tag::COMPRESSION, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::PHOTOMETRIC_INTERPRETATION, SHORT, Count::One, Absence::Refused, 8),
    rule(Tag::THRESHHOLDING, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::FILL_ORDER, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::STRIP_OFFSETS, SHORT_OR_LONG, Count::PerStrip, Absence::Refused, 8),
    rule(Tag::ORIENTATION, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::SAMPLES_PER_PIXEL, SHORT, Count::One, Absence::Means(1), 8),
    rule(Tag::ROWS_PER_STRIP, SHORT_OR_LONG, Count::One, Absence::Means(u32::MAX as u64), 8),
    rule(Tag::STRIP_BYTE_COUNTS, SHORT_OR_LONG, Count::PerStrip, Absence::Refused, 8),
    with(
        Tag::SAMPLE_FORMAT,
        &[1],
        rule(Tag::MIN_SAMPLE_VALUE, SHORT, Count::PerSample, Absence::Means(0), 8),
    ),
    with(
        Tag::SAMPLE_FORMAT,
        &[1],
        rule(Tag::MAX_SAMPLE_VALUE, SHORT, Count::PerSample, Absence::MeansAllOnes, 8),
    ),
    rule(Tag::PLANAR_CONFIGURATION, SHORT, Count::One, Absence::Means(1), 8),
    with(
        Tag::PHOTOMETRIC_INTERPRETATION,
        &[0, 1],
        rule(Tag::GRAY_RESPONSE_UNIT, SHORT, Count::One, Absence::Means(2), 8),
    ),
    with(Tag::COMPRESSION, &[3], rule(Tag::T4_OPTIONS, LONG, Count::One, Absence::Means(0), 11)),
    with(Tag::COMPRESSION, &[4], rule(Tag::T6_OPTIONS, LONG, Count::One, Absence::Means(0), 11)),
    rule(Tag::RESOLUTION_UNIT, SHORT, Count::One, Absence::Means(2), 8),
    // LZW, and Deflate with its two numbers (Adobe Photoshop TIFF technical notes). libtiff warns about a predictor in
    // any other file.
    with(
        Tag::COMPRESSION,
        &[5, 8, 32946],
        rule(Tag::PREDICTOR, SHORT, Count::One, Absence::Means(1), 14),
    ),
    rule(Tag::TILE_WIDTH, SHORT_OR_LONG, Count::One, Absence::MeansNothing, 15),
    rule(Tag::TILE_LENGTH, SHORT_OR_LONG, Count::One, Absence::MeansNothing, 15),
    rule(Tag::TILE_OFFSETS, LONG, Count::PerTile, Absence::MeansNothing, 15),
    rule(Tag::TILE_BYTE_COUNTS, SHORT_OR_LONG, Count::PerTile, Absence::MeansNothing, 15),
    with(
        Tag::PHOTOMETRIC_INTERPRETATION,
        &[5],
        rule(Tag::INK_SET, SHORT, Count::One, Absence::Means(1), 16),
    ),
    with(
        Tag::PHOTOMETRIC_INTERPRETATION,
        &[5],
        rule(Tag::NUMBER_OF_INKS, SHORT, Count::One, Absence::Means(4), 16),
    ),
    rule(Tag::SAMPLE_FORMAT, SHORT, Count::PerSample, Absence::Means(1), 19),
    with(
        Tag::PHOTOMETRIC_INTERPRETATION,
        &[6],
        rule(Tag::YCBCR_SUB_SAMPLING, SHORT, Count::Two, Absence::Means(2), 21),
    ),
    with(
        Tag::PHOTOMETRIC_INTERPRETATION,
        &[6],
        rule(Tag::YCBCR_POSITIONING, SHORT, Count::One, Absence::Means(1), 21),
    ),
];

/// Returns the rule of `tag`, if it has one.
pub fn rule_of(tag: Tag) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.tag == tag)
}
