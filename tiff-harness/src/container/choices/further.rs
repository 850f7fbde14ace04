//! Chooses directories other than the first: further pages and SubIFDs.
//!
//! Their pictures are tiny, each with its own colors, and unlike any seed. If a reader mistakes one of them for the
//! picture, this is noticed at once.

use inverter::solve::{ChoiceError, ChoiceSource};

use super::directory::{Directory, unplaced};
use super::layout::ContainerLayout;
use super::options::WriterOptions;
use super::types::sub_ifd_types;
use crate::alternatives::{self, Alternative, NONE};
use crate::container::{Class, FieldType, Format, Tag, Values};
use crate::dimension;

/// The only chain of pages for which baseline TIFF has tags.
pub(super) const THUMBNAIL_AFTER: &str = "thumbnail after";

/// The kind of a tiny picture, by its NewSubfileType (TIFF 6.0, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subfile {
    /// 1: a smaller version of another picture of the file.
    Thumbnail,
    /// 2: one page of several: its number, from 0, and the number of pages.
    Page(u16, u16),
}

/// Chains of pages: the values of the dimension.
const PAGES: [(&str, &[Subfile]); 5] = [
    (NONE, &[]),
    ("page after", &[Subfile::Page(1, 2)]),
    (THUMBNAIL_AFTER, &[Subfile::Thumbnail]),
    ("two pages after", &[Subfile::Page(1, 3), Subfile::Page(2, 3)]),
    ("thumbnail and page after", &[Subfile::Thumbnail, Subfile::Page(1, 2)]),
];

/// SubIFDs: the values of the dimension.
const TREES: [(&str, &[Subfile]); 3] = [
    (NONE, &[]),
    ("thumbnail", &[Subfile::Thumbnail]),
    ("two thumbnails", &[Subfile::Thumbnail, Subfile::Thumbnail]),
];

/// Chooses further pages and SubIFDs, and adds them.
///
/// # Errors
///
/// Returns an error if a given choice is not possible.
pub(super) fn choose(
    source: &mut ChoiceSource,
    options: &WriterOptions,
    layout: &mut ContainerLayout,
) -> Result<(), ChoiceError> {
    let format = layout.format;
    let before = options.pages.saturating_sub(1);
    let pages = PAGES[source.named(dimension::FURTHER_PAGES, &PAGES.map(|row| row.0))?].1;
    let first = layout.directories.len();
    for (k, page) in pages.iter().enumerate() {
        let next = (k + 1 < pages.len()).then_some(first + k + 1);
        let page = match *page {
            Subfile::Page(number, of) => Subfile::Page(before + number, before + of),
            reduced => reduced,
        };
        layout.directories.push(Directory { next, ..tiny(format, page) });
    }
    layout.next = (!pages.is_empty()).then_some(first);

    let tree = TREES[source.named(dimension::SUB_IFDS, &TREES.map(|row| row.0))?].1;
    if tree.is_empty() {
        return Ok(());
    }
    let types = sub_ifd_types(format).iter();
    let types = types.filter_map(|kind| Some((*kind, kind.name()?, Class::Extension)));
    let types: Vec<Alternative<'_, FieldType>> = types.collect();
    let dimension = dimension::type_of(Tag::SUB_IFDS);
    let kind = alternatives::choose(source, layout.profile, &dimension, &types)?;
    let first = layout.directories.len();
    layout.directories.extend(tree.iter().map(|subfile| tiny(format, *subfile)));
    let to: Vec<usize> = (first..layout.directories.len()).collect();
    let values = unplaced(kind.unwrap_or(FieldType::Long), to.len());
    layout.entries.push((Tag::SUB_IFDS, values));
    layout.pointers.push((Tag::SUB_IFDS, to));
    Ok(())
}

/// Returns a gray picture of 8 bits a sample in one strip: a chessboard.
fn tiny(format: Format, subfile: Subfile) -> Directory {
    let (kind, width, height, dark) = match subfile {
        Subfile::Thumbnail => (1, 3u16, 2u16, 0x20),
        Subfile::Page(number, _) => (2, 4, 3 + number % 16, 0x40),
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
