//! A TIFF file as a picture in strips (TIFF 6.0, sections 3, 4, 6 and 8), checked.
//!
//! Taken today: one picture, uncompressed, 8 bits a sample, gray (black is 0) or RGB,
//! chunky. Everything else is refused by name. What is taken means one picture to every
//! reader: a tag that comes twice, an extra sample, a second page, and a pointer that
//! would dangle in another layout are refused, not ignored.

mod fields;

use crate::container::meaning::describe;
use crate::container::rules::{Absence, Count, RULES};
use crate::container::write::Spare;
use crate::container::{
    ByteOrder, Container, Entry, FieldType, Format, Ifd, Span, Tag, Values, read,
};
use crate::error::TiffError;
use fields::Fields;

/// The most bytes of picture that strips may make of a smaller file by sharing bytes.
pub const MAX_SHARED_PICTURE: u64 = 1 << 28;

/// One strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strip {
    /// Its offset, by StripOffsets.
    pub offset: u64,
    /// Its bytes, by StripByteCounts: at least `needed`.
    pub byte_count: u64,
    /// The bytes of its rows.
    pub needed: u64,
}

impl Strip {
    /// Whether the file says that the strip has more bytes than its rows need. Readers take
    /// such a strip; TIFF 6.0, section 8 knows no use for the rest.
    pub fn is_oversized(&self) -> bool {
        self.byte_count > self.needed
    }
}

/// An integer tag of [`RULES`]: what it says, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerTag {
    /// The tag.
    pub tag: Tag,
    /// Its values, as many as the tag has by its rule; if it is absent, the default.
    pub values: Vec<u64>,
    /// The type it has in the file; `None` if it is absent.
    pub stored: Option<FieldType>,
    /// How many values it has in the file: one may stand for all samples.
    pub count: u64,
}

/// A tag that no other file of the same picture could repeat, and that no picture depends
/// on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The type is unknown: the entry may hold an offset or a value, nobody can tell, and
    /// so neither another layout nor another byte order can have it. Readers skip it
    /// (TIFF 6.0, section 2).
    UnknownType(Tag, FieldType),
    /// FreeOffsets and FreeByteCounts: the gaps of this file's layout (section 8).
    Gaps(Tag),
}

/// A checked picture in strips, and everything else that the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StripFile {
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// The byte order of the container. Samples of 8 bits have none.
    pub order: ByteOrder,
    /// ImageWidth: pixels in a stored row, at least 1.
    pub width: u32,
    /// ImageLength: stored rows, at least 1.
    pub height: u32,
    /// SamplesPerPixel: 1 gray, 3 RGB.
    pub samples: u16,
    /// PhotometricInterpretation: 1 gray, 2 RGB.
    pub photometric: u16,
    /// Orientation: 1 to 8.
    pub orientation: u16,
    /// RowsPerStrip: at least 1; more than there are rows, or 2^32 - 1 (the default), means
    /// one strip.
    pub rows_per_strip: u32,
    /// The strips, from the first row on. They are inside the file, and may overlap.
    pub strips: Vec<Strip>,
    /// Every tag of [`RULES`], in that order, absent ones too if their absence means a value.
    pub integers: Vec<IntegerTag>,
    /// Every other tag, as it was. Their meaning is not looked at.
    pub carried: Vec<(Tag, Values)>,
    /// Tags that cannot be carried.
    pub left_out: Vec<LeftOut>,
    /// Where the directory lies.
    pub ifd: Span,
    /// Where the values lie that are not in their entries.
    pub blocks: Vec<(Tag, Span)>,
    /// What is in the bytes of the entries that short values leave over.
    pub spare: Spare,
}

impl StripFile {
    /// Reads a file and checks it.
    ///
    /// # Errors
    ///
    /// If it is not a TIFF file, or damaged, or more than is supported.
    pub fn read(file: &[u8]) -> Result<Self, TiffError> {
        Self::from_container(&read(file)?, file)
    }

    /// Checks a file whose structure has been read.
    ///
    /// # Errors
    ///
    /// If the picture is damaged, or more than is supported.
    pub fn from_container(container: &Container, file: &[u8]) -> Result<Self, TiffError> {
        refuse_structure(container)?;
        let fields = Fields::new(&container.ifd)?;
        refuse_picture(&fields)?;

        let width = fields.at_least_one(Tag::IMAGE_WIDTH)?;
        let height = fields.at_least_one(Tag::IMAGE_LENGTH)?;
        let rows_per_strip = fields.at_least_one(Tag::ROWS_PER_STRIP)?;
        let samples = fields.one(Tag::SAMPLES_PER_PIXEL)? as u16;
        let orientation = fields.one(Tag::ORIENTATION)?;
        if !(1..=8).contains(&orientation) {
            return Err(fields.bad(Tag::ORIENTATION, orientation, "1 to 8"));
        }
        let row_bytes = u128::from(width) * u128::from(samples);
        let strips = read_strips(&fields, file, height, rows_per_strip, row_bytes)?;

        let mut integers = Vec::with_capacity(RULES.len());
        for rule in RULES {
            let entry = container.ifd.get(rule.tag);
            if rule.absence == Absence::MeansNothing && entry.is_none() {
                continue;
            }
            let values = match rule.count {
                Count::One => vec![fields.one(rule.tag)?],
                Count::Two => fields.per_sample(rule.tag, 2)?,
                Count::PerSample => fields.per_sample(rule.tag, samples)?,
                Count::PerStrip | Count::PerTile => fields.all(rule.tag)?,
            };
            let stored = entry.map(|entry| entry.values.kind());
            let count = entry.map_or(0, |entry| entry.values.count());
            integers.push(IntegerTag { tag: rule.tag, values, stored, count });
        }
        let (carried, left_out) = carry(&container.ifd);
        Ok(StripFile {
            format: container.format,
            order: container.order,
            width,
            height,
            samples,
            photometric: fields.one(Tag::PHOTOMETRIC_INTERPRETATION)? as u16,
            orientation: orientation as u16,
            rows_per_strip,
            strips,
            integers,
            carried,
            left_out,
            ifd: container.ifd.span,
            blocks: blocks(&container.ifd),
            spare: spare(&container.ifd, container.format, file),
        })
    }

    /// The bytes of a stored row.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.width) * u64::from(self.samples)
    }

    /// The strips whose StripByteCounts say more than their rows need. None in the strict
    /// case.
    pub fn oversized(&self) -> impl Iterator<Item = usize> {
        self.strips.iter().enumerate().filter(|(_, s)| s.is_oversized()).map(|(k, _)| k)
    }

    /// The integer tag, if [`RULES`] has it.
    pub fn integer(&self, tag: Tag) -> Option<&IntegerTag> {
        self.integers.iter().find(|integer| integer.tag == tag)
    }

    /// The rows of strip `index` in `file`, the file this was read from.
    pub fn rows<'f>(&self, file: &'f [u8], index: usize) -> Option<&'f [u8]> {
        let strip = self.strips.get(index)?;
        Span { at: strip.offset, len: strip.needed }.of(file)
    }

    /// All stored rows of `file`, the file this was read from.
    pub fn raster(&self, file: &[u8]) -> Option<Vec<u8>> {
        let strips = (0..self.strips.len()).map(|k| self.rows(file, k));
        Some(strips.collect::<Option<Vec<_>>>()?.concat())
    }
}

fn unsupported(what: String, hint: &'static str) -> TiffError {
    TiffError::Unsupported { what, hint: Some(hint).filter(|h| !h.is_empty()) }
}

/// Refuses what is not one classic picture that can be laid out anew.
fn refuse_structure(container: &Container) -> Result<(), TiffError> {
    if container.format == Format::Big {
        return Err(unsupported("BigTIFF (version 43)".to_owned(), ""));
    }
    if let Some(second) = container.later_ifds.first() {
        let pages = container.later_ifds.len() + 1;
        let what = format!("a file of {pages} pages (the second at offset {second})");
        return Err(unsupported(what, "`tiffsplit` makes a file of each"));
    }
    for entry in &container.ifd.entries {
        let tag = entry.tag;
        if is_pointer(entry) {
            let hint = "a pointer to more of the file; remove the tag first";
            return Err(unsupported(tag.to_string(), hint));
        }
        let tiles = [Tag::TILE_WIDTH, Tag::TILE_LENGTH, Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS];
        if tiles.contains(&tag) {
            let what = format!("{tag}, a picture in tiles,");
            return Err(unsupported(what, "`tiffcp -s` makes a copy in strips"));
        }
    }
    Ok(())
}

/// Whether the value is an offset, which would point elsewhere in another layout.
fn is_pointer(entry: &Entry) -> bool {
    entry.values.kind().is_pointer() || entry.tag.is_pointer()
}

/// Refuses what is not 8-bit gray or RGB, uncompressed and chunky.
fn refuse_picture(fields: &Fields<'_>) -> Result<(), TiffError> {
    let only = |tag: Tag, value: u64, taken: &[u64], hint| match taken.contains(&value) {
        true => Ok(()),
        false => Err(unsupported(describe(tag, value), hint)),
    };
    let one = |tag: Tag, taken: &[u64], hint| only(tag, fields.one(tag)?, taken, hint);
    one(Tag::COMPRESSION, &[1], "`tiffcp -c none` makes an uncompressed copy")?;
    one(Tag::PHOTOMETRIC_INTERPRETATION, &[1, 2], "")?;
    for value in fields.extra(Tag::EXTRA_SAMPLES)? {
        only(Tag::EXTRA_SAMPLES, value, &[], "")?;
    }
    let color = fields.one(Tag::PHOTOMETRIC_INTERPRETATION)? == 2;
    let samples: u16 = if color { 3 } else { 1 };
    if fields.one(Tag::SAMPLES_PER_PIXEL)? != u64::from(samples) {
        let samples = fields.one(Tag::SAMPLES_PER_PIXEL)?;
        let photometric = describe(Tag::PHOTOMETRIC_INTERPRETATION, if color { 2 } else { 1 });
        let what = format!("{} with {photometric}", describe(Tag::SAMPLES_PER_PIXEL, samples));
        return Err(unsupported(what, ""));
    }
    for (tag, taken) in [(Tag::BITS_PER_SAMPLE, 8), (Tag::SAMPLE_FORMAT, 1)] {
        for value in fields.per_sample(tag, samples)? {
            only(tag, value, &[taken], "")?;
        }
    }
    one(Tag::PLANAR_CONFIGURATION, &[1], "`tiffcp -p contig` makes a chunky copy")?;
    one(Tag::FILL_ORDER, &[1], "`tiffcp -f msb2lsb` makes a copy in the other order")?;
    one(Tag::PREDICTOR, &[1], "")?;
    // Private forerunners of tags that are refused above, and a palette by another name.
    for (tag, taken) in
        [(Tag::MATTEING, 0), (Tag::DATA_TYPE, 2), (Tag::IMAGE_DEPTH, 1), (Tag::INDEXED, 0)]
    {
        for value in fields.extra(tag)? {
            only(tag, value, &[taken], "")?;
        }
    }
    Ok(())
}

/// The strips, each inside the file and long enough.
fn read_strips(
    fields: &Fields<'_>,
    file: &[u8],
    height: u32,
    rows_per_strip: u32,
    row_bytes: u128,
) -> Result<Vec<Strip>, TiffError> {
    let offsets = fields.per_strip(Tag::STRIP_OFFSETS, height, rows_per_strip)?;
    let byte_counts = fields.per_strip(Tag::STRIP_BYTE_COUNTS, height, rows_per_strip)?;
    let has = file.len() as u64;
    let mut strips = Vec::with_capacity(offsets.len());
    let mut total = 0u64;
    let mut rows_left = height;
    for (strip, (at, byte_count)) in offsets.into_iter().zip(byte_counts).enumerate() {
        let rows = rows_per_strip.min(rows_left);
        rows_left -= rows;
        let needs = u128::from(rows) * row_bytes;
        let outside = |what, needs| Err(TiffError::Outside { what, at, needs, has });
        let needed = match u64::try_from(needs) {
            Ok(len) if (Span { at, len }).of(file).is_some() => len,
            _ => return outside(format!("strip {strip}"), needs),
        };
        if byte_count < needed {
            return Err(TiffError::ShortStrip { strip, at, has: byte_count, needs: needed });
        }
        if (Span { at, len: byte_count }).of(file).is_none() {
            let what = format!("strip {strip}, by {},", Tag::STRIP_BYTE_COUNTS);
            return outside(what, byte_count.into());
        }
        total = total.saturating_add(needed);
        strips.push(Strip { offset: at, byte_count, needed });
    }
    if total > has.max(MAX_SHARED_PICTURE) {
        return Err(TiffError::SharedStrips { needs: total, has, most: MAX_SHARED_PICTURE });
    }
    Ok(strips)
}

/// What the directory says beside [`RULES`], and what of it cannot be said again.
fn carry(ifd: &Ifd) -> (Vec<(Tag, Values)>, Vec<LeftOut>) {
    let (mut carried, mut left_out) = (Vec::new(), Vec::new());
    for Entry { tag, values, .. } in &ifd.entries {
        let tag = *tag;
        if RULES.iter().any(|rule| rule.tag == tag) {
            continue;
        }
        match values.kind() {
            _ if [Tag::FREE_OFFSETS, Tag::FREE_BYTE_COUNTS].contains(&tag) => {
                left_out.push(LeftOut::Gaps(tag));
            }
            kind @ FieldType::Unknown(_) => left_out.push(LeftOut::UnknownType(tag, kind)),
            _ => carried.push((tag, values.clone())),
        }
    }
    (carried, left_out)
}

fn blocks(ifd: &Ifd) -> Vec<(Tag, Span)> {
    ifd.entries.iter().filter_map(|entry| Some((entry.tag, entry.block_span()?))).collect()
}

/// What the entries have after values that are shorter than their field.
fn spare(ifd: &Ifd, format: Format, file: &[u8]) -> Spare {
    let left = |entry: &Entry| {
        let used = entry.values.size();
        let len = format.offset_size().saturating_sub(used);
        let at = entry.at + format.entry_size() - format.offset_size() + used;
        Span { at, len: if entry.block.is_none() { len } else { 0 } }.of(file)
    };
    match ifd.entries.iter().filter_map(left).flatten().all(|byte| *byte == 0) {
        true => Spare::Zeros,
        false => Spare::Filler,
    }
}
