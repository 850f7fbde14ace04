//! The tags that a container must have, in whatever form.

use crate::container::rules::{Count, Rule, rule_of};
use crate::container::{Tag, Values};
use crate::image::{ImageFile, IntegerTag};

/// The tags that a container must have, in whatever form.
///
/// The first page is the picture. Further pages, SubIFDs and all else that the seed points to are
/// no part of it: they are not carried along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequiredTags {
    integers: Vec<(Tag, Vec<u64>)>,
    carried: Vec<(Tag, Values)>,
    /// The orientation that `carried` was written for.
    seed_orientation: u64,
}

impl RequiredTags {
    /// Returns the tags of `seed`, without the places and lengths of strips or tiles. For another
    /// layout of the picture the caller [sets](RequiredTags::set) ImageWidth, ImageLength,
    /// Orientation and RowsPerStrip, where they change.
    ///
    /// XResolution and YResolution are required of a baseline file (TIFF 6.0, sections 3, 4 and 6).
    /// If the seed has just one of them, the other one gets its value; if it has none, both are 72.
    pub fn of(seed: &ImageFile) -> Self {
        let listed = |tag| rule_of(tag).is_some_and(is_list);
        let integers = seed.integers.iter().filter(|i| !listed(i.tag) && is_required(i, seed));
        let integers = integers.map(|integer| (integer.tag, integer.values.clone())).collect();
        let carried = seed
            .carried
            .iter()
            .filter(|(tag, values)| !(tag.is_pointer() || values.kind().is_pointer()));
        let mut carried: Vec<_> = carried.cloned().collect();
        let resolutions = [Tag::X_RESOLUTION, Tag::Y_RESOLUTION];
        let known = carried.iter().find(|(tag, _)| resolutions.contains(tag));
        let known = known.map_or(Values::rationals(&[(72, 1)]), |(_, values)| values.clone());
        for tag in resolutions {
            if carried.iter().all(|entry| entry.0 != tag) {
                carried.push((tag, known.clone()));
            }
        }
        Self { integers, carried, seed_orientation: seed.orientation.into() }
    }

    /// Returns the values of an integer tag, if it is required.
    pub fn get(&self, tag: Tag) -> Option<&[u64]> {
        self.integers.iter().find(|entry| entry.0 == tag).map(|entry| entry.1.as_slice())
    }

    /// Removes the tags that describe the seed's samples: with other bits or another
    /// PhotometricInterpretation they are wrong.
    pub fn remove_sample_tags(&mut self) {
        const OF_SAMPLES: [Tag; 10] = [
            Tag::GRAY_RESPONSE_CURVE,
            Tag::TRANSFER_FUNCTION,
            Tag::TRANSFER_RANGE,
            Tag::REFERENCE_BLACK_WHITE,
            Tag::S_MIN_SAMPLE_VALUE,
            Tag::S_MAX_SAMPLE_VALUE,
            Tag::HALFTONE_HINTS,
            Tag::DOT_RANGE,
            Tag::ICC_PROFILE,
            Tag::SUB_IFDS,
        ];
        self.carried.retain(|(tag, _)| !OF_SAMPLES.contains(tag));
        self.integers.retain(|(tag, _)| *tag != Tag::GRAY_RESPONSE_UNIT);
    }

    /// Removes an integer tag.
    pub fn remove(&mut self, tag: Tag) {
        self.integers.retain(|entry| entry.0 != tag);
    }

    /// Sets the values of the integer tag `tag`.
    pub fn set(&mut self, tag: Tag, values: &[u64]) {
        self.remove(tag);
        self.integers.push((tag, values.to_vec()));
    }

    /// Returns the integer tags.
    pub(super) fn integers(&self) -> &[(Tag, Vec<u64>)] {
        &self.integers
    }

    /// Returns the tags that are carried along as they are. Some orientations swap width and height
    /// of the stored picture; they swap the two resolutions as well.
    pub(super) fn carried(&self) -> impl Iterator<Item = (Tag, Values)> {
        let turned = |orientation: u64| orientation >= 5;
        let now = self.get(Tag::ORIENTATION).and_then(|values| values.first().copied());
        let swap = turned(now.unwrap_or(1)) != turned(self.seed_orientation);
        self.carried.iter().cloned().map(move |(tag, values)| match tag {
            Tag::X_RESOLUTION if swap => (Tag::Y_RESOLUTION, values),
            Tag::Y_RESOLUTION if swap => (Tag::X_RESOLUTION, values),
            _ => (tag, values),
        })
    }
}

/// Returns true if a tag has a value for each strip or tile.
fn is_list(rule: &Rule) -> bool {
    matches!(rule.count, Count::PerStrip | Count::PerTile)
}

/// Returns true if a tag belongs to the picture ([`Rule::only_with`]), or the seed has it anyway.
pub(super) fn is_required(integer: &IntegerTag, seed: &ImageFile) -> bool {
    let belongs = |rule: &Rule| {
        rule.only_with.is_none_or(|(tag, values)| {
            let other = seed.integer(tag).map(|other| other.values.as_slice());
            other.is_some_and(|other| other.iter().all(|value| values.contains(value)))
        })
    };
    integer.stored.is_some() || rule_of(integer.tag).is_none_or(belongs)
}

/// The values that decide which other values are defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DefaultContext {
    /// BitsPerSample of every sample; 0 if they differ.
    bits: u64,
    /// ImageLength.
    height: u64,
}

impl DefaultContext {
    /// Reads them from the tags of a picture, whose values `get` returns.
    pub(super) fn new<'v>(get: impl Fn(Tag) -> Option<&'v [u64]>) -> Self {
        let bits = match get(Tag::BITS_PER_SAMPLE) {
            Some([first, rest @ ..]) if rest.iter().any(|bits| bits != first) => 0,
            Some([first, ..]) => *first,
            _ => 1,
        };
        let height = get(Tag::IMAGE_LENGTH).and_then(|v| v.first().copied());
        Self { bits, height: height.unwrap_or(u64::MAX) }
    }

    /// Returns true if the absence of `tag` means the same as `values`. RowsPerStrip of all rows or
    /// more means one strip, like its default.
    pub(super) fn is_default(&self, tag: Tag, values: &[u64]) -> bool {
        if let (Tag::ROWS_PER_STRIP, [rows]) = (tag, values) {
            return *rows >= self.height.min(u32::MAX.into());
        }
        let default = rule_of(tag).and_then(|rule: &Rule| rule.default(self.bits));
        default.is_some_and(|default| !values.is_empty() && values.iter().all(|v| *v == default))
    }
}
