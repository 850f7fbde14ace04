//! Builds a file from pictures.
//!
//! [`build`] runs the pipeline of each page backwards, encodes the segments, chooses the container,
//! places all parts and writes the file. All choices come from one source.

mod arrays;
mod encode;
mod old_jpeg;
mod pages;

use std::sync::Arc;

use inverter::run::Bytes;
use inverter::solve::{ChoiceError, ChoiceSource};

use arrays::{array, choose_counts};
use encode::{EncodedPicture, EncodedStreams, encode};

use crate::alternatives::choose_index;
use crate::coding::Segments;
use crate::container::choices::{self, ContainerLayout, Part, WriterOptions};
use crate::container::write::write_bytes;
use crate::container::{ByteOrder, Class, Profile, Tag, Values};
use crate::dimension;
use crate::error::{PlanError, VariantError};
use crate::image::{ImageFile, Layout, belongs_to_another};
use crate::pages::Page;
use crate::pipeline::{ANYWHERE, FileParts, PlacedFile, Representation, Stages, place};

/// The dimensions that let equal parts share a place.
const SHARING: [&str; 3] =
    [dimension::SEGMENT_SHARING, dimension::BLOCK_SHARING, dimension::PAGE_SEGMENT_SHARING];

/// The pages of a seed that form its canonical value.
#[derive(Clone, Copy)]
pub struct Document<'d> {
    /// The first page.
    pub file: &'d ImageFile,
    /// The canonical value of the first page.
    pub stages: &'d Stages,
    /// The pages after it.
    pub pages: &'d [Page],
}

/// Builds the file that `source` determines, with the canonical values and the other tags of the pages of `seed`. Also
/// returns the representation of the value in the first page, if its segments are encoded.
///
/// # Errors
///
/// Returns [`VariantError`].
pub fn build(
    seed: Document<'_>,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<(Bytes, Option<Arc<Representation>>), VariantError> {
    let order = seed.order(source)?;
    let mut first = encode(seed.file, seed.stages, order, profile, source)?;
    first.required.set_pages(1 + seed.pages.len());
    let options = WriterOptions { pages: seed.numbered(), ..WriterOptions::all(profile) };
    let mut layout = choices::choose_first(source, &options, &first.required)?;
    let others = pages::encode(seed.pages, order, profile, &mut layout, source)?;
    let required = std::iter::once(&first).chain(&others).map(|picture| &picture.required);
    choices::settle(&mut layout, &required.collect::<Vec<_>>());
    first.add_tags(&mut layout.entries);
    layout.data = first.data();
    for (page, picture) in layout.pages.iter_mut().zip(&others) {
        picture.add_tags(&mut page.entries);
    }
    let bytes = assemble(&mut first, &others, seed.pages, layout, profile, source)?;
    Ok((bytes, first.stored))
}

impl Document<'_> {
    /// Chooses the byte order, unless streams of a page require the seed's byte order.
    fn order(&self, source: &mut ChoiceSource) -> Result<ByteOrder, ChoiceError> {
        let mut stages = std::iter::once(self.stages).chain(self.pages.iter().map(Page::stages));
        let Some(order) = stages.find_map(Stages::order) else {
            return choices::choose_order(source);
        };
        let why = || "streams whose samples have the byte order of the file".to_owned();
        source.fix(dimension::BYTE_ORDER, order.mark().into(), why)?;
        Ok(order)
    }

    /// Returns the number of pages that have page numbers, which excludes reduced versions of others and masks.
    fn numbered(&self) -> u16 {
        let files = std::iter::once(self.file).chain(self.pages.iter().map(Page::file));
        let count = files.filter(|file| !belongs_to_another(file.subfile_type())).count();
        u16::try_from(count).unwrap_or(u16::MAX)
    }
}

/// Finds a place for every part, and writes the file. `layout` has the directory of the first page and
/// those of `others`, which encode the pages `own` of the seed.
fn assemble(
    first: &mut EncodedPicture<'_>,
    others: &[EncodedPicture<'_>],
    own: &[Page],
    mut layout: ContainerLayout,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<Bytes, VariantError> {
    if first.around().is_some_and(|(at, _)| *at > 0) {
        // An offset of two bytes may reach the data, but not the strip inside it.
        let why = || "a strip inside of other data".to_owned();
        source.fix(dimension::OFFSET_BYTES, 4.into(), why)?;
    }
    let aligned = [("yes", Class::Baseline), ("no", Class::Questionable)];
    let word_aligned = choose_index(source, profile, dimension::WORD_ALIGNMENT, &aligned)? == 0;
    let counts = choose_counts(source, profile, first.lone)?;
    let byte_counts = first.segments.lengths();
    let reach = match own {
        [] => ANYWHERE,
        _ => pages::add_arrays(own, others, &byte_counts, &mut layout, profile, source)?,
    };
    let mut parts = FileParts {
        format: layout.format,
        word_aligned,
        tiled: matches!(first.grid.layout, Layout::Tiles { .. }),
        counts,
        ifd_bytes: layout.ifd_size(1 + usize::from(counts)),
        blocks: layout.blocks().iter().map(|b| b.1).collect(),
        page_segments: layout.page_segments(),
        reach,
        byte_counts,
    };
    let sharing = profile == Profile::Wide || SHARING.into_iter().any(|name| source.is_given(name));
    let tags = first.array_tags();
    let segments = std::mem::replace(&mut first.segments, Segments::Coded(Vec::new()));
    let samples = first.take_samples();
    let mut placed = place(&parts, |longest| segments.padded(samples, longest), source, sharing)?;
    if let Some(EncodedStreams { around, old_jpeg, .. }) = &mut first.streams {
        if let Some(data) = old_jpeg {
            old_jpeg::point_to_data(data, &mut layout, &parts, &placed)?;
        }
        if let Some((at, byte_counts)) = around.take() {
            placed.segment_offsets.iter_mut().for_each(|offset| *offset += at);
            parts.byte_counts = byte_counts;
        }
    }
    let arrays = arrays(tags, &parts, &placed, &layout)?;
    layout.entries.extend(arrays);
    layout.entries.sort_by_key(|entry| entry.0);
    finish(layout, &parts, placed)
}

/// Returns the arrays of the segments' offsets and byte counts.
fn arrays(
    (offsets, counts): (Tag, Tag),
    parts: &FileParts,
    placed: &PlacedFile,
    layout: &ContainerLayout,
) -> Result<Vec<(Tag, Values)>, VariantError> {
    let format = layout.format;
    let mut out = vec![array(offsets, format, placed.offset_size, &placed.segment_offsets)?];
    if parts.counts {
        out.push(array(counts, format, placed.count_size, &parts.byte_counts)?);
    }
    Ok(out)
}

/// Writes directory and blocks at their places.
fn finish(
    layout: ContainerLayout,
    parts: &FileParts,
    placed: PlacedFile,
) -> Result<Bytes, VariantError> {
    // Blocks come in the order of the entries; the spec places the two arrays of segments separately.
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
    let plan = layout.plan_pages(placed.ifd_offset, &places, &placed.page_segment_offsets);
    let plan = plan.map_err(internal)?;
    let mut bytes = placed.file;
    write_bytes(&plan, &mut bytes).map_err(internal)?;
    Ok(bytes)
}
