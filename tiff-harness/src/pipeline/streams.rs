//! Pictures whose canonical value is their segments as they are stored ([`Streams`]).
//!
//! repfuzz does not decode a compression that loses information: another stream with the same
//! pixels would be a matter of rounding. The container and the places of all parts still vary.

use crate::container::meaning::describe;
use crate::container::{ByteOrder, Tag, Values};
use crate::image::{Grid, ImageFile, Layout};
use crate::picture::Picture;
use crate::samples::Label;

/// A picture as segments that are not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streams {
    grid: Grid,
    orientation: u16,
    compression: u16,
    fill_order: u16,
    label: Label,
    /// The other tags that the streams need, in ascending order.
    tags: Vec<(Tag, Values)>,
    segments: Vec<Vec<u8>>,
}

impl Streams {
    /// The tags that streams need beside their label.
    pub const TAGS: [Tag; 4] =
        [Tag::JPEG_TABLES, Tag::PREDICTOR, Tag::T4_OPTIONS, Tag::LERC_PARAMETERS];

    /// Returns the streams of `image`, whose stored segments are `segments`.
    pub fn of_file(image: &ImageFile, segments: Vec<Vec<u8>>) -> Self {
        let carried = image.carried.iter().filter(|(tag, _)| Self::TAGS.contains(tag));
        let mut grid = image.grid();
        // Any number from all rows on means one strip.
        if let Layout::Strips { rows_per_strip } = &mut grid.layout {
            *rows_per_strip = (*rows_per_strip).min(grid.height);
        }
        Self {
            grid,
            orientation: image.orientation,
            compression: image.compression,
            fill_order: image.fill_order,
            label: Label::of(image),
            tags: carried.cloned().collect(),
            segments,
        }
    }

    /// Returns the layout of the segments, which does not vary.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the segments.
    pub fn segments(&self) -> &[Vec<u8>] {
        &self.segments
    }

    /// Returns a picture that stands for the streams: pictures of equal streams are equal, and others are
    /// not. Its pixels show nothing.
    pub fn stand_in(&self) -> Picture {
        let Self { grid, orientation, compression, fill_order, label, tags, segments } = self;
        let head = format!("{grid:?}; {orientation}; {compression}; {fill_order}; {label:?};");
        let mut text = head.into_bytes();
        for (tag, values) in tags {
            text.extend(format!(" {}: ", tag.0).into_bytes());
            text.extend(values.encode(ByteOrder::Big));
        }
        for segment in segments {
            text.extend(format!("; {}: ", segment.len()).into_bytes());
            text.extend(segment);
        }
        Picture::of_bytes(text)
    }

    /// Returns the value as one line of JSON: the size, the number of streams and their compression, and
    /// SHA-256 over all of it.
    pub fn summary(&self) -> String {
        let Grid { width, height, .. } = self.grid;
        let (count, digest) = (self.segments.len(), self.stand_in().digest());
        let compression = describe(Tag::COMPRESSION, self.compression.into());
        format!(
            r#"{{"width":{width},"height":{height},"streams":{count},"compression":"{compression}","sha256":"{digest}"}}"#
        )
    }
}
