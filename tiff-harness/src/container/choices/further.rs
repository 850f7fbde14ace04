//! Directories beside the first: further pages, SubIFDs, and what private tags point to.
//!
//! Their pictures are tiny, of a color each, and like no seed: a reader that takes one of
//! them for the picture is seen at once.

use inverter::solve::{ChoiceError, ChoiceSource};

use super::ask::{NONE, Way, ask};
use super::types::sub_ifd_types;
use super::{Chosen, type_dimension};
use crate::container::{Class, FieldType, Format, Tag, Values};

/// The dimension of the pages behind the first.
pub(super) const FURTHER_PAGES: &str = "further pages";
/// The dimension of the directories that the first one's SubIFDs points to.
pub(super) const SUB_IFDS: &str = "sub-IFDs";
/// The one chain of pages that baseline TIFF has tags for.
pub(super) const THUMBNAIL_AFTER: &str = "thumbnail after";

/// A directory that is not the first, before it has a place. Its StripOffsets, if it has
/// them, are filled in when its data has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Its entries, by tag.
    pub entries: Vec<(Tag, Values)>,
    /// Its one strip; empty if it is no picture.
    pub data: Vec<u8>,
    /// The next in the chain of pages, by its place in
    /// [`Chosen::directories`](super::Chosen::directories).
    pub next: Option<usize>,
}

/// What a tiny picture is, by its NewSubfileType (TIFF 6.0, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subfile {
    /// 1: a smaller version of another picture of the file.
    Thumbnail,
    /// 2: one page of several; its number, from 0, and how many there are.
    Page(u16, u16),
}

/// Chains of pages: the dimension's values.
const PAGES: [(&str, &[Subfile]); 5] = [
    (NONE, &[]),
    ("page after", &[Subfile::Page(1, 2)]),
    (THUMBNAIL_AFTER, &[Subfile::Thumbnail]),
    ("two pages after", &[Subfile::Page(1, 3), Subfile::Page(2, 3)]),
    ("thumbnail and page after", &[Subfile::Thumbnail, Subfile::Page(1, 2)]),
];

/// SubIFDs: the dimension's values.
const TREES: [(&str, &[Subfile]); 3] = [
    (NONE, &[]),
    ("thumbnail", &[Subfile::Thumbnail]),
    ("two thumbnails", &[Subfile::Thumbnail, Subfile::Thumbnail]),
];

/// Chooses further pages and SubIFDs, and adds them.
///
/// # Errors
///
/// If a given choice is not possible.
pub(super) fn choose(source: &mut ChoiceSource, chosen: &mut Chosen) -> Result<(), ChoiceError> {
    let format = chosen.format;
    let pages = PAGES[source.named(FURTHER_PAGES, &PAGES.map(|row| row.0))?].1;
    let first = chosen.directories.len();
    for (k, page) in pages.iter().enumerate() {
        let next = (k + 1 < pages.len()).then_some(first + k + 1);
        chosen.directories.push(Directory { next, ..tiny(format, *page) });
    }
    chosen.next = (!pages.is_empty()).then_some(first);

    let tree = TREES[source.named(SUB_IFDS, &TREES.map(|row| row.0))?].1;
    if tree.is_empty() {
        return Ok(());
    }
    let types = sub_ifd_types(format).iter();
    let types = types.filter_map(|kind| Some((*kind, kind.name()?, Class::Extension)));
    let types: Vec<Way<'_, FieldType>> = types.collect();
    let kind = ask(source, chosen.profile, &type_dimension(Tag::SUB_IFDS), &types)?;
    let first = chosen.directories.len();
    chosen.directories.extend(tree.iter().map(|subfile| tiny(format, *subfile)));
    let to: Vec<usize> = (first..chosen.directories.len()).collect();
    let values = unplaced(kind.unwrap_or(FieldType::Long), to.len());
    chosen.entries.push((Tag::SUB_IFDS, values));
    chosen.pointers.push((Tag::SUB_IFDS, to));
    Ok(())
}

/// A gray picture of 8 bits a sample in one strip: a chessboard.
fn tiny(format: Format, subfile: Subfile) -> Directory {
    let (kind, width, height, dark) = match subfile {
        Subfile::Thumbnail => (1, 3u16, 2u16, 0x20),
        Subfile::Page(number, _) => (2, 4, 3 + number, 0x40),
    };
    let pixel = |at: u16| if (at % width + at / width).is_multiple_of(2) { dark } else { 0xC0 };
    let data: Vec<u8> = (0..width * height).map(pixel).collect();
    let mut entries = vec![
        (Tag::NEW_SUBFILE_TYPE, Values::longs(&[kind])),
        (Tag::IMAGE_WIDTH, Values::shorts(&[width])),
        (Tag::IMAGE_LENGTH, Values::shorts(&[height])),
        (Tag::BITS_PER_SAMPLE, Values::shorts(&[8])),
        (Tag::COMPRESSION, Values::shorts(&[1])),
        (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[1])),
        (Tag::STRIP_OFFSETS, unplaced(offset_type(format), 1)),
        (Tag::SAMPLES_PER_PIXEL, Values::shorts(&[1])),
        (Tag::ROWS_PER_STRIP, Values::shorts(&[height])),
        (Tag::STRIP_BYTE_COUNTS, Values::longs(&[data.len() as u32])),
        (Tag::X_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::Y_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::RESOLUTION_UNIT, Values::shorts(&[2])),
    ];
    if let Subfile::Page(number, of) = subfile {
        entries.push((Tag::PAGE_NUMBER, Values::shorts(&[number, of])));
    }
    Directory { entries, data, next: None }
}

fn offset_type(format: Format) -> FieldType {
    match format {
        Format::Classic => FieldType::Long,
        Format::Big => FieldType::Long8,
    }
}

/// `count` pointers to what has no place yet.
pub(super) fn unplaced(kind: FieldType, count: usize) -> Values {
    Values::offsets(kind, &vec![0; count]).unwrap_or_else(|| Values::longs(&vec![0; count]))
}
