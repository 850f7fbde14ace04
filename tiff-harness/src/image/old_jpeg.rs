//! The data of old-style JPEG (TIFF 6.0, section 22) to which tags point.
//!
//! JPEGInterchangeFormat is the offset of a whole stream, or of the headers of one, and JPEGInterchangeFormatLength its
//! length. JPEGQTables, JPEGDCTables and JPEGACTables are the offsets of tables, one for each component. Tables may lie
//! inside the stream, and so may the strip. Overlapping data form one block here, so that it moves as a whole.

use crate::container::{Ifd, Span, Tag};
use crate::error::TiffError;
use crate::jpeg::huffman_length;

use super::Segment;
use super::fields::Fields;
use super::supported::unsupported;

/// The maximum number of offsets of a tag: TIFF 6.0 has one for each component, and JPEG at most 255 of them.
const MOST: usize = 255;

/// The tags whose values are offsets of tables.
const TABLES: [Tag; 3] = [Tag::JPEG_Q_TABLES, Tag::JPEG_DC_TABLES, Tag::JPEG_AC_TABLES];

/// A place in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InBlock {
    /// The index of the block.
    pub block: usize,
    /// The offset in it.
    pub at: u64,
}

/// The data to which a tag points, by its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pointed {
    tag: Tag,
    span: Span,
    bytes: Vec<u8>,
}

/// The data to which tags of old-style JPEG point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldJpeg {
    pointed: Vec<Pointed>,
    /// The blocks, in the order in which tags first point to them, then by place.
    blocks: Vec<(Span, Vec<u8>)>,
    /// The place of the strip, if it is inside a block.
    strip: Option<(InBlock, u64)>,
}

impl OldJpeg {
    /// The tags that point to data, in ascending order.
    pub const POINTERS: [Tag; 4] = [Tag::JPEG_INTERCHANGE_FORMAT, TABLES[0], TABLES[1], TABLES[2]];

    /// Returns the blocks of data that need their own place, by index; the block with the strip is placed with the
    /// strip.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, Span, &[u8])> {
        let own = self.strip.map(|(place, _)| place.block);
        let blocks = self.blocks.iter().enumerate().filter(move |(k, _)| Some(*k) != own);
        blocks.map(|(k, (span, bytes))| (k, *span, bytes.as_slice()))
    }

    /// Returns the block that contains the strip: its place, its bytes, and the strip's place in it.
    pub fn strip_block(&self) -> Option<(Span, &[u8], InBlock)> {
        let (place, _) = self.strip?;
        let (span, bytes) = self.blocks.get(place.block)?;
        Some((*span, bytes, place))
    }

    /// Returns the tags that point to data, each with the places to which its values point.
    pub fn pointers(&self) -> Vec<(Tag, Vec<InBlock>)> {
        let places = |tag| {
            let of_tag = self.pointed.iter().filter(move |pointed| pointed.tag == tag);
            of_tag.filter_map(|pointed| self.place_of(pointed.span)).collect()
        };
        let all = Self::POINTERS.into_iter().map(|tag| (tag, places(tag)));
        all.filter(|pointer: &(Tag, Vec<InBlock>)| !pointer.1.is_empty()).collect()
    }

    fn place_of(&self, span: Span) -> Option<InBlock> {
        let block = self.blocks.iter().position(|(block, _)| block.holds(span))?;
        Some(InBlock { block, at: span.at - self.blocks[block].0.at })
    }

    /// Returns bytes that are the same for two files if and only if their tags point to the same data, and
    /// the strip is in the same place of the stream.
    pub fn meaning(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let stream = self.pointed.iter().find(|p| p.tag == Tag::JPEG_INTERCHANGE_FORMAT);
        let strip = self.strip.and_then(|(place, len)| {
            let at = self.blocks.get(place.block)?.0.at + place.at;
            let stream = stream?.span;
            stream.holds(Span { at, len }).then(|| (at - stream.at, len))
        });
        out.extend(format!("strip {strip:?};").into_bytes());
        for Pointed { tag, bytes, .. } in &self.pointed {
            out.extend(format!("{}, {}: ", tag.0, bytes.len()).into_bytes());
            out.extend(bytes);
        }
        out
    }

    /// Reads the data of a picture whose strips or tiles are `segments`; `None` if its tags point to no data.
    ///
    /// # Errors
    ///
    /// Returns an error if data is outside the file, or not where section 22 requires it.
    pub(super) fn read(
        ifd: &Ifd,
        segments: &[Segment],
        file: &[u8],
    ) -> Result<Option<Self>, TiffError> {
        let fields = Fields::new(ifd)?;
        let mut pointed = stream(&fields, segments, file)?.into_iter().collect::<Vec<Pointed>>();
        let whole = pointed.first().map(|stream| stream.span);
        for tag in TABLES {
            let offsets = fields.extra(tag)?;
            if offsets.len() > MOST {
                let what = format!("{tag} with {} offsets", offsets.len());
                return Err(unsupported(what, "the most is 255"));
            }
            for at in offsets {
                pointed.push(table(tag, at, whole, file)?);
            }
        }
        if pointed.is_empty() {
            return Ok(None);
        }
        let strips = segments.iter().map(|s| Span { at: s.offset, len: s.byte_count });
        let strips: Vec<Span> = strips.collect();
        let mut blocks = merged(&pointed, &strips);
        let first = |block: &Span| pointed.iter().position(|p| overlap(&p.span, block));
        blocks.retain(|block| first(block).is_some());
        blocks.sort_by_key(|block| (first(block), block.at));
        let bytes = |span: Span| (span, span.of(file).unwrap_or_default().to_vec());
        let blocks = blocks.into_iter().map(bytes).collect();
        let mut data = Self { pointed, blocks, strip: None };
        let inside = strips.iter().filter_map(|strip| Some((data.place_of(*strip)?, strip.len)));
        let inside: Vec<(InBlock, u64)> = inside.collect();
        data.strip = match inside[..] {
            [] => None,
            [strip] if strips.len() == 1 => Some(strip),
            _ => {
                let (n, all) = (inside.len(), strips.len());
                let what = format!("{n} of {all} strips inside of the data of old-style JPEG");
                return Err(unsupported(what, "only a single strip may be"));
            }
        };
        Ok(Some(data))
    }
}

/// Reads the stream, if there is one.
fn stream(
    fields: &Fields<'_>,
    segments: &[Segment],
    file: &[u8],
) -> Result<Option<Pointed>, TiffError> {
    let tag = Tag::JPEG_INTERCHANGE_FORMAT;
    // 0, or a missing tag, means that there is no stream.
    let at = match fields.extra(tag)?[..] {
        [] | [0] => return Ok(None),
        [at] => at,
        [first, ..] => return Err(fields.bad(tag, first, "one offset")),
    };
    let strip = segments.iter().find(|segment| segment.offset == at);
    let len = match (fields.extra(Tag::JPEG_INTERCHANGE_FORMAT_LENGTH)?[..].first(), strip) {
        (Some(len), _) if *len > 0 => *len,
        (_, Some(strip)) => strip.byte_count,
        _ => {
            let what = format!("{tag} without {}", Tag::JPEG_INTERCHANGE_FORMAT_LENGTH);
            return Err(unsupported(what, ""));
        }
    };
    Ok(Some(data(tag, Span { at, len }, file)?))
}

/// Reads a table: 64 bytes of quantization, or a Huffman table. If the offset is inside the stream `whole`, which has
/// its own tables, there may be no table at it; the counts of codes then represent the table.
fn table(tag: Tag, at: u64, whole: Option<Span>, file: &[u8]) -> Result<Pointed, TiffError> {
    let rest = usize::try_from(at).ok().and_then(|at| file.get(at..)).unwrap_or_default();
    let inside = whole.is_some_and(|stream| stream.holds(Span { at, len: 16 }));
    let len = match tag {
        Tag::JPEG_Q_TABLES => 64,
        _ if rest.len() < 16 => 16,
        _ => match huffman_length(rest) {
            Some(len) => len as u64,
            None if inside => 16,
            None => {
                let what = format!("{tag} = {at}, where there is no Huffman table,");
                return Err(unsupported(what, ""));
            }
        },
    };
    data(tag, Span { at, len }, file)
}

fn data(tag: Tag, span: Span, file: &[u8]) -> Result<Pointed, TiffError> {
    let outside = || TiffError::Outside {
        what: format!("the data that {tag} points to"),
        at: span.at,
        needs: span.len.into(),
        has: file.len() as u64,
    };
    let bytes = span.of(file).ok_or_else(outside)?.to_vec();
    Ok(Pointed { tag, span, bytes })
}

fn overlap(a: &Span, b: &Span) -> bool {
    a.at < b.at.saturating_add(b.len) && b.at < a.at.saturating_add(a.len)
}

/// Merges data and strips that overlap.
fn merged(pointed: &[Pointed], strips: &[Span]) -> Vec<Span> {
    let mut all: Vec<Span> = pointed.iter().map(|p| p.span).chain(strips.iter().copied()).collect();
    all.sort_by_key(|span| (span.at, span.len));
    let mut merged: Vec<Span> = Vec::new();
    for span in all {
        match merged.last_mut().filter(|last| overlap(last, &span)) {
            Some(last) => last.len = last.len.max(span.at + span.len - last.at),
            None => merged.push(span),
        }
    }
    merged
}
