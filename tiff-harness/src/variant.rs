//! A picture to a file of it.

use std::borrow::Cow;
use std::sync::Arc;

use inverter::solve::{ChoiceError, ChoiceSource};

use crate::ask::ask;
use crate::coding::{self, Coding};
use crate::container::choices::{self, Chosen, Freedom, Part, Said, type_of_size};
use crate::container::write::write;
use crate::container::{Class, Profile, Tag, Values};
use crate::image::{ImageFile, Layout};
use crate::own::{BYTE_COUNTS, SAMPLE_FORMAT, SHARING, WORD_ALIGNMENT};
use crate::pipeline::{Placed, Representation, Room, Stages, place};
use crate::seed::VariantError;

/// A file of the picture of `stages` as `source` decides, with what else `seed` says; and how
/// the picture is stored in it.
///
/// # Errors
///
/// [`VariantError`].
pub fn build(
    seed: &ImageFile,
    stages: &Stages,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<(Vec<u8>, Arc<Representation>), VariantError> {
    let order = choices::choose_order(source)?;
    let mut stored = stages.represent(order, source)?;
    let grid = &stored.grid;
    let picture = coding::Picture {
        bits: grid.bits,
        samples_per_pixel: grid.samples_per_pixel,
        photometric: stored.photometric,
        planar: grid.planar,
    };
    let coding = coding::choose(source, picture, profile)?;
    let segments = coding::encode(&stored.data, grid, &coding, order, source)?;

    let mut chosen = say(seed, &stored, &coding, profile, source)?;
    let questionable = |name: &'static str| (name, Class::Questionable);
    let aligned = [("yes", Class::Baseline), questionable("no")];
    let word_aligned = ask(source, profile, WORD_ALIGNMENT, &aligned)? == 0;
    let lone = grid.segments() == 1 && coding.compression == coding::Compression::None;
    let told = [("told", Class::Baseline), questionable("left out")];
    let told = if lone { &told[..] } else { &told[..1] };
    let counts = ask(source, profile, BYTE_COUNTS, told)? == 0;
    let room = Room {
        format: chosen.format,
        word_aligned,
        tiled: matches!(grid.layout, Layout::Tiles { .. }),
        counts,
        ifd_bytes: chosen.ifd_size(1 + usize::from(counts)),
        blocks: chosen.blocks().iter().map(|b| b.1).collect(),
        byte_counts: segments.lengths(),
    };
    let sharing = profile == Profile::Wide || SHARING.iter().any(|name| source.is_given(name));
    let samples = match Arc::get_mut(&mut stored) {
        // Nobody else has them, or will.
        Some(stored) => Cow::Owned(std::mem::take(&mut stored.data)),
        None => Cow::Borrowed(&stored.data[..]),
    };
    let placed = place(&room, |longest| segments.padded(samples, longest), source, sharing)?;
    let arrays = arrays(&stored, &room, &placed, &chosen)?;
    chosen.entries.extend(arrays);
    chosen.entries.sort_by_key(|entry| entry.0);
    Ok((finish(chosen, &room, placed)?, stored))
}

/// What the directory says, but for the segments.
fn say(
    seed: &ImageFile,
    stored: &Representation,
    coding: &Coding,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<Chosen, ChoiceError> {
    let grid = &stored.grid;
    let samples = usize::from(grid.samples_per_pixel);
    let formats = [("unsigned", Class::Baseline), ("undefined", Class::Questionable)];
    let format = if ask(source, profile, SAMPLE_FORMAT, &formats)? == 0 { 1 } else { 4 };
    let mut said = Said::of(seed);
    if seed.bits != grid.bits || seed.photometric != stored.photometric {
        said.drop_of_samples();
    }
    let mut one = |tag: Tag, value: u64| said.set(tag, &[value]);
    one(Tag::IMAGE_WIDTH, grid.width.into());
    one(Tag::IMAGE_LENGTH, grid.height.into());
    one(Tag::COMPRESSION, coding.compression.code().into());
    one(Tag::PHOTOMETRIC_INTERPRETATION, stored.photometric.into());
    one(Tag::FILL_ORDER, if coding.reversed_bits { 2 } else { 1 });
    one(Tag::ORIENTATION, stored.orientation.into());
    one(Tag::SAMPLES_PER_PIXEL, samples as u64);
    one(Tag::PLANAR_CONFIGURATION, if grid.planar { 2 } else { 1 });
    if coding.compression.takes_predictor() {
        one(Tag::PREDICTOR, if coding.predictor { 2 } else { 1 });
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
    // What the seed says of another layout or another compression.
    let idle: [(&[Tag], bool); 5] = [
        (&[Tag::PREDICTOR], !coding.compression.takes_predictor()),
        (&[Tag::T4_OPTIONS], coding.compression != coding::Compression::T4),
        (&[Tag::T6_OPTIONS], coding.compression != coding::Compression::T6),
        (&[Tag::ROWS_PER_STRIP], matches!(grid.layout, Layout::Tiles { .. })),
        (&[Tag::TILE_WIDTH, Tag::TILE_LENGTH], matches!(grid.layout, Layout::Strips { .. })),
    ];
    for tag in idle.iter().filter(|row| row.1).flat_map(|row| row.0) {
        said.remove(*tag);
    }
    said.set(Tag::BITS_PER_SAMPLE, &vec![grid.bits.into(); samples]);
    said.set(Tag::SAMPLE_FORMAT, &vec![format; samples]);
    for (tag, value) in
        [(Tag::MIN_SAMPLE_VALUE, 0), (Tag::MAX_SAMPLE_VALUE, (1u64 << grid.bits) - 1)]
    {
        said.set(tag, &vec![value; samples]);
    }

    let mut chosen = choices::choose(source, &Freedom::all(profile), &said)?;
    // A palette picture says how large its palette is (section 5, required fields).
    let bits: &[u16] = if stored.color_map.is_empty() { &[] } else { &[grid.bits] };
    for (tag, values) in [
        (Tag::EXTRA_SAMPLES, &stored.extra_samples[..]),
        (Tag::COLOR_MAP, &stored.color_map),
        (Tag::BITS_PER_SAMPLE, bits),
    ] {
        let told = chosen.entries.iter().any(|entry| entry.0 == tag);
        if !values.is_empty() && !told {
            chosen.entries.push((tag, Values::shorts(values)));
        }
    }
    chosen.entries.sort_by_key(|entry| entry.0);
    Ok(chosen)
}

/// The arrays of the segments' offsets and byte counts.
fn arrays(
    stored: &Representation,
    room: &Room,
    placed: &Placed,
    chosen: &Chosen,
) -> Result<Vec<(Tag, Values)>, VariantError> {
    let (offsets, counts) = match stored.grid.layout {
        Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    };
    let array = |tag: Tag, size: u64, values: &[u64]| {
        let kind = type_of_size(tag, chosen.format, size);
        let values = kind.and_then(|kind| Values::integers(kind, values));
        let values = values.map(|values| (tag, values));
        values.ok_or_else(|| VariantError::Internal(format!("{tag} does not fit {size} bytes")))
    };
    let mut out = vec![array(offsets, placed.offset_size, &placed.segment_offsets)?];
    if room.counts {
        out.push(array(counts, placed.count_size, &room.byte_counts)?);
    }
    Ok(out)
}

/// Everything in its place.
fn finish(chosen: Chosen, room: &Room, placed: Placed) -> Result<Vec<u8>, VariantError> {
    // The blocks in the order of the entries: the spec places the segments' own two apart.
    let mut others = placed.block_offsets.iter().copied();
    let place = |(part, _): &(Part, u64)| match *part {
        Part::Values(Tag::STRIP_OFFSETS | Tag::TILE_OFFSETS) => Some(placed.offsets_offset),
        Part::Values(Tag::STRIP_BYTE_COUNTS | Tag::TILE_BYTE_COUNTS) => Some(placed.counts_offset),
        _ => others.next(),
    };
    let places: Option<Vec<u64>> = chosen.blocks().iter().map(place).collect();
    let places = places.filter(|_| others.next().is_none());
    let places = places.ok_or_else(|| {
        VariantError::Internal(format!(
            "{} blocks are not those of the directory",
            room.blocks.len()
        ))
    })?;
    let defect = |e: crate::error::PlanError| VariantError::Internal(e.to_string());
    let plan = chosen.plan(placed.ifd_offset, &places).map_err(defect)?;
    let mut bytes = placed.file;
    write(&plan, &mut bytes).map_err(defect)?;
    Ok(bytes)
}
