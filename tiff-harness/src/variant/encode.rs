//! Encodes a canonical value as segments, with the tags that its directory must have.

use std::borrow::Cow;
use std::sync::Arc;

use inverter::run::Bytes;
use inverter::solve::{ChoiceError, ChoiceSource};

use super::old_jpeg;
use crate::alternatives::choose_index;
use crate::coding::{self, Coding, SampleLayout, Segments};
use crate::container::choices::RequiredTags;
use crate::container::{ByteOrder, Class, Profile, Tag, Values};
use crate::dimension;
use crate::error::VariantError;
use crate::image::{Grid, ImageFile, Layout, OldJpeg, STREAM_TAGS};
use crate::pipeline::{Representation, Stages, Streams};
use crate::samples::Label;

/// A picture whose segments are encoded.
pub(super) struct EncodedPicture<'s> {
    pub(super) grid: Grid,
    pub(super) segments: Segments,
    /// True if there is only one segment, and it is uncompressed, so it needs no byte count.
    pub(super) lone: bool,
    /// The tags of its directory.
    pub(super) required: RequiredTags,
    /// Additional tags that its directory must have.
    needed: Vec<(Tag, Vec<u16>)>,
    /// Its representation; `None` for streams.
    pub(super) stored: Option<Arc<Representation>>,
    /// The parts that only streams have.
    pub(super) streams: Option<EncodedStreams<'s>>,
}

/// The parts of streams other than their segments.
pub(super) struct EncodedStreams<'s> {
    /// The value of JPEGTables.
    tables: Option<Values>,
    /// If the single segment is data around the strip: the strip's place in it, and its byte count.
    pub(super) around: Option<(u64, Vec<u64>)>,
    /// The data that tags of old-style JPEG point to.
    pub(super) old_jpeg: Option<&'s OldJpeg>,
}

/// Encodes the canonical value of `stages` as `source` decides. Its directory has the other tags of
/// `seed`.
pub(super) fn encode<'s>(
    seed: &'s ImageFile,
    stages: &Stages,
    order: ByteOrder,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<EncodedPicture<'s>, VariantError> {
    let stored = match stages {
        Stages::Colors(colors) => colors.represent(order, source)?,
        Stages::Samples(samples) => samples.represent(order, source)?,
        Stages::Streams(streams) => return encoded_streams(seed, streams, profile, source),
    };
    let grid = stored.grid;
    let samples = SampleLayout {
        bits: grid.bits,
        samples_per_pixel: grid.samples_per_pixel,
        photometric: stored.photometric,
        sample_format: seed.sample_format,
        planar: grid.planar,
        content: stages.sample_content(),
    };
    let coding = coding::choose(source, samples, profile)?;
    let segments = coding::encode(&stored.data, &grid, &coding, order, source)?;
    let mut required = RequiredTags::of(seed);
    match stages {
        Stages::Colors(_) => set_sample_tags(&mut required, seed, &stored, profile, source)?,
        _ => {
            required.keep(&Label::TAGS);
            set_bits(&mut required, seed, &grid);
        }
    }
    set_layout_tags(&mut required, &stored, &coding);
    let lone = grid.segments() == 1 && coding.compression == coding::Compression::None;
    // A palette picture needs BitsPerSample for the size of its palette (section 5, required fields).
    let bits = if stored.color_map.is_empty() { Vec::new() } else { vec![grid.bits] };
    let needed = vec![
        (Tag::EXTRA_SAMPLES, stored.extra_samples.clone()),
        (Tag::COLOR_MAP, stored.color_map.clone()),
        (Tag::BITS_PER_SAMPLE, bits),
    ];
    let stored = Some(stored);
    Ok(EncodedPicture { grid, segments, lone, required, needed, stored, streams: None })
}

/// Returns streams that are not decoded; their form, their container, and the places of all parts vary.
fn encoded_streams<'s>(
    seed: &'s ImageFile,
    streams: &Streams,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<EncodedPicture<'s>, VariantError> {
    let mut required = RequiredTags::of(seed);
    required.set_samples(&seed.extra_samples, &seed.color_map);
    required.keep(&Label::TAGS);
    required.keep(&STREAM_TAGS);
    required.keep(&OldJpeg::POINTERS);
    let (tables, segments) = streams.rearranged(source, profile)?;
    let needed = vec![
        (Tag::EXTRA_SAMPLES, seed.extra_samples.clone()),
        (Tag::COLOR_MAP, seed.color_map.clone()),
    ];
    let mut segments = Segments::Coded(segments);
    let old_jpeg = seed.old_jpeg.as_ref();
    let mut around = None;
    if let Some((_, bytes, strip)) = old_jpeg.and_then(OldJpeg::strip_block) {
        around = Some((strip.at, segments.lengths()));
        segments = Segments::Coded(vec![bytes.to_vec()]);
    }
    Ok(EncodedPicture {
        grid: streams.grid(),
        segments,
        lone: false,
        required,
        needed,
        stored: None,
        streams: Some(EncodedStreams { tables, around, old_jpeg }),
    })
}

impl EncodedPicture<'_> {
    /// Returns the place of the strip in the single segment, if that is data around it, and the strip's
    /// byte count.
    pub(super) fn around(&self) -> Option<&(u64, Vec<u64>)> {
        self.streams.as_ref().and_then(|streams| streams.around.as_ref())
    }

    /// Returns the data to which tags of old-style JPEG point, except those around the strip.
    pub(super) fn data(&self) -> Vec<Vec<u8>> {
        let data = self.streams.as_ref().and_then(|streams| streams.old_jpeg);
        data.into_iter().flat_map(OldJpeg::blocks).map(|(_, _, bytes)| bytes.to_vec()).collect()
    }

    /// Adds required tags that are missing, unless they have no values.
    pub(super) fn add_tags(&self, entries: &mut Vec<(Tag, Values)>) {
        if let Some(EncodedStreams { tables, .. }) = &self.streams {
            entries.retain(|entry| entry.0 != Tag::JPEG_TABLES);
            entries.extend(tables.iter().map(|tables| (Tag::JPEG_TABLES, tables.clone())));
            old_jpeg::widen_pointers(entries);
        }
        for (tag, values) in &self.needed {
            let present = entries.iter().any(|entry| entry.0 == *tag);
            if !values.is_empty() && !present {
                entries.push((*tag, Values::shorts(values)));
            }
        }
        entries.sort_by_key(|entry| entry.0);
    }

    /// Returns the samples of all segments, if these are stored unchanged.
    pub(super) fn take_samples(&mut self) -> Cow<'_, Bytes> {
        let Some(stored) = &mut self.stored else { return Cow::Owned(Bytes::default()) };
        match Arc::get_mut(stored) {
            // The representation is not cached, so nothing else refers to its samples.
            Some(stored) => Cow::Owned(std::mem::take(&mut stored.data)),
            None => Cow::Borrowed(&stored.data),
        }
    }

    /// Returns the tags of its segments' offsets and byte counts.
    pub(super) fn array_tags(&self) -> (Tag, Tag) {
        match self.grid.layout {
            Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
            Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
        }
    }
}

/// Sets the tags that describe color samples, which vary.
fn set_sample_tags(
    required: &mut RequiredTags,
    seed: &ImageFile,
    stored: &Representation,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<(), ChoiceError> {
    let grid = &stored.grid;
    let samples = usize::from(grid.samples_per_pixel);
    let formats = [("unsigned", Class::Baseline), ("undefined", Class::Questionable)];
    let format = choose_index(source, profile, dimension::SAMPLE_FORMAT, &formats)?;
    let format = if format == 0 { 1 } else { 4 };
    if seed.bits != grid.bits || seed.photometric != stored.photometric {
        // GrayResponseUnit is removed together with GrayResponseCurve.
        required.remove(Tag::GRAY_RESPONSE_UNIT);
    }
    required.set(Tag::BITS_PER_SAMPLE, &vec![grid.bits.into(); samples]);
    required.set(Tag::SAMPLE_FORMAT, &vec![format; samples]);
    let [least, most] = extremes(required, seed, stored);
    for (tag, value) in [(Tag::MIN_SAMPLE_VALUE, least), (Tag::MAX_SAMPLE_VALUE, most)] {
        required.set(tag, &vec![value; samples]);
    }
    Ok(())
}

/// Returns the least and the greatest value of color samples: the seed's, adjusted with bits and photometric if this
/// can be done exactly; otherwise those of the whole range.
fn extremes(required: &RequiredTags, seed: &ImageFile, stored: &Representation) -> [u64; 2] {
    let all_ones = |bits: u16| u128::from(u64::MAX >> (64 - bits));
    let (from, to) = (all_ones(seed.bits), all_ones(stored.grid.bits));
    let own = |tag| match required.get(tag) {
        Some([first, others @ ..]) if others.iter().all(|other| other == first) => {
            let scaled = u128::from(*first) * to;
            (scaled % from == 0 && scaled / from <= to).then_some(scaled / from)
        }
        _ => None,
    };
    let both = own(Tag::MIN_SAMPLE_VALUE).zip(own(Tag::MAX_SAMPLE_VALUE));
    let gray = |photometric: u16| photometric <= 1;
    let (least, most) = match both {
        // Indices into a palette are not levels.
        Some((least, most)) if seed.photometric == stored.photometric && seed.photometric != 3 => {
            (least, most)
        }
        Some((least, most)) if gray(seed.photometric) && gray(stored.photometric) => {
            (to - most, to - least)
        }
        _ => (0, to),
    };
    [least, most].map(|value| u64::try_from(value).unwrap_or(u64::MAX))
}

/// Sets the tags that depend on the bits of samples that are not colors. The format is kept, and so are the least and
/// the greatest value if they are the seed's own.
fn set_bits(required: &mut RequiredTags, seed: &ImageFile, grid: &Grid) {
    if grid.bits == seed.bits {
        return;
    }
    let samples = usize::from(grid.samples_per_pixel);
    required.set(Tag::BITS_PER_SAMPLE, &vec![grid.bits.into(); samples]);
    let all_ones = |bits: u16| u64::MAX >> (64 - bits);
    let most = required.get(Tag::MAX_SAMPLE_VALUE).unwrap_or(&[]);
    if most.iter().all(|value| *value == all_ones(seed.bits)) {
        required.set(Tag::MAX_SAMPLE_VALUE, &vec![all_ones(grid.bits); samples]);
    }
}

/// Sets the tags that describe the layout of the samples and their coding.
fn set_layout_tags(required: &mut RequiredTags, stored: &Representation, coding: &Coding) {
    let grid = &stored.grid;
    required.set_samples(&stored.extra_samples, &stored.color_map);
    let mut one = |tag: Tag, value: u64| required.set(tag, &[value]);
    one(Tag::IMAGE_WIDTH, grid.width.into());
    one(Tag::IMAGE_LENGTH, grid.height.into());
    one(Tag::COMPRESSION, coding.compression.code().into());
    one(Tag::PHOTOMETRIC_INTERPRETATION, stored.photometric.into());
    one(Tag::FILL_ORDER, if coding.reversed_bits { 2 } else { 1 });
    one(Tag::ORIENTATION, stored.orientation.into());
    one(Tag::SAMPLES_PER_PIXEL, grid.samples_per_pixel.into());
    one(Tag::PLANAR_CONFIGURATION, if grid.planar { 2 } else { 1 });
    if coding.compression.takes_predictor() {
        one(Tag::PREDICTOR, coding.predictor.code().into());
    }
    match grid.layout {
        Layout::Strips { rows_per_strip } => one(Tag::ROWS_PER_STRIP, rows_per_strip.into()),
        Layout::Tiles { width, length } => {
            one(Tag::TILE_WIDTH, width.into());
            one(Tag::TILE_LENGTH, length.into());
        }
    }
    if coding.compression == coding::Compression::T4 {
        one(Tag::T4_OPTIONS, coding.t4_options.into());
    }
    // Tags of the seed that belong to another layout or another compression.
    let idle: [(&[Tag], bool); 5] = [
        (&[Tag::PREDICTOR], !coding.compression.takes_predictor()),
        (&[Tag::T4_OPTIONS], coding.compression != coding::Compression::T4),
        (&[Tag::T6_OPTIONS], coding.compression != coding::Compression::T6),
        (&[Tag::ROWS_PER_STRIP], matches!(grid.layout, Layout::Tiles { .. })),
        (&[Tag::TILE_WIDTH, Tag::TILE_LENGTH], matches!(grid.layout, Layout::Strips { .. })),
    ];
    for tag in idle.iter().filter(|row| row.1).flat_map(|row| row.0) {
        required.remove(*tag);
    }
}
