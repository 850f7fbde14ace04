//! Where everything lies in a file: the placement stage.

use std::sync::{Arc, LazyLock};

use inverter::run::{Limits, Runner, Value, normalize_with, own_choices};
use inverter::solve::{ChoiceSource, Choices};
use normalizers::tiff::PLACEMENT;

use super::records::{byte_cells, bytes, long_cells, longs, number, record, scalar, take_bytes};
use crate::container::{FieldType, Format, Span, Tag};
use crate::image::{ImageFile, Layout};
use crate::seed::VariantError;

/// The stage has all segments at the length of the longest. How many bytes that may be for
/// segments of `total` bytes: enough, unless very many are far shorter than the longest.
fn most_bytes(total: u64) -> u64 {
    total.saturating_mul(4).saturating_add(1 << 24)
}

/// Bytes of file and segments up to which a file's own choices are told.
const MOST_TOLD: usize = 1 << 20;
/// The same where segments share bytes: then telling takes some hundred bytes of memory for each.
const MOST_SHARED: usize = 1 << 17;

/// What a file must have room for.
#[derive(Debug, Clone)]
pub struct Room {
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// Whether directories and values begin at even offsets (TIFF 6.0, section 2).
    pub word_aligned: bool,
    /// Whether the segments are tiles.
    pub tiled: bool,
    /// Whether the segments' byte counts are told.
    pub counts: bool,
    /// The length of the directory.
    pub ifd_bytes: u64,
    /// The lengths of what does not fit into its entry, but for the arrays of segments.
    pub blocks: Vec<u64>,
    /// The lengths of the stored segments.
    pub byte_counts: Vec<u64>,
}

/// A file in which everything has its place, with the segments in it.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The bytes; where directory and blocks go there is filler.
    pub file: Vec<u8>,
    /// The offset of the directory.
    pub ifd_offset: u64,
    /// The offsets of the blocks.
    pub block_offsets: Vec<u64>,
    /// The offsets of the segments.
    pub segment_offsets: Vec<u64>,
    /// Bytes of each value of the array of the segments' offsets.
    pub offset_size: u64,
    /// Bytes of each value of the array of the segments' byte counts.
    pub count_size: u64,
    /// The offset of the array of offsets, if it does not fit into its entry.
    pub offsets_offset: u64,
    /// The offset of the array of byte counts, if it does not fit into its entry.
    pub counts_offset: u64,
}

/// The stage's inverse, with sharing.
static SHARING: LazyLock<Arc<Runner<'static>>> =
    LazyLock::new(|| Arc::new(Runner::new(PLACEMENT.inverse(), Limits::default())));

/// Finds a place for everything, as `source` decides. `data` gives the stored segments, all
/// filled up to the same length. Segments of equal bytes may share them only if `sharing` says
/// so (TIFF 6.0, section 7, "No Duplicate Pointers").
///
/// # Errors
///
/// [`VariantError`].
pub fn place(
    room: &Room,
    data: impl FnOnce(usize) -> Vec<u8>,
    source: &mut ChoiceSource,
    sharing: bool,
) -> Result<Placed, VariantError> {
    let inverse = PLACEMENT.inverse();
    let counts = &room.byte_counts;
    let longest = counts.iter().copied().max().unwrap_or(0);
    let total = counts.iter().sum::<u64>();
    if longest.saturating_mul(counts.len() as u64) > most_bytes(total) {
        let why = format!("{} segments, one of {longest} bytes, are too unlike", counts.len());
        return Err(VariantError::Impossible(why));
    }
    let mut data = Some(data);
    let y = record(&inverse.program.output, |name| match name {
        "header_bytes" => number(room.format.header_size()),
        "inline_bytes" => number(room.format.offset_size()),
        "alignment" => number(if room.word_aligned { 2 } else { 1 }),
        "tiled" => number(i128::from(room.tiled)),
        "no_counts" => number(i128::from(!room.counts)),
        "ifd_bytes" => number(room.ifd_bytes),
        "blocks" => number(room.blocks.len() as u64),
        "block_bytes" => longs(room.blocks.clone()),
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
    let input = &inverse.program.input;
    let field = |name: &str| scalar(&x, input, name);
    Ok(Placed {
        ifd_offset: field("ifd_offset"),
        block_offsets: long_cells(&x, input, "block_offsets").to_vec(),
        segment_offsets: long_cells(&x, input, "segment_offsets").to_vec(),
        offset_size: field("offset_size"),
        count_size: field("count_size"),
        offsets_offset: field("offsets_offset"),
        counts_offset: field("counts_offset"),
        file: take_bytes(x, input, "file"),
    })
}

/// A file whose parts lie apart from each other, as the placement stage has it.
#[derive(Debug, Clone)]
pub struct Apart {
    x: Value,
    y: Value,
}

/// A file whose parts overlap, or lie where the placement stage has none.
#[derive(Debug, Clone)]
pub struct Overlapping {
    /// What the stage says.
    pub why: String,
    /// The file.
    pub file: Vec<u8>,
}

/// The segments of `image`, read from `file`, by the placement stage.
///
/// # Errors
///
/// [`Overlapping`]. The picture may be fine.
pub fn placed(image: &ImageFile, file: Vec<u8>) -> Result<Apart, Overlapping> {
    let inverse = PLACEMENT.inverse();
    let program = &inverse.program;
    let own = match image.layout {
        Layout::Strips { .. } => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        Layout::Tiles { .. } => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    };
    let block = |tag| image.blocks.iter().find(|b| b.0 == tag).map_or(8, |b| b.1.at);
    let mut blocks: Vec<(Tag, Span)> =
        image.blocks.iter().filter(|b| b.0 != own.0 && b.0 != own.1).copied().collect();
    // By tag, as a writer numbers them.
    blocks.sort_by_key(|b| b.0);
    let (at, len): (Vec<u64>, Vec<u64>) = blocks.iter().map(|b| (b.1.at, b.1.len)).unzip();
    let size = |kind: Option<FieldType>| kind.and_then(FieldType::size).unwrap_or(4);
    let offsets: Vec<u64> = image.segments.iter().map(|s| s.offset).collect();
    let counts: Vec<u64> = image.segments.iter().map(|s| s.byte_count).collect();
    let longest = counts.iter().copied().max().unwrap_or(0);
    if longest.saturating_mul(counts.len() as u64) > most_bytes(file.len() as u64) {
        let why = format!("{} segments, one of {longest} bytes, are too many", counts.len());
        return Err(Overlapping { why, file });
    }
    let mut file = Some(file);
    let mut apart: Vec<(u64, u64)> =
        image.segments.iter().map(|s| (s.offset, s.byte_count)).collect();
    apart.sort_unstable();
    apart.dedup();
    let others = apart.iter().map(|s| s.1).fold(0u64, u64::saturating_add);
    let others = others.saturating_sub(longest);
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
        "segments" => number(counts.len() as u64),
        "longest" => number(longest),
        // Of segments that share their bytes, each counts once.
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
        Ok(y) => Ok(Apart { x, y }),
        Err(e) => {
            let file = take_bytes(x, &program.input, "file");
            Err(Overlapping { why: e.to_string(), file })
        }
    }
}

impl Apart {
    /// The bytes of segment `index`.
    pub fn segment(&self, index: usize) -> &[u8] {
        let output = &PLACEMENT.inverse().program.output;
        let longest = scalar(&self.y, output, "longest") as usize;
        let count = long_cells(&self.y, output, "byte_counts").get(index).copied().unwrap_or(0);
        let data = byte_cells(&self.y, output, "data");
        let at = index.saturating_mul(longest);
        data.get(at..at.saturating_add(count as usize)).unwrap_or_default()
    }

    /// The file; and the first bytes of each segment, as many as `lengths` says or as it has,
    /// one segment after the other.
    pub fn into_parts(self, lengths: impl IntoIterator<Item = usize>) -> (Vec<u8>, Vec<u8>) {
        let program = &PLACEMENT.inverse().program;
        let longest = scalar(&self.y, &program.output, "longest") as usize;
        let counts = long_cells(&self.y, &program.output, "byte_counts").to_vec();
        let mut data = take_bytes(self.y, &program.output, "data");
        let mut end = 0;
        for ((k, count), length) in counts.into_iter().enumerate().zip(lengths) {
            let (at, length) = (k * longest, length.min(count as usize));
            data.copy_within(at..at + length, end);
            end += length;
        }
        data.truncate(end);
        (take_bytes(self.x, &program.input, "file"), data)
    }

    /// How everything is placed, as choices. None if the stage's inverse does not describe it,
    /// or the file and its segments are more than a mebibyte (an eighth of that where segments share bytes).
    pub fn own_choices(&self) -> Choices {
        let output = &PLACEMENT.inverse().program.output;
        let data = byte_cells(&self.y, output, "data").len();
        let input = &PLACEMENT.inverse().program.input;
        let len = byte_cells(&self.x, input, "file").len();
        let mut offsets = long_cells(&self.x, input, "segment_offsets").to_vec();
        let segments = offsets.len();
        offsets.sort_unstable();
        offsets.dedup();
        let most = if offsets.len() < segments { MOST_SHARED } else { MOST_TOLD };
        if data.saturating_add(len) > most {
            return Choices::new();
        }
        // A real file may be spread wider than variants are.
        let slack = Limits::default().slack.max(len as u64);
        let limits = Limits { slack, sharing: false };
        own_choices(PLACEMENT.inverse(), &self.x, &self.y, &limits).unwrap_or_default()
    }
}
