//! Pictures whose canonical value is their segments as they are stored ([`Streams`]).
//!
//! repfuzz does not decode a lossy compression, because whether another stream has the same pixels would depend on
//! rounding. The container and the places of all parts still vary, and so do the parts of JPEG streams that are a
//! matter of form ([`jpeg`](crate::jpeg)).

use inverter::solve::{Choice, ChoiceError, ChoiceSource};

use crate::container::meaning::describe;
use crate::container::{ByteOrder, FieldType, Profile, Tag, Values};
use crate::image::{Grid, ImageFile, Layout, OldJpeg, STREAM_TAGS};
use crate::jpeg::JpegFile;
use crate::picture::Picture;
use crate::samples::Label;

/// A picture as segments that are not decoded.
#[derive(Debug)]
pub struct Streams {
    meaning: Meaning,
    /// The value of JPEGTables.
    tables: Option<Values>,
    /// The segments as they are stored.
    segments: Vec<Vec<u8>>,
    /// The parts of JPEG streams, if they are understood.
    jpeg: Option<JpegFile>,
}

/// The canonical value.
#[derive(Debug, PartialEq, Eq)]
struct Meaning {
    grid: Grid,
    orientation: u16,
    compression: u16,
    fill_order: u16,
    label: Label,
    /// The byte order of the file, if the decoded samples depend on it.
    order: Option<ByteOrder>,
    /// The other tags that the streams need, in ascending order.
    tags: Vec<(Tag, Values)>,
    /// The data that tags of old-style JPEG point to.
    data: Option<Vec<u8>>,
    /// The segments as they are stored, or the parts of them that count.
    segments: Vec<Vec<u8>>,
}

/// LERC, of the registry of GDAL and libtiff.
const LERC: u16 = 34887;

/// Returns true if readers interpret decoded samples as numbers in the file's byte order. A LERC blob has its own byte
/// order, but libtiff and others swap its samples like those of any compression.
fn follows_order(image: &ImageFile) -> bool {
    image.compression == LERC && image.bits > 8
}

/// A file of streams: the value of JPEGTables, and the segments.
pub type StreamFile = (Option<Values>, Vec<Vec<u8>>);

impl Streams {
    /// Returns the streams of `image`, whose stored segments are `segments`.
    pub fn of_file(image: &ImageFile, segments: Vec<Vec<u8>>) -> Self {
        let of_streams = |entry: &&(Tag, Values)| STREAM_TAGS.contains(&entry.0);
        let mut tags: Vec<_> = image.carried.iter().filter(of_streams).cloned().collect();
        let tables = tags.iter().find(|entry| entry.0 == Tag::JPEG_TABLES).map(|e| e.1.clone());
        let jpeg = (image.compression == 7)
            .then(|| {
                let tables = tables.as_ref().map(|tables| tables.encode(ByteOrder::Big));
                JpegFile::read(tables.as_deref(), &segments)
            })
            .flatten();
        if jpeg.is_some() {
            tags.retain(|entry| entry.0 != Tag::JPEG_TABLES);
        }
        tags.sort_by_key(|entry| entry.0);
        let mut grid = image.grid();
        // Any number of at least all rows means one strip.
        if let Layout::Strips { rows_per_strip } = &mut grid.layout {
            *rows_per_strip = (*rows_per_strip).min(grid.height);
        }
        let meaning = Meaning {
            grid,
            orientation: image.orientation,
            compression: image.compression,
            fill_order: image.fill_order,
            label: Label::of(image),
            order: follows_order(image).then_some(image.order),
            tags,
            data: image.old_jpeg.as_ref().map(OldJpeg::meaning),
            segments: jpeg.as_ref().map_or_else(|| segments.clone(), JpegFile::meanings),
        };
        Self { meaning, tables, segments, jpeg }
    }

    /// Returns the segments and JPEGTables in the form that `source` determines.
    ///
    /// # Errors
    ///
    /// Returns an error if a given choice is not possible.
    pub fn rearranged(
        &self,
        source: &mut ChoiceSource,
        profile: Profile,
    ) -> Result<StreamFile, ChoiceError> {
        let new = match &self.jpeg {
            Some(jpeg) => jpeg.rearranged(source, profile)?,
            None => None,
        };
        Ok(match new {
            Some((tables, segments)) => {
                let undefined = |bytes: Vec<u8>| {
                    Values::decode(FieldType::Undefined, ByteOrder::Little, &bytes)
                };
                (tables.and_then(undefined), segments)
            }
            None => (self.tables.clone(), self.segments.clone()),
        })
    }

    /// Returns the choices of the streams' own form.
    pub fn own_choices(&self) -> Vec<(&'static str, Choice)> {
        self.jpeg.as_ref().map(JpegFile::own_choices).unwrap_or_default()
    }

    /// Returns true if both mean the same.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.meaning == other.meaning
    }

    /// Returns the byte order that the file must have; `None` if it is free.
    pub fn order(&self) -> Option<ByteOrder> {
        self.meaning.order
    }

    /// Returns the layout of the segments, which does not vary.
    pub fn grid(&self) -> Grid {
        self.meaning.grid
    }

    /// Returns a picture that represents the streams: pictures are equal if and only if the streams are. Its pixels
    /// show nothing.
    pub fn stand_in(&self) -> Picture {
        let Meaning {
            grid,
            orientation,
            compression,
            fill_order,
            label,
            order,
            tags,
            data,
            segments,
        } = &self.meaning;
        let head = format!("{grid:?}; {orientation}; {compression}; {fill_order}; {label:?};");
        let order = order.map(|order| format!(" {order:?};")).unwrap_or_default();
        let mut text = (head + &order).into_bytes();
        for (tag, values) in tags {
            text.extend(format!(" {}: ", tag.0).into_bytes());
            text.extend(values.encode(ByteOrder::Big));
        }
        for part in data.iter().chain(segments) {
            text.extend(format!("; {}: ", part.len()).into_bytes());
            text.extend(part);
        }
        Picture::of_bytes(text)
    }

    /// Returns the value as one line of JSON: the size, the number of streams and their compression, and a SHA-256
    /// digest of everything.
    pub fn summary(&self) -> String {
        let Grid { width, height, .. } = self.meaning.grid;
        let (count, digest) = (self.meaning.segments.len(), self.stand_in().digest());
        let compression = describe(Tag::COMPRESSION, self.meaning.compression.into());
        format!(
            r#"{{"width":{width},"height":{height},"streams":{count},"compression":"{compression}","sha256":"{digest}"}}"#
        )
    }
}
