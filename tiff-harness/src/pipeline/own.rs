//! How the seed itself stores its picture: variants that change no more than the segments
//! begin at its samples, and are compared with them.
//!
//! That holds where its samples follow from its picture and from the choices of the stages
//! between them: then these stages would make the same again.

use std::sync::Arc;

use inverter::run::{RunError, Value, normalizes_to};
use inverter::solve::{self, ChoiceError, ChoiceSource, Choices};
use normalizers::tiff::SEGMENTS;

use super::backward::{Outer, Sampled, most};
use super::records::{byte_cells, number};
use crate::coding::sample_bytes;
use crate::container::ByteOrder;
use crate::image::ImageFile;
use crate::palette::{self, PALETTE};

/// The dimensions of the stages between samples and picture, in the order in which they are
/// chosen.
const DIMENSIONS: [&str; 6] =
    ["orientation", PALETTE, "photometric", "alpha", "samples_per_pixel", "bits"];

/// A way of storing a picture, down to the bytes of samples.
#[derive(Debug)]
pub struct Own {
    order: ByteOrder,
    orientation: u16,
    photometric: u16,
    choices: Vec<(&'static str, solve::Choice)>,
    sampled: Arc<Sampled>,
}

impl Own {
    /// Of a file that is stored as `own` says, with its samples (of the output record of the
    /// segments stage). They are given back where there are more samples than colors, or more
    /// colors than are needed, or a palette.
    ///
    /// # Errors
    ///
    /// If these are no samples.
    pub fn of(
        image: &ImageFile,
        sampled: Value,
        own: &Choices,
    ) -> Result<Result<Self, Value>, RunError> {
        let colors = if image.photometric == 2 { 3 } else { 1 };
        if image.is_palette() || usize::from(image.samples_per_pixel) != colors {
            return Ok(Err(sampled));
        }
        let from = &SEGMENTS.inverse().program.output;
        let bytes = byte_cells(&sampled, from, "bytes");
        let sample = sample_bytes(image.bits) as usize;
        if colors == 3 && is_gray(bytes, sample) {
            return Ok(Err(sampled));
        }
        // What has one value is no choice: colors are no levels of gray, and a palette has no
        // room for very many.
        let few = palette::distinct(bytes.chunks(sample * colors)).is_some();
        let chosen = |name: &&str| match *name {
            "photometric" => colors == 1,
            PALETTE => few,
            _ => true,
        };
        let choice = |name: &'static str| Some((name, own.get(name)?.clone()));
        let dimensions = DIMENSIONS.into_iter().filter(chosen);
        let Some(choices) = dimensions.map(choice).collect::<Option<Vec<_>>>() else {
            return Ok(Err(sampled));
        };
        let mut y = sampled;
        for (name, side) in [("most_width", image.width), ("most_length", image.height)] {
            let datum = from.field(name).and_then(|field| y.fields.get_mut(field.0));
            if let (Some(datum), Some(most)) = (datum, number(most(side.into()))) {
                *datum = most;
            }
        }
        let sampled = Sampled::new(image.bits, image.extra_samples.clone(), y)?;
        Ok(Ok(Self {
            order: image.order,
            orientation: image.orientation,
            photometric: image.photometric,
            choices,
            sampled: Arc::new(sampled),
        }))
    }

    /// The samples.
    pub(super) fn samples(&self) -> Option<Value> {
        self.sampled.bytes.canonical().value()
    }

    /// Whether the order of bytes does not show in samples, or is this one.
    fn takes(&self, order: ByteOrder) -> bool {
        self.sampled.bits <= 8 || self.order == order
    }

    /// Whether `source` is to store the picture in this way, with samples in `order`.
    pub(super) fn stays(&self, order: ByteOrder, source: &ChoiceSource) -> bool {
        self.takes(order) && self.choices.iter().all(|(name, value)| source.stays(name, value))
    }

    /// Chooses this way.
    pub(super) fn record(&self, source: &mut ChoiceSource) -> Result<Outer, ChoiceError> {
        for (name, value) in &self.choices {
            source.settle(name, value.clone(), || "how the seed is stored".to_owned())?;
        }
        Ok(Outer {
            orientation: self.orientation,
            photometric: self.photometric,
            color_map: Vec::new(),
            sampled: Arc::clone(&self.sampled),
        })
    }

    /// Whether `image`, of which `x` are the segments, is stored in this way and surely has the
    /// same samples.
    pub(super) fn is(&self, image: &ImageFile, x: &Value) -> bool {
        self.takes(image.order)
            && self.orientation == image.orientation
            && self.photometric == image.photometric
            && self.sampled.bits == image.bits
            && self.sampled.extra_samples == image.extra_samples
            && normalizes_to(SEGMENTS.inverse(), x, self.sampled.bytes.canonical()).unwrap_or(false)
    }
}

/// Whether the three samples of each pixel are the same.
fn is_gray(bytes: &[u8], sample: usize) -> bool {
    let mut pixels = bytes.chunks_exact(3 * sample);
    pixels.all(|p| p[..sample] == p[sample..2 * sample] && p[..sample] == p[2 * sample..])
}

#[cfg(test)]
mod tests {
    use inverter::solve::Vary;

    use super::*;
    use crate::pipeline::{Stages, normalize, sampled, segmented};
    use crate::{own, pipeline};

    /// The stages of a file, and the same with its own way known.
    fn stages(name: &str) -> (Arc<Choices>, [Stages; 2]) {
        let path = format!("{}/../corpus/seeds/{name}.tif", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let image = ImageFile::read(&bytes).unwrap();
        let apart = pipeline::placed(&image, bytes).unwrap();
        let (_, data) = pipeline::decoded(&image, apart).unwrap();
        let own = own::own_choices(&image);
        let sampled = sampled(&segmented(&image, data).unwrap()).unwrap();
        let known = Stages::of_file(&image, sampled.clone(), &own).unwrap();
        assert!(known.own.is_some(), "{name}");
        let display = normalize(&image, sampled).unwrap();
        let stages = [Stages::new(display).unwrap(), known];
        (Arc::new(own), stages)
    }

    #[test]
    fn the_stages_make_the_same() {
        let mut begun = 0;
        for name in ["gray", "rgb", "tiny", "square"] {
            let (own, stages) = stages(name);
            for index in 0..60 {
                let share = if index < 30 { 0.2 } else { 0.8 };
                let source = ChoiceSource::seeded(3, index).or_baseline(&own);
                let source = source.with_vary(Vary::Share(share));
                begun += usize::from(stages[1].own(ByteOrder::Little, &source).is_some());
                let [one, other] = stages.each_ref().map(|stages| {
                    let mut source = source.clone();
                    let stored = stages.represent(ByteOrder::Little, &mut source).unwrap();
                    (stored.grid, stored.data.clone(), source.into_recorded())
                });
                assert_eq!((one.0, one.2), (other.0, other.2), "{name} {index}");
                assert!(one.1 == other.1, "{name} {index}: other samples");
            }
        }
        assert!(begun > 30, "{begun}");
    }
}
