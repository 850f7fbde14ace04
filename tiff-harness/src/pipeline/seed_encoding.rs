//! The encoding of the seed's samples.
//!
//! Variants that change only the segments start from the seed's own samples, and are compared with them. This is
//! possible if the samples follow from the picture and from the choices of the stages in between, because inverting
//! these stages would then give the same samples again.

use std::sync::Arc;

use inverter::run::{Record, RunError, normalizes_to};
use inverter::solve::{self, ChoiceError, ChoiceSource, Choices};
use normalizers::tiff::SEGMENTS;

use super::encoded::{SampleBytes, SampleEncoding};
use super::records::{byte_cells, max_tile_side, number};
use crate::container::ByteOrder;
use crate::dimension;
use crate::image::{ImageFile, sample_bytes};
use crate::palette;

/// The dimensions of the stages between samples and picture, in the order in which they are
/// chosen.
const DIMENSIONS: [&str; 6] = [
    dimension::ORIENTATION,
    dimension::PALETTE,
    dimension::PHOTOMETRIC,
    dimension::ALPHA,
    dimension::SAMPLES_PER_PIXEL,
    dimension::BITS,
];

/// A picture as the seed stores it, down to the bytes of samples, with the corresponding choices.
#[derive(Debug)]
pub struct SeedEncoding {
    order: ByteOrder,
    orientation: u16,
    photometric: u16,
    choices: Vec<(&'static str, solve::Choice)>,
    samples: Arc<SampleBytes>,
}

impl SeedEncoding {
    /// Builds the encoding of a file from its baseline `own` and its samples (the output record of the segments stage).
    /// Returns the samples if the choices do not determine them: the file has more samples than colors, more colors
    /// than its picture needs, or a palette.
    ///
    /// # Errors
    ///
    /// Returns an error if these are not samples.
    pub fn new(
        image: &ImageFile,
        sampled: Record,
        own: &Choices,
    ) -> Result<Result<Self, Record>, RunError> {
        let colors = if image.photometric == 2 { 3 } else { 1 };
        if image.is_palette() || usize::from(image.samples_per_pixel) != colors {
            return Ok(Err(sampled));
        }
        let from = &SEGMENTS.inverse().program().output;
        let bytes = byte_cells(&sampled, from, "bytes");
        let sample = sample_bytes(image.bits) as usize;
        if colors == 3 && is_gray(bytes, sample) {
            return Ok(Err(sampled));
        }
        // A dimension with one value is not a choice: colors cannot be stored as gray levels, and a palette has no room
        // for very many colors.
        let few = match sample * colors {
            // A palette has room for all bytes, whatever the pixels are.
            1 => true,
            pixel => palette::distinct(bytes.chunks(pixel)).is_some(),
        };
        let is_choice = |name: &&str| match *name {
            dimension::PHOTOMETRIC => colors == 1,
            dimension::PALETTE => few,
            _ => true,
        };
        let choice = |name: &'static str| Some((name, own.get(name)?.clone()));
        let dimensions = DIMENSIONS.into_iter().filter(is_choice);
        let Some(choices) = dimensions.map(choice).collect::<Option<Vec<_>>>() else {
            return Ok(Err(sampled));
        };
        let mut y = sampled;
        for (name, side) in [("most_width", image.width), ("most_length", image.height)] {
            let field_value = from.field(name).and_then(|field| y.fields.get_mut(field.0));
            if let (Some(field_value), Some(most)) =
                (field_value, number(max_tile_side(side.into())))
            {
                *field_value = most;
            }
        }
        let samples = SampleBytes::new(image.bits, image.extra_samples.clone(), y)?;
        Ok(Ok(Self {
            order: image.order,
            orientation: image.orientation,
            photometric: image.photometric,
            choices,
            samples: Arc::new(samples),
        }))
    }

    /// Returns the samples, as the output record of the segments stage.
    pub(super) fn samples(&self) -> Option<Record> {
        self.samples.prepared.canonical().value()
    }

    /// Returns true if samples in byte order `order` have the same bytes.
    fn fits_order(&self, order: ByteOrder) -> bool {
        self.samples.bits <= 8 || self.order == order
    }

    /// Returns true if `source` stores the picture in this encoding, with samples in `order`.
    pub(super) fn is_kept(&self, order: ByteOrder, source: &ChoiceSource) -> bool {
        self.fits_order(order) && self.choices.iter().all(|(name, value)| source.stays(name, value))
    }

    /// Records the choices of this encoding.
    pub(super) fn record(&self, source: &mut ChoiceSource) -> Result<SampleEncoding, ChoiceError> {
        for (name, value) in &self.choices {
            source.fix(name, value.clone(), || "how the seed is stored".to_owned())?;
        }
        Ok(SampleEncoding {
            orientation: self.orientation,
            photometric: self.photometric,
            color_map: Vec::new(),
            samples: Arc::clone(&self.samples),
        })
    }

    /// Returns true if `image`, whose segments are `x`, has this encoding and certainly the same
    /// samples.
    pub(super) fn matches(&self, image: &ImageFile, x: &Record) -> bool {
        self.fits_order(image.order)
            && self.orientation == image.orientation
            && self.photometric == image.photometric
            && self.samples.bits == image.bits
            && self.samples.extra_samples == image.extra_samples
            && normalizes_to(SEGMENTS.inverse(), x, self.samples.prepared.canonical())
                .unwrap_or(false)
    }
}

/// Returns true if the three samples of each pixel are equal.
fn is_gray(bytes: &[u8], sample: usize) -> bool {
    let mut pixels = bytes.chunks_exact(3 * sample);
    pixels.all(|p| p[..sample] == p[sample..2 * sample] && p[..sample] == p[2 * sample..])
}

#[cfg(test)]
mod tests {
    use inverter::solve::Vary;

    use super::*;
    use crate::pipeline::backward::ColorStages;
    use crate::pipeline::forward::decode;
    use crate::pipeline::{normalize, samples, segments_input};
    use crate::{baseline, pipeline};

    /// Returns the stages of a file, first without its encoding and then with it.
    fn stages(name: &str) -> (Arc<Choices>, [ColorStages; 2]) {
        let path = format!("{}/../corpus/seeds/{name}.tif", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let image = ImageFile::read(&bytes).unwrap();
        let file = pipeline::read_placement(&image, [], bytes.into()).unwrap();
        let (_, data) = decode(&image, file).unwrap();
        let own = baseline::baseline(&image);
        let sampled = samples(&segments_input(&image, data).unwrap()).unwrap();
        let with_encoding = ColorStages::of_file(&image, sampled.clone(), &own).unwrap();
        assert!(with_encoding.seed_encoding.is_some(), "{name}");
        let display = normalize(&image, sampled).unwrap();
        let stages = [ColorStages::new(display).unwrap(), with_encoding];
        (Arc::new(own), stages)
    }

    #[test]
    fn the_stages_make_the_same() {
        let mut kept = 0;
        for name in ["gray", "rgb", "tiny", "square"] {
            let (own, stages) = stages(name);
            for index in 0..60 {
                let share = if index < 30 { 0.2 } else { 0.8 };
                let source = ChoiceSource::seeded(3, index).or_baseline(&own);
                let source = source.with_vary(Vary::Share(share));
                kept += usize::from(stages[1].kept_encoding(ByteOrder::Little, &source).is_some());
                let [one, other] = stages.each_ref().map(|stages| {
                    let mut source = source.clone();
                    let stored = stages.represent(ByteOrder::Little, &mut source).unwrap();
                    (stored.grid, stored.data.clone(), source.into_recorded())
                });
                assert_eq!((one.0, one.2), (other.0, other.2), "{name} {index}");
                assert!(one.1 == other.1, "{name} {index}: other samples");
            }
        }
        assert!(kept > 30, "{kept}");
    }
}
