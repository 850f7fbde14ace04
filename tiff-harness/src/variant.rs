//! From a picture to a file of it.
//!
//! [`build`] runs the pipeline backwards, encodes the segments, chooses the container, places all
//! parts and writes the file. All choices come from one source.

use std::borrow::Cow;
use std::sync::Arc;

use inverter::solve::{ChoiceError, ChoiceSource};

use crate::alternatives::choose_index;
use crate::coding::{self, Coding, SampleLayout, Segments};
use crate::container::choices::{
    self, ContainerLayout, Part, RequiredTags, WriterOptions, type_of_size,
};
use crate::container::write::write;
use crate::container::{Class, FieldType, Profile, Tag, Values};
use crate::dimension;
use crate::error::{PlanError, VariantError};
use crate::image::{Grid, ImageFile, InBlock, Layout, OldJpeg, STREAM_TAGS};
use crate::pipeline::{FileParts, PlacedFile, Representation, Stages, Streams, place};
use crate::samples::Label;

/// The dimensions of equal parts in one place.
const SHARING: [&str; 2] = [dimension::SEGMENT_SHARING, dimension::BLOCK_SHARING];

/// Builds the file that `source` decides on: it has the canonical value of `stages` and the other tags of
/// `seed`. Returns the representation of the value in it, too, if its segments are encoded.
///
/// # Errors
///
/// [`VariantError`].
pub fn build(
    seed: &ImageFile,
    stages: &Stages,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<(Vec<u8>, Option<Arc<Representation>>), VariantError> {
    let order = choices::choose_order(source)?;
    let mut stored = match stages {
        Stages::Colors(colors) => colors.represent(order, source)?,
        Stages::Samples(samples) => samples.represent(order, source)?,
        Stages::Streams(streams) => {
            return Ok((stream_file(seed, streams, profile, source)?, None));
        }
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
    let mut layout = choices::choose(source, &WriterOptions::all(profile), &required)?;
    add_color_tags(&mut layout, &stored);
    let samples = match Arc::get_mut(&mut stored) {
        // The representation is not cached: nothing else refers to its samples.
        Some(stored) => Cow::Owned(std::mem::take(&mut stored.data)),
        None => Cow::Borrowed(&stored.data[..]),
    };
    let lone = grid.segments() == 1 && coding.compression == coding::Compression::None;
    let picture = EncodedPicture { grid, segments, samples, lone, around: None, old_jpeg: None };
    let bytes = assemble(picture, layout, profile, source)?;
    Ok((bytes, Some(stored)))
}

/// Builds the file of streams that are not decoded: their container varies, and the places of all parts.
fn stream_file(
    seed: &ImageFile,
    streams: &Streams,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<Vec<u8>, VariantError> {
    let mut required = RequiredTags::of(seed);
    required.set_samples(&seed.extra_samples, &seed.color_map);
    required.keep(&Label::TAGS);
    required.keep(&STREAM_TAGS);
    required.keep(&OldJpeg::POINTERS);
    let (tables, segments) = streams.rearranged(source, profile)?;
    let mut layout = choices::choose(source, &WriterOptions::all(profile), &required)?;
    layout.entries.retain(|entry| entry.0 != Tag::JPEG_TABLES);
    layout.entries.extend(tables.map(|tables| (Tag::JPEG_TABLES, tables)));
    layout.entries.sort_by_key(|entry| entry.0);
    for (tag, values) in
        [(Tag::EXTRA_SAMPLES, &seed.extra_samples), (Tag::COLOR_MAP, &seed.color_map)]
    {
        add_shorts(&mut layout, tag, values);
    }
    for entry in &mut layout.entries {
        // Offsets of two bytes would not reach every place.
        if OldJpeg::POINTERS.contains(&entry.0) && entry.1.kind().size() < Some(4) {
            let numbers = entry.1.as_integers().unwrap_or_default();
            entry.1 = Values::integers(FieldType::Long, &numbers).unwrap_or(entry.1.clone());
        }
    }
    let mut segments = Segments::Coded(segments);
    let mut around = None;
    if let Some(data) = &seed.old_jpeg {
        layout.data = data.blocks().map(|(_, _, bytes)| bytes.to_vec()).collect();
        if let Some((_, bytes, strip)) = data.strip_block() {
            around = Some((strip.at, segments.lengths()));
            segments = Segments::Coded(vec![bytes.to_vec()]);
            if strip.at > 0 {
                // An offset of two bytes may reach the data, and not the strip inside of it.
                let why = || "a strip inside of other data".to_owned();
                source.fix(dimension::OFFSET_BYTES, 4.into(), why)?;
            }
        }
    }
    let samples = Cow::Borrowed(&[][..]);
    let old_jpeg = seed.old_jpeg.as_ref();
    let picture =
        EncodedPicture { grid: streams.grid(), segments, samples, lone: false, around, old_jpeg };
    assemble(picture, layout, profile, source)
}

/// A picture whose segments are encoded.
struct EncodedPicture<'s> {
    grid: Grid,
    segments: Segments,
    /// The samples of all segments, where these are stored as they are.
    samples: Cow<'s, [u8]>,
    /// True if there is one segment without compression, which needs no byte count.
    lone: bool,
    /// If the single segment is data around the strip: the strip's place in it, and its byte count.
    around: Option<(u64, Vec<u64>)>,
    /// The data that tags of old-style JPEG point to.
    old_jpeg: Option<&'s OldJpeg>,
}

/// Finds a place for every part, and writes the file.
fn assemble(
    picture: EncodedPicture<'_>,
    mut layout: ContainerLayout,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<Vec<u8>, VariantError> {
    let EncodedPicture { grid, segments, samples, lone, around, old_jpeg } = picture;
    let questionable = |name: &'static str| (name, Class::Questionable);
    let aligned = [("yes", Class::Baseline), questionable("no")];
    let word_aligned = choose_index(source, profile, dimension::WORD_ALIGNMENT, &aligned)? == 0;
    let counts = [("told", Class::Baseline), questionable("left out")];
    let counts = if lone { &counts[..] } else { &counts[..1] };
    let counts = choose_index(source, profile, dimension::BYTE_COUNTS, counts)? == 0;
    let mut parts = FileParts {
        format: layout.format,
        word_aligned,
        tiled: matches!(grid.layout, Layout::Tiles { .. }),
        counts,
        ifd_bytes: layout.ifd_size(1 + usize::from(counts)),
        blocks: layout.blocks().iter().map(|b| b.1).collect(),
        byte_counts: segments.lengths(),
    };
    let sharing = profile == Profile::Wide || SHARING.into_iter().any(|name| source.is_given(name));
    let mut placed = place(&parts, |longest| segments.padded(samples, longest), source, sharing)?;
    if let Some(data) = old_jpeg {
        point_to_data(data, &mut layout, &parts, &placed)?;
    }
    if let Some((at, byte_counts)) = around {
        placed.segment_offsets.iter_mut().for_each(|offset| *offset += at);
        parts.byte_counts = byte_counts;
    }
    let arrays = arrays(grid.layout, &parts, &placed, &layout)?;
    layout.entries.extend(arrays);
    layout.entries.sort_by_key(|entry| entry.0);
    finish(layout, &parts, placed)
}

/// Sets the tags of old-style JPEG that point to data, which has its place.
fn point_to_data(
    data: &OldJpeg,
    layout: &mut ContainerLayout,
    parts: &FileParts,
    placed: &PlacedFile,
) -> Result<(), VariantError> {
    let blocks = layout.blocks();
    let place = |k| {
        let found = blocks.iter().position(|(part, _)| *part == Part::OwnData(k))?;
        placed.block_offsets.get(found).copied()
    };
    let own = data.blocks().enumerate();
    let mut places: Vec<(usize, Option<u64>)> =
        own.map(|(k, (block, ..))| (block, place(k))).collect();
    if let Some((_, _, strip)) = data.strip_block() {
        places.push((strip.block, placed.segment_offsets.first().copied()));
    }
    for (tag, to) in data.pointers() {
        let offset = |to: &InBlock| {
            let place = places.iter().find(|place| place.0 == to.block)?.1?;
            Some(place + to.at)
        };
        let offsets: Option<Vec<u64>> = to.iter().map(offset).collect();
        let entry = layout.entries.iter_mut().find(|entry| entry.0 == tag);
        let values = entry.zip(offsets).and_then(|(entry, offsets)| {
            entry.1 = Values::integers(entry.1.kind(), &offsets)?;
            Some(())
        });
        values.ok_or_else(|| {
            let blocks = parts.blocks.len();
            VariantError::Internal(format!("{tag} has no place among {blocks} blocks"))
        })?;
    }
    Ok(())
}

/// Sets the tags that describe the samples of colors, which vary.
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
        // It goes with GrayResponseCurve.
        required.remove(Tag::GRAY_RESPONSE_UNIT);
    }
    required.set(Tag::BITS_PER_SAMPLE, &vec![grid.bits.into(); samples]);
    required.set(Tag::SAMPLE_FORMAT, &vec![format; samples]);
    for (tag, value) in
        [(Tag::MIN_SAMPLE_VALUE, 0), (Tag::MAX_SAMPLE_VALUE, u64::MAX >> (64 - grid.bits))]
    {
        required.set(tag, &vec![value; samples]);
    }
    Ok(())
}

/// Sets the tags that depend on the bits of samples that are no colors. The format stays, and the least
/// and the greatest value if they are the seed's own.
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

/// Adds ExtraSamples and ColorMap. A palette picture needs BitsPerSample for the size of its palette
/// (section 5, required fields).
fn add_color_tags(layout: &mut ContainerLayout, stored: &Representation) {
    let bits: &[u16] = if stored.color_map.is_empty() { &[] } else { &[stored.grid.bits] };
    for (tag, values) in [
        (Tag::EXTRA_SAMPLES, &stored.extra_samples[..]),
        (Tag::COLOR_MAP, &stored.color_map),
        (Tag::BITS_PER_SAMPLE, bits),
    ] {
        add_shorts(layout, tag, values);
    }
    layout.entries.sort_by_key(|entry| entry.0);
}

/// Adds a tag, unless it is there or has no values.
fn add_shorts(layout: &mut ContainerLayout, tag: Tag, values: &[u16]) {
    let present = layout.entries.iter().any(|entry| entry.0 == tag);
    if !values.is_empty() && !present {
        layout.entries.push((tag, Values::shorts(values)));
    }
}

/// Returns the arrays of the segments' offsets and byte counts.
fn arrays(
    layout_of_segments: Layout,
    parts: &FileParts,
    placed: &PlacedFile,
    layout: &ContainerLayout,
) -> Result<Vec<(Tag, Values)>, VariantError> {
    let (offsets, counts) = match layout_of_segments {
        Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    };
    let array = |tag: Tag, size: u64, values: &[u64]| {
        let kind = type_of_size(tag, layout.format, size);
        let values = kind.and_then(|kind| Values::integers(kind, values));
        let values = values.map(|values| (tag, values));
        values.ok_or_else(|| VariantError::Internal(format!("{tag} does not fit {size} bytes")))
    };
    let mut out = vec![array(offsets, placed.offset_size, &placed.segment_offsets)?];
    if parts.counts {
        out.push(array(counts, placed.count_size, &parts.byte_counts)?);
    }
    Ok(out)
}

/// Writes directory and blocks at their places.
fn finish(
    layout: ContainerLayout,
    parts: &FileParts,
    placed: PlacedFile,
) -> Result<Vec<u8>, VariantError> {
    // Blocks come in the order of the entries; the spec places the two arrays of segments by
    // themselves.
    let mut others = placed.block_offsets.iter().copied();
    let place = |(part, _): &(Part, u64)| match *part {
        Part::Values(Tag::STRIP_OFFSETS | Tag::TILE_OFFSETS) => Some(placed.offsets_offset),
        Part::Values(Tag::STRIP_BYTE_COUNTS | Tag::TILE_BYTE_COUNTS) => Some(placed.counts_offset),
        _ => others.next(),
    };
    let places: Option<Vec<u64>> = layout.blocks().iter().map(place).collect();
    let places = places.filter(|_| others.next().is_none());
    let places = places.ok_or_else(|| {
        VariantError::Internal(format!(
            "{} blocks are placed, the directory has others",
            parts.blocks.len()
        ))
    })?;
    let internal = |e: PlanError| VariantError::Internal(e.to_string());
    let plan = layout.plan(placed.ifd_offset, &places).map_err(internal)?;
    let mut bytes = placed.file;
    write(&plan, &mut bytes).map_err(internal)?;
    Ok(bytes)
}
