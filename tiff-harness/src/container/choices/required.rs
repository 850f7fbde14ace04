//! The tags that a container must have, in whatever form.

use crate::container::carried::PageFacts;
use crate::container::carried::facts::Facts;
use crate::container::rules::{Count, Rule, rule_of};
use crate::container::{ByteOrder, Tag, Values};
use crate::image::{ImageFile, IntegerTag, Layout, belongs_to_another};

/// The tags that a container must have, in whatever form.
///
/// These are the tags of one page. SubIFDs and everything else to which the seed points are not included, because they
/// are not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequiredTags {
    integers: Vec<(Tag, Vec<u64>)>,
    carried: Vec<(Tag, Values)>,
    /// The facts that `carried` was written for.
    seed: Facts,
    /// ExtraSamples of the variant.
    extra_samples: Vec<u16>,
    /// ColorMap of the variant.
    color_map: Vec<u16>,
    /// Tags that are a part of the canonical value.
    kept: Vec<Tag>,
}

impl RequiredTags {
    /// Returns the tags of `seed`, without the places and lengths of strips or tiles. For another
    /// layout of the picture the caller [sets](RequiredTags::set) the integer tags that change, such as
    /// ImageWidth, ImageLength, Orientation and RowsPerStrip, and
    /// [ExtraSamples and ColorMap](RequiredTags::set_samples).
    ///
    /// XResolution and YResolution are required of a baseline file (TIFF 6.0, sections 3, 4 and 6). If the seed has
    /// only one of them, the other one gets its value; if it has neither, both are 72.
    pub fn of(seed: &ImageFile) -> Self {
        let listed = |tag| rule_of(tag).is_some_and(is_list);
        let integers = seed.integers.iter().filter(|i| !listed(i.tag) && is_required(i, seed));
        let integers = integers.map(|integer| (integer.tag, integer.values.clone())).collect();
        let mut carried = seed.carried.clone();
        let resolutions = [Tag::X_RESOLUTION, Tag::Y_RESOLUTION];
        let known = carried.iter().find(|(tag, _)| resolutions.contains(tag));
        let known = known.map_or(Values::rationals(&[(72, 1)]), |(_, values)| values.clone());
        for tag in resolutions {
            if carried.iter().all(|entry| entry.0 != tag) {
                carried.push((tag, known.clone()));
            }
        }
        let (extra_samples, color_map) = (seed.extra_samples.clone(), seed.color_map.clone());
        Self { integers, carried, seed: facts_of(seed), extra_samples, color_map, kept: Vec::new() }
    }

    /// Returns the values of an integer tag, if it is required.
    pub fn get(&self, tag: Tag) -> Option<&[u64]> {
        self.integers.iter().find(|entry| entry.0 == tag).map(|entry| entry.1.as_slice())
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

    /// Sets the meaning of samples that are not colors, and the palette.
    pub fn set_samples(&mut self, extra_samples: &[u16], color_map: &[u16]) {
        self.extra_samples = extra_samples.to_vec();
        self.color_map = color_map.to_vec();
    }

    /// Sets the number of the seed's pages in its canonical value; if it is not set, the page is the only one.
    pub fn set_pages(&mut self, pages: usize) {
        let all = self.seed.pages + self.seed.other_pages;
        self.seed.pages = pages;
        self.seed.other_pages = all.saturating_sub(pages);
    }

    /// Keeps tags unchanged, because they are part of the canonical value, which does not vary.
    pub fn keep(&mut self, tags: &[Tag]) {
        self.kept.extend(tags);
    }

    /// Returns the integer tags.
    pub(super) fn integers(&self) -> &[(Tag, Vec<u64>)] {
        &self.integers
    }

    /// Returns the seed's tags that do not describe the picture, including those that the variant will not have. Some
    /// orientations swap width and height of the stored picture; they swap the two resolutions as well.
    pub(super) fn carried(&self) -> impl Iterator<Item = (Tag, Values)> {
        let turned = |orientation: u64| orientation >= 5;
        let swap = turned(self.one(Tag::ORIENTATION, 1)) != turned(self.seed.orientation);
        self.carried.iter().cloned().map(move |(tag, values)| match tag {
            Tag::X_RESOLUTION if swap => (Tag::Y_RESOLUTION, values),
            Tag::Y_RESOLUTION if swap => (Tag::X_RESOLUTION, values),
            _ => (tag, values),
        })
    }

    /// Returns true if the seed has `tag` and it does not describe the picture.
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.carried.iter().any(|entry| entry.0 == tag)
    }

    /// Returns true if the seed has `tag`, and a variant may lack it or have it with other values. Drawn tags are kept.
    pub(super) fn may_lose(&self, tag: Tag) -> bool {
        !self.kept.contains(&tag) && self.has(tag)
    }

    /// Returns true if the page belongs to another one ([`belongs_to_another`]).
    pub(super) fn belongs_to_another(&self) -> bool {
        belongs_to_another(self.one(Tag::NEW_SUBFILE_TYPE, 0))
    }

    /// Returns the facts of a page with these tags, in a file with this byte order and this number of added pages, and
    /// the facts of the seed's page.
    pub(super) fn facts(&self, order: ByteOrder, added_pages: usize) -> PageFacts {
        (self.own_facts(order, added_pages), self.seed.clone())
    }

    fn own_facts(&self, order: ByteOrder, other_pages: usize) -> Facts {
        let sides = [self.get(Tag::TILE_WIDTH), self.get(Tag::TILE_LENGTH)];
        let tile = match sides {
            [Some([width]), Some([length])] => Some([*width, *length]),
            _ => None,
        };
        Facts {
            order,
            bits: self.one(Tag::BITS_PER_SAMPLE, 1),
            photometric: self.one(Tag::PHOTOMETRIC_INTERPRETATION, 0),
            extra_samples: self.extra_samples.clone(),
            color_map: self.color_map.clone(),
            planar: self.one(Tag::PLANAR_CONFIGURATION, 1),
            orientation: self.one(Tag::ORIENTATION, 1),
            size: [self.one(Tag::IMAGE_WIDTH, 0), self.one(Tag::IMAGE_LENGTH, 0)],
            compression: self.one(Tag::COMPRESSION, 1),
            tile,
            pages: self.seed.pages,
            other_pages,
        }
    }

    /// Returns the first value of an integer tag, or `default`.
    fn one(&self, tag: Tag, default: u64) -> u64 {
        self.get(tag).and_then(|values| values.first().copied()).unwrap_or(default)
    }
}

/// Returns the facts of a file that has been read.
fn facts_of(file: &ImageFile) -> Facts {
    Facts {
        order: file.order,
        bits: file.bits.into(),
        photometric: file.photometric.into(),
        extra_samples: file.extra_samples.clone(),
        color_map: file.color_map.clone(),
        planar: file.planar.into(),
        orientation: file.orientation.into(),
        size: [file.width.into(), file.height.into()],
        compression: file.compression.into(),
        tile: match file.layout {
            Layout::Strips { .. } => None,
            Layout::Tiles { width, length } => Some([width.into(), length.into()]),
        },
        pages: 1,
        other_pages: file.further_pages,
    }
}

/// Returns true if a tag has a value for each strip or tile.
fn is_list(rule: &Rule) -> bool {
    matches!(rule.count, Count::PerStrip | Count::PerTile)
}

/// Returns true if a tag belongs to the picture ([`Rule::only_with`]), or if the seed has it anyway.
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
    /// Reads the context from the tags of a picture, whose values `get` returns.
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
