//! The canonical value of a file, whatever its kind, and the stages that lead to it.

use std::borrow::Cow;

use inverter::run::Bytes;
use inverter::solve::Choices;

use super::backward::ColorStages;
use super::cache::Budget;
use super::forward::{decode, samples, segments_input};
use super::placement::DisjointFile;
use super::sample_stages::SampleStages;
use super::streams::Streams;
use crate::coding::{self, SampleContent};
use crate::container::{ByteOrder, Span};
use crate::dimension;
use crate::error::{TiffError, VariantError};
use crate::image::{self, ImageFile};
use crate::picture::Picture;

/// The dimensions that only colors have.
const OF_COLORS: [&str; 7] = [
    dimension::PALETTE,
    dimension::PALETTE_SIZE,
    dimension::PHOTOMETRIC,
    dimension::ALPHA,
    dimension::SAMPLES_PER_PIXEL,
    dimension::BITS,
    dimension::SAMPLE_FORMAT,
];

/// The dimensions of decoded segments, which streams do not have either.
const OF_SEGMENTS: [&str; 11] = [
    dimension::ORIENTATION,
    dimension::PLANAR,
    dimension::TILED,
    dimension::ROWS_PER_STRIP,
    dimension::TILE_WIDTH,
    dimension::TILE_LENGTH,
    dimension::COMPRESSION,
    dimension::PREDICTOR,
    dimension::FILL_ORDER,
    dimension::T4_ROWS,
    dimension::T4_EOLS,
];

/// The stored segments of a file, as far as they are decoded.
pub enum Content {
    /// The bytes of the samples of all segments, one after the other.
    Samples(Bytes),
    /// The bytes of each segment as it is stored.
    Streams(Vec<Vec<u8>>),
}

impl Content {
    /// Reads the segments of a file whose parts do not overlap. Also returns the file's bytes.
    ///
    /// # Errors
    ///
    /// As [`coding::decode`].
    pub fn of_disjoint(image: &ImageFile, file: DisjointFile) -> Result<(Bytes, Self), TiffError> {
        let around = image.old_jpeg.as_ref().and_then(|data| data.strip_block());
        let stored = |k| match around {
            // The strip is a part of the segment that is placed.
            Some((_, _, strip)) => {
                let length = image.segments.first().map_or(0, |strip| strip.byte_count);
                let span = Span { at: strip.at, len: length };
                Cow::Owned(span.of(&file.segment(0)).unwrap_or_default().to_vec())
            }
            None => file.segment(k),
        };
        if let Some(streams) = Self::streams(image, stored) {
            return Ok((file.into_parts([]).0, streams));
        }
        let (bytes, data) = decode(image, file)?;
        Ok((bytes, Content::Samples(data)))
    }

    /// Reads the segments of a file whose parts may overlap.
    ///
    /// # Errors
    ///
    /// As [`coding::decode`].
    pub fn of_overlapping(image: &ImageFile, bytes: &[u8]) -> Result<Self, TiffError> {
        let stored = |k| Cow::Borrowed(image.stored(bytes, k).unwrap_or_default());
        match Self::streams(image, stored) {
            Some(streams) => Ok(streams),
            None => Ok(Content::Samples(coding::decode(image, stored)?.into())),
        }
    }

    /// Returns the segments as they are stored, if they are not decoded.
    fn streams<'s>(image: &ImageFile, stored: impl Fn(usize) -> Cow<'s, [u8]>) -> Option<Self> {
        let image::Content::Streams(_) = image.content else { return None };
        Some(Content::Streams((0..image.segments.len()).map(|k| stored(k).into_owned()).collect()))
    }
}

/// A canonical value with the inverted stages that its representations share.
#[derive(Debug)]
pub enum Stages {
    /// Colors.
    Colors(Box<ColorStages>),
    /// Samples with a label.
    Samples(Box<SampleStages>),
    /// Segments as they are stored.
    Streams(Box<Streams>),
}

impl Stages {
    /// Starts from the content of a file whose baseline is `own`.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses it.
    pub fn of_file(image: &ImageFile, content: Content, own: &Choices) -> Result<Self, TiffError> {
        let data = match content {
            Content::Streams(segments) => {
                return Ok(Stages::Streams(Box::new(Streams::of_file(image, segments))));
            }
            Content::Samples(data) => data,
        };
        let sampled = samples(&segments_input(image, data)?)?;
        let of_samples =
            |sampled| Ok(Stages::Samples(Box::new(SampleStages::of_file(image, sampled)?)));
        if image.content != image::Content::Colors {
            return of_samples(sampled);
        }
        // Only alpha and more than 16 bits can make a level or a color inexact.
        if image.extra_samples.first() != Some(&1) && image.bits <= 16 {
            return Ok(Stages::Colors(Box::new(ColorStages::of_file(image, sampled, own)?)));
        }
        match ColorStages::of_file(image, sampled.clone(), own) {
            Ok(stages) => Ok(Stages::Colors(Box::new(stages))),
            Err(TiffError::Unsupported { .. }) => of_samples(sampled),
            Err(refused) => Err(refused),
        }
    }

    /// Caches results of stages within `budget`, which other pictures may share.
    pub fn share(&mut self, budget: &Budget) {
        match self {
            Stages::Colors(colors) => colors.share(budget),
            Stages::Samples(samples) => samples.share(budget),
            Stages::Streams(_) => {}
        }
    }

    /// Returns the picture or, if the value is not a picture, one that represents it: pictures are equal if and only if
    /// the values are.
    ///
    /// # Errors
    ///
    /// An internal error; no file can cause one.
    pub fn picture(&self) -> Result<Picture, VariantError> {
        match self {
            Stages::Colors(colors) => colors.picture(),
            Stages::Samples(samples) => {
                let value = samples.value();
                let value = value.ok_or_else(|| VariantError::Internal("no samples".to_owned()))?;
                Ok(value.stand_in())
            }
            Stages::Streams(streams) => Ok(streams.stand_in()),
        }
    }

    /// Returns the byte order that a file with this value must have; `None` if it is free.
    pub fn order(&self) -> Option<ByteOrder> {
        match self {
            Stages::Streams(streams) => streams.order(),
            Stages::Colors(_) | Stages::Samples(_) => None,
        }
    }

    /// Returns the canonical value in one line, if it is not a picture.
    pub fn summary(&self) -> Option<String> {
        match self {
            Stages::Colors(_) => None,
            Stages::Samples(samples) => Some(samples.value()?.summary()),
            Stages::Streams(streams) => Some(streams.summary()),
        }
    }

    /// Returns the kind of the samples.
    pub fn sample_content(&self) -> SampleContent {
        match self {
            Stages::Colors(_) => SampleContent::Colors,
            _ => SampleContent::Numbers,
        }
    }

    /// Removes the dimensions that a file of this kind does not have from its baseline, and adds those
    /// that only it has.
    pub fn remove_fixed(&self, own: &mut Choices) {
        let fixed: [&[&str]; 2] = match self {
            Stages::Colors(_) => [&[], &[]],
            Stages::Samples(_) => [&OF_COLORS, &[]],
            Stages::Streams(_) => [&OF_COLORS, &OF_SEGMENTS],
        };
        let varies = |name: &str| match self {
            Stages::Samples(samples) => name == dimension::BITS && samples.bits_vary(),
            _ => false,
        };
        for name in fixed.into_iter().flatten().filter(|name| !varies(name)) {
            own.remove(*name);
        }
        if let Stages::Streams(streams) = self {
            streams.own_choices().into_iter().for_each(|(name, value)| own.set(name, value));
        }
    }

    /// Returns true if `image` with this content has this canonical value.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses the image.
    pub fn shows(&self, image: &ImageFile, content: Content) -> Result<bool, TiffError> {
        let samples_of = |data| samples(&segments_input(image, data)?);
        match (self, content) {
            (Stages::Colors(colors), Content::Samples(data))
                if image.content == image::Content::Colors =>
            {
                colors.shows(image, segments_input(image, data)?)
            }
            (Stages::Samples(stages), Content::Samples(data)) => {
                stages.shows(image, samples_of(data)?)
            }
            (Stages::Streams(streams), Content::Streams(segments)) => {
                Ok(streams.is_equivalent(&Streams::of_file(image, segments)))
            }
            _ => Ok(false),
        }
    }
}
