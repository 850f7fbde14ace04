//! The canonical value of pictures whose colors are not exact: their samples, with a label.
//!
//! Floating-point and signed samples, CMYK, L\*a\*b\*, and alpha multiplied into the colors have a meaning, but no
//! exact red, green and blue. Two files are equivalent if the samples of every pixel are the same and have the same
//! label.

use std::fmt;

use crate::container::meaning::describe;
use crate::container::{ByteOrder, Tag};
use crate::image::{ImageFile, sample_bytes};
use crate::picture::Picture;

/// The meaning of samples: the values of the tags that define it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// SampleFormat (TIFF 6.0, section 19), the same for all samples.
    pub sample_format: u16,
    /// BitsPerSample, the same for all samples: 1 to 64. In the canonical value of floating-point samples, the least of
    /// 16, 32 and 64 with which all samples are exact.
    pub bits: u16,
    /// SamplesPerPixel.
    pub samples_per_pixel: u16,
    /// ExtraSamples.
    pub extra_samples: Vec<u16>,
    /// ColorMap; empty if there is none.
    pub color_map: Vec<u16>,
    /// Further tags that define the meaning ([`Label::TAGS`]), with their values: integers, or otherwise the bytes in
    /// big-endian order. A default of `RULES` is the same whether or not it is explicit.
    pub tags: Vec<(Tag, Vec<u64>)>,
}

impl Label {
    /// The tags that define the meaning of samples, apart from those that have a field here: TIFF 6.0, sections 16
    /// (inks), 19 (ranges), 20 and 21 (colorimetry), and the scale of SGI's LogL.
    pub const TAGS: [Tag; 12] = [
        Tag::WHITE_POINT,
        Tag::PRIMARY_CHROMATICITIES,
        Tag::INK_SET,
        Tag::NUMBER_OF_INKS,
        Tag::DOT_RANGE,
        Tag::S_MIN_SAMPLE_VALUE,
        Tag::S_MAX_SAMPLE_VALUE,
        Tag::YCBCR_COEFFICIENTS,
        Tag::YCBCR_SUB_SAMPLING,
        Tag::YCBCR_POSITIONING,
        Tag::REFERENCE_BLACK_WHITE,
        Tag::STO_NITS,
    ];

    /// Returns the label of a file's samples.
    pub fn of(image: &ImageFile) -> Self {
        let integers = |tag: Tag| image.integer(tag).map(|integer| integer.values.clone());
        let carried = |tag: Tag| {
            let found = image.carried.iter().find(|entry| entry.0 == tag)?;
            let bytes = || found.1.encode(ByteOrder::Big).into_iter().map(u64::from).collect();
            Some(found.1.as_integers().unwrap_or_else(bytes))
        };
        let values = |tag: Tag| Some((tag, integers(tag).or_else(|| carried(tag))?));
        Self {
            photometric: image.photometric,
            sample_format: image.sample_format,
            bits: image.bits,
            samples_per_pixel: image.samples_per_pixel,
            extra_samples: image.extra_samples.clone(),
            color_map: image.color_map.clone(),
            tags: Self::TAGS.into_iter().filter_map(values).collect(),
        }
    }

    /// Returns the number of bytes of an unpacked sample: 1 to 8.
    pub fn sample_bytes(&self) -> u64 {
        sample_bytes(self.bits)
    }

    /// Returns the label in words: `CMYK, 4 samples of 8 bits, unsigned`.
    fn words(&self) -> String {
        let photometric = describe(Tag::PHOTOMETRIC_INTERPRETATION, self.photometric.into());
        let format = describe(Tag::SAMPLE_FORMAT, self.sample_format.into());
        format!("{photometric}, {} samples of {} bits, {format}", self.samples_per_pixel, self.bits)
    }
}

/// The samples of a picture in display orientation.
#[derive(Clone, PartialEq, Eq)]
pub struct Samples {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The meaning of the samples.
    pub label: Label,
    /// The bytes of each sample, the most significant one first: rows from the top, pixels from the
    /// left.
    pub bytes: Vec<u8>,
}

impl Samples {
    /// Returns a text that is the same for two values if and only if they are equal.
    fn text(&self) -> Vec<u8> {
        let Label { extra_samples, color_map, tags, .. } = &self.label;
        let head = format!("{} x {}, {}", self.width, self.height, self.label.words());
        let mut text = format!("{head}; {extra_samples:?}; {color_map:?};").into_bytes();
        for (tag, values) in tags {
            text.extend(format!(" {}: {values:?}", tag.0).into_bytes());
        }
        text.push(b';');
        text.extend(&self.bytes);
        text
    }

    /// Returns a picture that represents the samples: pictures are equal if and only if the samples are. Its pixels
    /// show nothing.
    pub fn stand_in(&self) -> Picture {
        Picture::of_bytes(self.text())
    }

    /// Returns the value as one line of JSON: the size, the label in words, and a SHA-256 digest of everything.
    pub fn summary(&self) -> String {
        let Self { width, height, label, .. } = self;
        let (label, digest) = (label.words(), self.stand_in().digest());
        format!(r#"{{"width":{width},"height":{height},"samples":"{label}","sha256":"{digest}"}}"#)
    }
}

impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Samples({})", self.summary())
    }
}
