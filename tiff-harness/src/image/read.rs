//! Reads a checked picture from a directory.

use crate::container::{Container, Entry, FieldType, Ifd, Span, Tag};
use crate::error::TiffError;

use super::fields::Fields;
use super::supported::{picture_kind, unsupported};
use super::{
    Content, Grid, ImageFile, Layout, MAX_PIXELS, MAX_STORED_PIXELS, OldJpeg, Segment, rest,
};

/// Checks the first picture of a file whose structure has been read.
///
/// # Errors
///
/// Returns an error if the picture is damaged, or has an unsupported feature.
pub fn read_image(container: &Container, file: &[u8]) -> Result<ImageFile, TiffError> {
    read_directory(container, &container.ifd, file, MAX_PIXELS)
}

/// Like [`read_image`], for pictures of up to [`MAX_STORED_PIXELS`] pixels if they are stored without compression.
///
/// # Errors
///
/// As [`read_image`].
pub fn read_large_image(container: &Container, file: &[u8]) -> Result<ImageFile, TiffError> {
    read_directory(container, &container.ifd, file, MAX_STORED_PIXELS)
}

/// Checks the picture of any directory of a file.
///
/// # Errors
///
/// As [`read_image`].
pub(super) fn read_directory(
    container: &Container,
    ifd: &Ifd,
    file: &[u8],
    most: u64,
) -> Result<ImageFile, TiffError> {
    let fields = Fields::new(ifd)?;
    let kind = picture_kind(&fields)?;
    let width = fields.at_least_one(Tag::IMAGE_WIDTH)?;
    let height = fields.at_least_one(Tag::IMAGE_LENGTH)?;
    check_size(width, height, if kind.compression == 1 { most } else { MAX_PIXELS })?;
    let orientation = fields.one(Tag::ORIENTATION)?;
    if !(1..=8).contains(&orientation) {
        return Err(fields.bad(Tag::ORIENTATION, orientation, "1 to 8"));
    }
    let planar = fields.one(Tag::PLANAR_CONFIGURATION)?;
    if !(1..=2).contains(&planar) {
        return Err(fields.bad(Tag::PLANAR_CONFIGURATION, planar, "1 or 2"));
    }
    let layout = layout(ifd, &fields)?;
    let grid = Grid {
        width,
        height,
        bits: kind.bits,
        samples_per_pixel: kind.samples_per_pixel,
        planar: planar == 2,
        layout,
    };
    let streams = matches!(kind.content, Content::Streams(_));
    let coded = kind.compression != 1 || streams;
    let (segments, offset_type, count_type) = segments(&grid, ifd, file, coded)?;
    if let Some(k) = segments.iter().position(|s| streams && s.byte_count == 0) {
        // Without bytes, the offset has no meaning.
        let what = format!("an empty strip or tile, number {k}, which has no stream,");
        return Err(unsupported(what, ""));
    }
    let old_jpeg = match kind.compression {
        6 => OldJpeg::read(ifd, &segments, file)?,
        _ => None,
    };
    let (carried, left_out) = rest::carry(ifd, &kind.content, old_jpeg.is_some());
    Ok(ImageFile {
        order: container.order,
        format: container.format,
        width,
        height,
        content: kind.content,
        bits: kind.bits,
        samples_per_pixel: kind.samples_per_pixel,
        photometric: kind.photometric,
        extra_samples: kind.extra_samples,
        sample_format: kind.sample_format,
        color_map: kind.color_map,
        planar: planar as u16,
        orientation: orientation as u16,
        compression: kind.compression,
        predictor: kind.predictor,
        fill_order: kind.fill_order,
        t4_options: kind.t4_options,
        layout,
        segments,
        old_jpeg,
        offset_type,
        count_type,
        integers: rest::integers(&fields, ifd, kind.samples_per_pixel)?,
        carried,
        left_out,
        further_pages: container.later_ifds.len(),
        ifd: ifd.span,
        blocks: rest::blocks(ifd),
        spare: rest::spare(ifd, container.format, file),
    })
}

/// Checks that a picture has at most `most` pixels.
fn check_size(width: u32, height: u32, most: u64) -> Result<(), TiffError> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels <= most {
        return Ok(());
    }
    let what = format!("a picture of {width} x {height} = {pixels} pixels");
    Err(match most {
        MAX_PIXELS => unsupported(what, "the most is 67108864"),
        _ => unsupported(what, "the most is 4294967296"),
    })
}

/// Reads the layout: strips, or tiles if there is TileWidth (section 15).
fn layout(ifd: &Ifd, fields: &Fields<'_>) -> Result<Layout, TiffError> {
    if ifd.get(Tag::TILE_WIDTH).is_none() && ifd.get(Tag::TILE_OFFSETS).is_none() {
        return Ok(Layout::Strips { rows_per_strip: fields.at_least_one(Tag::ROWS_PER_STRIP)? });
    }
    if ifd.get(Tag::STRIP_OFFSETS).is_some() {
        return Err(unsupported("a picture in strips and tiles at once".to_owned(), ""));
    }
    let side = |tag: Tag| -> Result<u32, TiffError> {
        let value = fields.at_least_one(tag)?;
        // Section 15: "TileWidth must be a multiple of 16", and so must TileLength.
        match value.is_multiple_of(16) {
            true if u64::from(value) <= MAX_PIXELS => Ok(value),
            true => Err(fields.bad(tag, value.into(), "a multiple of 16, at most 67108864")),
            false => Err(fields.bad(tag, value.into(), "a multiple of 16")),
        }
    };
    Ok(Layout::Tiles { width: side(Tag::TILE_WIDTH)?, length: side(Tag::TILE_LENGTH)? })
}

/// The number of decoded bytes that all segments may always have, however small the picture is.
const MAX_PADDED: u64 = 1 << 23;

/// The maximum number of bytes of all decoded segments for one byte of the picture, because the padding of tiles must
/// stay in proportion. Tiles that variants have need less than 64, or fewer than [`MAX_PADDED`] bytes: a tile is at
/// most 31 pixels wider and longer than the picture (`pipeline::records::max_tile_side`).
const MAX_PADDING: u64 = 64;

type Placed = (Vec<Segment>, FieldType, Option<FieldType>);

/// Reads the segments, and checks that each is inside the file. `coded` segments may be shorter than their samples.
fn segments(grid: &Grid, ifd: &Ifd, file: &[u8], coded: bool) -> Result<Placed, TiffError> {
    let (offsets, counts, what) = match grid.layout {
        Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS, "strip"),
        Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS, "tile"),
    };
    let needed = grid.segments();
    let has = file.len() as u64;
    let numbers = |entry: &Entry| -> Result<Vec<u64>, TiffError> {
        let count = entry.values.count();
        if count != needed {
            let must = format!("{needed}, one a {what}");
            return Err(TiffError::WrongCount { tag: entry.tag, at: entry.at, count, must });
        }
        Fields::numbers(entry)
    };
    let entry = ifd.get(offsets).ok_or(TiffError::Missing { tag: offsets, ifd: ifd.span.at })?;
    let at = numbers(entry)?;
    let lengths = match ifd.get(counts) {
        Some(entry) => numbers(entry)?,
        // A single segment needs no byte count, because its length follows from the size of the picture, or from the
        // length of the file.
        None if needed == 1 && !coded => vec![grid.bytes(0)],
        None if needed == 1 => vec![has.saturating_sub(at[0])],
        None => return Err(TiffError::Missing { tag: counts, ifd: ifd.span.at }),
    };
    let decoded = (0..needed).map(|k| grid.decoded_bytes(k)).fold(0u64, u64::saturating_add);
    let picture = grid.picture_bytes();
    if decoded > picture.saturating_mul(MAX_PADDING).max(MAX_PADDED) {
        let what = format!("{needed} {what}s of {decoded} bytes for a picture of {picture} bytes");
        return Err(unsupported(what, ""));
    }
    let mut out = Vec::with_capacity(at.len());
    for (k, (offset, byte_count)) in at.into_iter().zip(lengths).enumerate() {
        let span = Span { at: offset, len: byte_count };
        if span.of(file).is_none() {
            let what = format!("{what} {k}");
            return Err(TiffError::Outside { what, at: offset, needs: byte_count.into(), has });
        }
        let needs = grid.bytes(k as u64);
        if !coded && byte_count < needs {
            return Err(TiffError::ShortSegment {
                what,
                index: k,
                at: offset,
                has: byte_count,
                needs,
            });
        }
        out.push(Segment { offset, byte_count });
    }
    Ok((out, entry.values.kind(), ifd.get(counts).map(|entry| entry.values.kind())))
}
