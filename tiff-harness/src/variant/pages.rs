//! The pages of a variant after its first one.

use inverter::solve::{ChoiceSource, IntervalSet};

use super::arrays::{array, choose_counts};
use super::encode::{self, EncodedPicture};
use super::old_jpeg;
use crate::coding::Segments;
use crate::container::choices::{self, ContainerLayout, PageLayout, Target};
use crate::container::{ByteOrder, Format, Profile};
use crate::dimension;
use crate::error::VariantError;
use crate::image::Layout;
use crate::pages::Page;
use crate::pipeline::ANYWHERE;

/// The last place that a two-byte offset can address.
const NEAR: u64 = u16::MAX as u64;

/// Encodes the pages after the first, and adds them to `layout`, without the arrays of their
/// segments.
pub(super) fn encode<'d>(
    pages: &'d [Page],
    order: ByteOrder,
    profile: Profile,
    layout: &mut ContainerLayout,
    source: &mut ChoiceSource,
) -> Result<Vec<EncodedPicture<'d>>, VariantError> {
    let mut pictures = Vec::new();
    for page in pages {
        let (mut picture, entries) = page.within(source, |source| {
            let mut picture = encode::encode(page.file(), page.stages(), order, profile, source)?;
            picture.required.set_pages(1 + pages.len());
            let entries = choices::choose_page(source, layout, &picture.required)?;
            Ok::<_, VariantError>((picture, entries))
        })?;
        let segments = std::mem::replace(&mut picture.segments, Segments::Coded(Vec::new()));
        let segments = segments.split(&picture.take_samples());
        let old_jpeg = page.file().old_jpeg.as_ref();
        let pointers = old_jpeg.map(old_jpeg::pointers).unwrap_or_default();
        layout.pages.push(PageLayout { entries, segments, data: picture.data(), pointers });
        pictures.push(picture);
    }
    Ok(pictures)
}

/// Chooses the arrays of the segments of all pages but the first, and adds them to `layout`; the offsets are zeros at
/// first. Returns the last possible place of a segment of these pages.
pub(super) fn add_arrays(
    pages: &[Page],
    pictures: &[EncodedPicture<'_>],
    byte_counts: &[u64],
    layout: &mut ContainerLayout,
    profile: Profile,
    source: &mut ChoiceSource,
) -> Result<u64, VariantError> {
    let format = layout.format;
    let all_near = most_bytes(layout, byte_counts) <= NEAR;
    let mut reach = ANYWHERE;
    for (k, (page, picture)) in pages.iter().zip(pictures).enumerate() {
        let tiled = matches!(picture.grid.layout, Layout::Tiles { .. });
        let own = &mut layout.pages[k];
        let (at, lengths) = match picture.around() {
            Some((at, lengths)) => (*at, lengths.clone()),
            None => (0, own.segments.iter().map(|s| s.len() as u64).collect()),
        };
        let near = lengths.iter().all(|length| *length <= NEAR);
        let (offset_size, count_size) = page.within(source, |source| {
            let told = choose_counts(source, profile, picture.lone)?;
            let sizes = sizes(format, all_near && !tiled && at == 0);
            let offset_size = source.integer(dimension::OFFSET_BYTES, &sizes, &[])?;
            let sizes = self::sizes(format, near);
            let count_size =
                told.then(|| source.integer(dimension::COUNT_BYTES, &sizes, &[])).transpose()?;
            Ok::<_, VariantError>((offset_size as u64, count_size.map(|size| size as u64)))
        })?;
        if offset_size == 2 {
            reach = NEAR;
        }
        let (offsets, counts) = picture.array_tags();
        own.entries.push(array(offsets, format, offset_size, &vec![0; lengths.len()])?);
        if let Some(size) = count_size {
            own.entries.push(array(counts, format, size, &lengths)?);
        }
        own.entries.sort_by_key(|entry| entry.0);
        let places = (0..lengths.len()).map(|segment| (Target::Segment(segment), at));
        own.pointers.push((offsets, places.collect()));
    }
    Ok(reach)
}

/// Returns the sizes that integers of an array may have.
fn sizes(format: Format, two: bool) -> IntervalSet {
    let sizes = [(2, two), (4, true), (8, format == Format::Big)];
    IntervalSet::from_spans(sizes.iter().filter(|size| size.1).map(|(size, _)| (*size, *size)))
}

/// Returns an upper bound on the size of a file with nothing between its parts, whatever the types of its arrays.
fn most_bytes(layout: &ContainerLayout, byte_counts: &[u64]) -> u64 {
    let page_segments = layout.page_segments();
    let segments = byte_counts.iter().chain(&page_segments);
    let arrays = 2 * 8 * (byte_counts.len() + page_segments.len()) as u64;
    let entries = 2 * layout.format.entry_size() * (1 + layout.pages.len()) as u64;
    let blocks = layout.blocks();
    // A directory, a value or an array may need a byte to start at an even offset.
    let parts = 3 * (1 + layout.pages.len()) + blocks.len();
    let blocks = blocks.iter().map(|block| block.1);
    let most = segments.copied().chain(blocks).fold(0, u64::saturating_add);
    let header = layout.format.header_size() + layout.ifd_size(0);
    most.saturating_add(arrays + entries + parts as u64 + header)
}
