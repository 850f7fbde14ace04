//! Reads the tags that do not describe the picture.

use crate::container::carried::{row_of, table::Rule};
use crate::container::rules::{Count, RULES};
use crate::container::write::Spare;
use crate::container::{Entry, FieldType, Format, Ifd, Span, Tag, Values};
use crate::error::TiffError;

use super::fields::Fields;
use super::{Content, IntegerTag, LeftOut, OldJpeg};

/// Tags of the picture that are read elsewhere, whether or not [`RULES`] contains them.
const OF_THE_PICTURE: [Tag; 10] = [
    Tag::COLOR_MAP,
    Tag::EXTRA_SAMPLES,
    Tag::T4_OPTIONS,
    Tag::T6_OPTIONS,
    Tag::TILE_WIDTH,
    Tag::TILE_LENGTH,
    Tag::TILE_OFFSETS,
    Tag::TILE_BYTE_COUNTS,
    Tag::STRIP_OFFSETS,
    Tag::STRIP_BYTE_COUNTS,
];

/// The tags that streams need in addition to their [label](crate::samples::Label).
pub const STREAM_TAGS: [Tag; 9] = [
    Tag::JPEG_TABLES,
    Tag::PREDICTOR,
    Tag::T4_OPTIONS,
    Tag::LERC_PARAMETERS,
    Tag::JPEG_PROC,
    Tag::JPEG_INTERCHANGE_FORMAT_LENGTH,
    Tag::JPEG_RESTART_INTERVAL,
    Tag::JPEG_LOSSLESS_PREDICTORS,
    Tag::JPEG_POINT_TRANSFORMS,
];

/// Returns every tag of [`RULES`] with one value or one per sample.
pub(super) fn integers(
    fields: &Fields<'_>,
    ifd: &Ifd,
    samples: u16,
) -> Result<Vec<IntegerTag>, TiffError> {
    let mut out = Vec::with_capacity(RULES.len());
    for rule in RULES {
        let required = ifd.get(rule.tag).is_none() && rule.default(1).is_none();
        let values = match rule.count {
            _ if required => continue,
            Count::One => vec![fields.one(rule.tag)?],
            Count::PerSample => fields.per_sample(rule.tag, samples)?,
            _ => continue,
        };
        let entry = ifd.get(rule.tag);
        let stored = entry.map(|entry| entry.values.kind());
        let count = entry.map_or(0, |entry| entry.values.count());
        out.push(IntegerTag { tag: rule.tag, values, stored, count });
    }
    Ok(out)
}

/// Returns all other tags: those that variants copy, and those that they cannot. `points_to_data` is true if tags of
/// old-style JPEG have [data](OldJpeg).
pub(super) fn carry(
    ifd: &Ifd,
    content: &Content,
    points_to_data: bool,
) -> (Vec<(Tag, Values)>, Vec<LeftOut>) {
    let (mut carried, mut left_out) = (Vec::new(), Vec::new());
    for entry in &ifd.entries {
        let Entry { tag, values, .. } = entry;
        let tag = *tag;
        // The tag is meaningful only if samples are not colors.
        let is_label = tag == Tag::YCBCR_SUB_SAMPLING && *content != Content::Colors;
        let is_ruled = OF_THE_PICTURE.contains(&tag) || RULES.iter().any(|rule| rule.tag == tag);
        if is_ruled && !is_label {
            continue;
        }
        let of_streams = matches!(content, Content::Streams(_))
            && (STREAM_TAGS.contains(&tag) || points_to_data && OldJpeg::POINTERS.contains(&tag));
        let known = values.kind().size().is_some() && !values.kind().is_pointer();
        match values.kind() {
            _ if of_streams && known => carried.push((tag, values.clone())),
            _ if [Tag::FREE_OFFSETS, Tag::FREE_BYTE_COUNTS].contains(&tag) => {
                left_out.push(LeftOut::Gaps(tag));
            }
            kind if kind.is_pointer() => left_out.push(LeftOut::Pointer(tag)),
            kind => match row_of(tag).map(|row| row.rule) {
                Some(Rule::Offsets) => left_out.push(LeftOut::Pointer(tag)),
                Some(Rule::Never) => left_out.push(LeftOut::OfThisFile(tag)),
                Some(Rule::Streams) if !matches!(content, Content::Streams(_)) => {
                    left_out.push(LeftOut::OfThisFile(tag));
                }
                _ if matches!(kind, FieldType::Unknown(_)) => {
                    left_out.push(LeftOut::UnknownType(tag, kind));
                }
                _ => carried.push((tag, values.clone())),
            },
        }
    }
    (carried, left_out)
}

/// Returns the places of values that are not in their entries.
pub(super) fn blocks(ifd: &Ifd) -> Vec<(Tag, Span)> {
    ifd.entries.iter().filter_map(|entry| Some((entry.tag, entry.block_span()?))).collect()
}

/// Returns the kind of bytes that follow values shorter than their fields.
pub(super) fn spare(ifd: &Ifd, format: Format, file: &[u8]) -> Spare {
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
