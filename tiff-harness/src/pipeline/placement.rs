//! The placement stage: the places of directory, values and segments in a file.
//!
//! [`place`] inverts it for a new file, [`read_placement`] runs it on a file that was read.
//! TIFF 6.0, section 2, leaves all offsets to the writer.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use inverter::run::{Bytes, Limits, Record, Runner, normalize_with, own_choices};
use inverter::solve::{ChoiceSource, Choices};
use normalizers::tiff::PLACEMENT;

use super::records::{array_bytes, bytes, long_cells, longs, number, record, scalar, take_bytes};
use crate::container::{FieldType, Format, Span, Tag};
use crate::error::VariantError;
use crate::image::{ImageFile, Layout, OldJpeg, Segment};

/// Returns the maximum number of bytes that segments of `total` bytes may take when they are padded to the longest, as
/// the stage requires. This is enough unless very many segments are much shorter than the longest.
fn max_padded_bytes(total: u64) -> u64 {
    total.saturating_mul(4).saturating_add(1 << 24)
}

/// The maximum number of bytes of all segments of a variant, padded to the longest.
const MAX_PADDED: u64 = 1 << 36;

/// The maximum number of bytes of file and segments for which the baseline is traced.
const MAX_TRACED: usize = 1 << 20;
/// The maximum if segments overlap. It is lower because tracing then takes some hundred bytes of memory for each byte.
const MAX_TRACED_OVERLAPPING: usize = 1 << 17;

/// The parts for which a file must have room.
#[derive(Debug, Clone)]
pub struct FileParts {
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// True if directories and values begin at even offsets (TIFF 6.0, section 2).
    pub word_aligned: bool,
    /// True if the segments are tiles.
    pub tiled: bool,
    /// True if the file has the array of the segments' byte counts.
    pub counts: bool,
    /// The length of the directory.
    pub ifd_bytes: u64,
    /// The lengths of values that do not fit into their entries, except for the two arrays of segments, and of all
    /// directories but the first, with their values.
    pub blocks: Vec<u64>,
    /// The lengths of the segments of the pages after the first.
    pub page_segments: Vec<u64>,
    /// The last place of a segment of these pages at which its offset still fits into its array.
    pub reach: u64,
    /// The lengths of the stored segments.
    pub byte_counts: Vec<u64>,
}

/// The reach of offsets that can address all places.
pub const ANYWHERE: u64 = u64::MAX >> 1;

/// A file in which every part has its place. The segments are written, but not the other parts.
#[derive(Debug, Clone)]
pub struct PlacedFile {
    /// The bytes, with filler in the place of directory and blocks.
    pub file: Bytes,
    /// The offset of the directory.
    pub ifd_offset: u64,
    /// The offsets of the blocks.
    pub block_offsets: Vec<u64>,
    /// The offsets of the segments of the pages after the first.
    pub page_segment_offsets: Vec<u64>,
    /// The offsets of the segments.
    pub segment_offsets: Vec<u64>,
    /// The size in bytes of each value in the array of the segments' offsets.
    pub offset_size: u64,
    /// The size in bytes of each value in the array of the segments' byte counts.
    pub count_size: u64,
    /// The offset of the array of offsets, if it does not fit into its entry.
    pub offsets_offset: u64,
    /// The offset of the array of byte counts, if it does not fit into its entry.
    pub counts_offset: u64,
}

/// The stage's inverse, with segments that may share bytes.
static SHARING: LazyLock<Arc<Runner<'static>>> =
    LazyLock::new(|| Arc::new(Runner::new(PLACEMENT.inverse(), Limits::default())));

/// Finds a place for every part, as `source` decides. `data` returns the stored segments, all padded to the requested
/// length. Segments of equal bytes may share them only if `sharing` is true (TIFF 6.0, section 7, "No Duplicate
/// Pointers").
///
/// # Errors
///
/// Returns [`VariantError`].
pub fn place(
    parts: &FileParts,
    data: impl FnOnce(usize) -> Bytes,
    source: &mut ChoiceSource,
    sharing: bool,
) -> Result<PlacedFile, VariantError> {
    let inverse = PLACEMENT.inverse();
    let counts = &parts.byte_counts;
    let longest = counts.iter().copied().max().unwrap_or(0);
    let total = counts.iter().sum::<u64>();
    let padded = longest.saturating_mul(counts.len() as u64);
    if padded > MAX_PADDED {
        let why = format!(
            "{} segments of up to {longest} bytes are too large: together they take more than {MAX_PADDED}",
            counts.len()
        );
        return Err(VariantError::Impossible(why));
    }
    if padded > max_padded_bytes(total) {
        let why = format!(
            "the lengths of {} segments, one of {longest} bytes, differ too much",
            counts.len()
        );
        return Err(VariantError::Impossible(why));
    }
    let mut data = Some(data);
    let y = record(&inverse.program().output, |name| match name {
        "header_bytes" => number(parts.format.header_size()),
        "inline_bytes" => number(parts.format.offset_size()),
        "alignment" => number(if parts.word_aligned { 2 } else { 1 }),
        "tiled" => number(i128::from(parts.tiled)),
        "no_counts" => number(i128::from(!parts.counts)),
        "ifd_bytes" => number(parts.ifd_bytes),
        "blocks" => number(parts.blocks.len() as u64),
        "block_bytes" => longs(parts.blocks.clone()),
        "page_segments" => number(parts.page_segments.len() as u64),
        "page_segment_bytes" => longs(parts.page_segments.clone()),
        "reach" => number(parts.reach),
        "segments" => number(counts.len() as u64),
        "byte_counts" => longs(counts.clone()),
        "longest" => number(longest),
        "others" => number(total - longest),
        "data" => data
            .take()
            .and_then(|data| bytes(vec![counts.len(), longest as usize], data(longest as usize))),
        _ => None,
    });
    let y = y.map_err(VariantError::Internal)?;
    let runner = if sharing { &*SHARING } else { PLACEMENT.runner() };
    let x = runner.prepare(y)?.invert(source)?;
    let input = &inverse.program().input;
    let field = |name: &str| scalar(&x, input, name);
    Ok(PlacedFile {
        ifd_offset: field("ifd_offset"),
        block_offsets: long_cells(&x, input, "block_offsets").to_vec(),
        page_segment_offsets: long_cells(&x, input, "page_segment_offsets").to_vec(),
        segment_offsets: long_cells(&x, input, "segment_offsets").to_vec(),
        offset_size: field("offset_size"),
        count_size: field("count_size"),
        offsets_offset: field("offsets_offset"),
        counts_offset: field("counts_offset"),
        file: take_bytes(x, input, "file"),
    })
}

/// Returns the places of values that are outside their entries, in the order of their tags, which is how writers number
/// them.
fn value_spans(image: &ImageFile, is_one: impl Fn(Tag) -> bool) -> Vec<Span> {
    let mut blocks: Vec<(Tag, Span)> =
        image.blocks.iter().filter(|block| is_one(block.0)).copied().collect();
    blocks.sort_by_key(|block| block.0);
    blocks.into_iter().map(|block| block.1).collect()
}

/// Returns the bytes of all segments; segments in the same place count once.
fn distinct_bytes(segments: &[Segment]) -> u64 {
    let mut distinct: Vec<(u64, u64)> = segments.iter().map(|s| (s.offset, s.byte_count)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.iter().map(|s| s.1).fold(0u64, u64::saturating_add)
}

/// Returns the places of data to which tags of old-style JPEG point.
fn data_spans(image: &ImageFile) -> impl Iterator<Item = Span> {
    image.old_jpeg.iter().flat_map(OldJpeg::blocks).map(|(_, span, _)| span)
}

/// Returns the segments to be placed. Data around a strip is placed with it.
fn placed_segments(image: &ImageFile) -> Vec<Segment> {
    match image.old_jpeg.as_ref().and_then(OldJpeg::strip_block) {
        Some((span, ..)) => vec![Segment { offset: span.at, byte_count: span.len }],
        None => image.segments.clone(),
    }
}

/// A file that the placement stage accepts: its parts are disjoint.
#[derive(Debug, Clone)]
pub struct DisjointFile {
    x: Record,
    y: Record,
}

/// A file that the placement stage refuses, because parts overlap, or lie where they must not.
#[derive(Debug, Clone)]
pub struct Overlapping {
    /// The stage's reason.
    pub why: String,
    /// The file.
    pub file: Bytes,
}

/// Runs the placement stage on `file`, whose first page is `image`, and whose further pages are `pages`.
///
/// # Errors
///
/// Returns [`Overlapping`]. The file may still have a picture.
pub fn read_placement<'p>(
    image: &ImageFile,
    pages: impl IntoIterator<Item = &'p ImageFile>,
    mut file: Bytes,
) -> Result<DisjointFile, Overlapping> {
    let inverse = PLACEMENT.inverse();
    let program = inverse.program();
    let own = match image.layout {
        Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    };
    let block = |tag| image.blocks.iter().find(|b| b.0 == tag).map_or(8, |b| b.1.at);
    let mut blocks = value_spans(image, |tag| tag != own.0 && tag != own.1);
    blocks.extend(data_spans(image));
    let mut page_segments = Vec::new();
    for page in pages {
        blocks.push(page.ifd);
        blocks.extend(value_spans(page, |_| true));
        blocks.extend(data_spans(page));
        page_segments.extend(placed_segments(page).into_iter().map(|s| (s.offset, s.byte_count)));
    }
    let (at, len): (Vec<u64>, Vec<u64>) = blocks.iter().map(|b| (b.at, b.len)).unzip();
    let (page_at, page_len): (Vec<u64>, Vec<u64>) = page_segments.into_iter().unzip();
    let size = |kind: Option<FieldType>| kind.and_then(FieldType::size).unwrap_or(4);
    let segments = placed_segments(image);
    let offsets: Vec<u64> = segments.iter().map(|s| s.offset).collect();
    let counts: Vec<u64> = segments.iter().map(|s| s.byte_count).collect();
    let longest = counts.iter().copied().max().unwrap_or(0);
    if longest.saturating_mul(counts.len() as u64) > max_padded_bytes(file.len() as u64) {
        let why = format!("{} segments, one of {longest} bytes, are too many", counts.len());
        return Err(Overlapping { why, file });
    }
    file.settle();
    let mut file = Some(file);
    let others = distinct_bytes(&segments).saturating_sub(longest);
    let even = [image.ifd.at, block(own.0), block(own.1)].iter().chain(&at).all(|at| at % 2 == 0);
    let x = record(&program.input, |name| match name {
        "header_bytes" => number(image.format.header_size()),
        "inline_bytes" => number(image.format.offset_size()),
        "alignment" => number(if even { 2 } else { 1 }),
        "tiled" => number(i128::from(matches!(image.layout, Layout::Tiles { .. }))),
        "no_counts" => number(i128::from(image.count_type.is_none())),
        "ifd_bytes" => number(image.ifd.len),
        "ifd_offset" => number(image.ifd.at),
        "blocks" => number(blocks.len() as u64),
        "block_bytes" => longs(len.clone()),
        "block_offsets" => longs(at.clone()),
        "page_segments" => number(page_at.len() as u64),
        "page_segment_bytes" => longs(page_len.clone()),
        "page_segment_offsets" => longs(page_at.clone()),
        "reach" => number(ANYWHERE),
        "segments" => number(counts.len() as u64),
        "longest" => number(longest),
        "others" => number(others),
        "byte_counts" => longs(counts.clone()),
        "segment_offsets" => longs(offsets.clone()),
        "offset_size" => number(size(Some(image.offset_type))),
        "count_size" => number(size(image.count_type)),
        "offsets_offset" => number(block(own.0)),
        "counts_offset" => number(block(own.1)),
        "file" => file.take().and_then(|file| bytes(vec![file.len()], file)),
        _ => None,
    });
    let x = match x {
        Ok(x) => x,
        Err(why) => return Err(Overlapping { why, file: file.unwrap_or_default() }),
    };
    match normalize_with(inverse, &x) {
        Ok(y) => Ok(DisjointFile { x, y }),
        Err(e) => {
            let file = take_bytes(x, &program.input, "file");
            Err(Overlapping { why: e.to_string(), file })
        }
    }
}

impl DisjointFile {
    /// Returns the bytes of segment `index` of the first page.
    pub fn segment(&self, index: usize) -> Cow<'_, [u8]> {
        let output = &PLACEMENT.inverse().program().output;
        let longest = scalar(&self.y, output, "longest") as usize;
        let count = long_cells(&self.y, output, "byte_counts").get(index).copied().unwrap_or(0);
        let at = index.saturating_mul(longest);
        let data = array_bytes(&self.y, output, "data");
        data.map(|data| data.window(at..at.saturating_add(count as usize))).unwrap_or_default()
    }

    /// Splits it into the file and the first bytes of each segment, one segment after another. `lengths` has the number
    /// of bytes for each; a shorter segment contributes all its bytes.
    pub fn into_parts(self, lengths: impl IntoIterator<Item = usize>) -> (Bytes, Bytes) {
        let program = PLACEMENT.inverse().program();
        let longest = scalar(&self.y, &program.output, "longest") as usize;
        let counts = long_cells(&self.y, &program.output, "byte_counts").to_vec();
        let padded = take_bytes(self.y, &program.output, "data");
        let parts = counts.into_iter().zip(lengths).enumerate().map(|(k, (count, length))| {
            let at = k * longest;
            at..at + length.min(count as usize)
        });
        let data = padded.joined(parts);
        (take_bytes(self.x, &program.input, "file"), data)
    }

    /// Returns the baseline of the placement stage. It is empty if the stage's inverse cannot place the parts in this
    /// way, or if file and segments have more than a mebibyte (an eighth of that where segments overlap).
    pub fn own_choices(&self) -> Choices {
        let output = &PLACEMENT.inverse().program().output;
        let data = array_bytes(&self.y, output, "data").map_or(0, Bytes::len);
        let input = &PLACEMENT.inverse().program().input;
        let len = array_bytes(&self.x, input, "file").map_or(0, Bytes::len);
        let mut offsets = long_cells(&self.x, input, "segment_offsets").to_vec();
        let segments = offsets.len();
        offsets.sort_unstable();
        offsets.dedup();
        let most = if offsets.len() < segments { MAX_TRACED_OVERLAPPING } else { MAX_TRACED };
        if data.saturating_add(len) > most {
            return Choices::new();
        }
        // The parts of a seed file may be spread out more than those of variants.
        let slack = Limits::default().slack.max(len as u64);
        let limits = Limits { slack, sharing: false };
        own_choices(PLACEMENT.inverse(), &self.x, &self.y, &limits).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_beyond_all_arrays_are_impossible() {
        let parts = FileParts {
            format: Format::Classic,
            word_aligned: true,
            tiled: true,
            counts: true,
            ifd_bytes: 30,
            blocks: Vec::new(),
            page_segments: Vec::new(),
            reach: ANYWHERE,
            byte_counts: vec![1 << 30; 300],
        };
        let mut source = ChoiceSource::seeded(0, 0);
        let placed = place(&parts, |_| unreachable!("nothing is allocated"), &mut source, false);
        match placed {
            Err(VariantError::Impossible(why)) => assert!(why.contains("too large"), "{why}"),
            other => panic!("{:?}", other.map(|placed| placed.file.len())),
        }
    }

    #[test]
    fn files_that_differ_in_lengths_alone_have_room_or_not() {
        let parts = |bytes: u64| FileParts {
            format: Format::Classic,
            word_aligned: true,
            tiled: false,
            counts: true,
            ifd_bytes: 30,
            blocks: Vec::new(),
            page_segments: vec![bytes; 2],
            reach: 65_000,
            byte_counts: vec![5],
        };
        // One part begins after the other, which may or may not be too long.
        for (index, bytes) in [70_000, 30_000, 70_000, 30_000].into_iter().enumerate() {
            let mut source = ChoiceSource::seeded(0, index as u64);
            let placed = place(&parts(bytes), |_| vec![0; 5].into(), &mut source, false);
            assert_eq!(placed.is_ok(), bytes == 30_000, "{bytes}: {:?}", placed.err());
        }
    }
}
