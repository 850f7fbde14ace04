//! The stages of pictures whose canonical value is samples with a label ([`Samples`]).
//!
//! ```text
//! sample bytes ──byte_order──▶ stored pixels ──turned──▶ the samples in display orientation
//! ```
//!
//! Before them come the same stages as for colors. The label does not vary.

use std::sync::Arc;

use inverter::run::{Prepared, Record, normalize_with as run, normalizes_to};
use inverter::solve::ChoiceSource;
use normalizers::tiff::{BYTE_ORDER, SEGMENTS, TURNED};

use super::backward::{divide, retract_implied};
use super::cache::{Budget, Cache, Walk};
use super::encoded::{Representation, SampleBytes, SampleEncoding};
use super::forward::refused;
use super::records::{convert, max_tile_side, number, scalar, take_bytes};
use crate::coding::sample_order;
use crate::container::ByteOrder;
use crate::error::{TiffError, VariantError};
use crate::image::{ImageFile, sample_bytes};
use crate::samples::{Label, Samples};

/// Samples with a label, and the inverted stages that their representations share.
#[derive(Debug)]
pub struct SampleStages {
    label: Label,
    display: Prepared<'static>,
    /// By byte order of samples.
    stored: [Cache<StoredPixels>; 2],
    budget: Budget,
}

/// The pixels in the order in which a file stores them: the `turned` stage, inverted.
#[derive(Debug)]
struct StoredPixels {
    /// Orientation.
    orientation: u16,
    /// The canonical value of the byte order stage.
    prepared: Prepared<'static>,
    /// The results of that stage.
    samples: Cache<SampleBytes>,
}

impl SampleStages {
    /// Begins at the samples of a file: the output record of the segments stage.
    ///
    /// # Errors
    ///
    /// If a stage refuses the samples.
    pub fn of_file(image: &ImageFile, sampled: Record) -> Result<Self, TiffError> {
        let display = run(TURNED.inverse(), &turned_input(image, sampled)?).map_err(refused)?;
        Ok(Self {
            label: Label::of(image),
            display: TURNED.runner().prepare(display).map_err(refused)?,
            stored: Default::default(),
            budget: Budget::default(),
        })
    }

    /// Returns the canonical value.
    pub fn value(&self) -> Option<Samples> {
        let value = self.display.canonical().value()?;
        let output = &TURNED.inverse().program.output;
        let side = |name| scalar(&value, output, name) as u32;
        let (width, height) = (side("width"), side("height"));
        let bytes = take_bytes(value, output, "bytes");
        Some(Samples { width, height, label: self.label.clone(), bytes })
    }

    /// Returns true if `image`, whose samples are `sampled`, has this canonical value.
    ///
    /// # Errors
    ///
    /// If a stage refuses the image.
    pub fn shows(&self, image: &ImageFile, sampled: Record) -> Result<bool, TiffError> {
        if Label::of(image) != self.label {
            return Ok(false);
        }
        let x = turned_input(image, sampled)?;
        normalizes_to(TURNED.inverse(), &x, self.display.canonical()).map_err(refused)
    }

    /// Builds the representation that `source` decides on, with samples in byte order `order`.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn represent(
        &self,
        order: ByteOrder,
        source: &mut ChoiceSource,
    ) -> Result<Arc<Representation>, VariantError> {
        let mut walk = Walk::new(source, &self.budget);
        let little = is_little_endian(self.label.bits, self.label.sample_format, order);
        let build = |x| StoredPixels::new(x, little, &self.label);
        let pixels = walk.invert(&self.display, &self.stored[usize::from(little)], build)?;
        let build = |x| sample_bytes_of(x, &self.label);
        let samples = walk.invert(&pixels.prepared, &pixels.samples, build)?;
        let encoding = SampleEncoding {
            orientation: pixels.orientation,
            photometric: self.label.photometric,
            color_map: self.label.color_map.clone(),
            samples: Arc::clone(&samples),
        };
        let stored = divide(&samples, order, encoding, &mut walk)?;
        retract_implied(stored.grid.layout, source);
        Ok(stored)
    }
}

impl StoredPixels {
    /// Builds them from the input record of the `turned` stage, for samples that begin with the least
    /// significant byte if `little`. Returns their size too.
    fn new(x: Record, little: bool, label: &Label) -> Result<(Self, usize), VariantError> {
        let from = &TURNED.inverse().program.input;
        let orientation = scalar(&x, from, "orientation") as u16;
        let bytes = x.elements();
        let y = convert(x, from, &BYTE_ORDER.inverse().program.output, |name| match name {
            "samples_per_pixel" => number(label.samples_per_pixel),
            "sample_bytes" => number(label.sample_bytes()),
            "little_endian" => number(i128::from(little)),
            _ => None,
        });
        let prepared = BYTE_ORDER.runner().prepare(y.map_err(VariantError::Internal)?)?;
        Ok((Self { orientation, prepared, samples: Cache::default() }, bytes))
    }
}

/// Builds the samples from the input record of the byte order stage. Returns their size too.
fn sample_bytes_of(x: Record, label: &Label) -> Result<(SampleBytes, usize), VariantError> {
    let from = &BYTE_ORDER.inverse().program.input;
    let (width, height) = (scalar(&x, from, "width"), scalar(&x, from, "height"));
    let bytes = x.elements();
    let y = convert(x, from, &SEGMENTS.inverse().program.output, |name| match name {
        "most_width" => number(max_tile_side(width)),
        "most_length" => number(max_tile_side(height)),
        _ => None,
    });
    let y = y.map_err(VariantError::Internal)?;
    Ok((SampleBytes::new(label.bits, label.extra_samples.clone(), y)?, bytes))
}

/// Returns the input record of the `turned` stage for `image`, whose samples are `sampled`.
fn turned_input(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    let stage = BYTE_ORDER.inverse();
    let from = &SEGMENTS.inverse().program.output;
    let little = is_little_endian(image.bits, image.sample_format, image.order);
    let x = convert(sampled, from, &stage.program.input, |name| match name {
        "little_endian" => number(i128::from(little)),
        _ => None,
    });
    let stored = run(stage, &x.map_err(refused)?).map_err(refused)?;
    let pixel_bytes = u64::from(image.samples_per_pixel) * sample_bytes(image.bits);
    let from = &stage.program.output;
    let x = convert(stored, from, &TURNED.inverse().program.input, |name| match name {
        "orientation" => number(image.orientation),
        "pixel_bytes" => number(pixel_bytes),
        _ => None,
    });
    x.map_err(refused)
}

/// Returns true if the bytes of a decoded sample begin with the least significant one.
fn is_little_endian(bits: u16, sample_format: u16, order: ByteOrder) -> bool {
    sample_order(bits, sample_format, order) == ByteOrder::Little
}
