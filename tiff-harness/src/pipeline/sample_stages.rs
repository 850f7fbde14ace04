//! The stages of pictures whose canonical value is samples with a label ([`Samples`]).
//!
//! ```text
//! sample bytes ──byte_order──▶ stored pixels ──turned──▶ the samples in display orientation
//! ```
//!
//! The earlier stages are the same as for colors. The label does not vary, except for the bits of floating-point
//! samples, because a wider format contains the same numbers.

use std::sync::{Arc, OnceLock};

use inverter::run::{Prepared, Record, RunError, normalize_with as run, normalizes_to};
use inverter::solve::{ChoiceSource, IntervalSet};
use normalizers::tiff::{BYTE_ORDER, SEGMENTS, TURNED};

use super::backward::{divide, retract_implied};
use super::cache::{Budget, Cache, Walk};
use super::encoded::{Representation, SampleBytes, SampleEncoding};
use super::forward::refused;
use super::records::{
    byte_cells, bytes, convert, max_tile_side, number, record, scalar, take_bytes,
};
use crate::coding::{components, sample_order};
use crate::container::ByteOrder;
use crate::dimension;
use crate::error::{TiffError, VariantError};
use crate::floats;
use crate::image::{ImageFile, sample_bytes};
use crate::samples::{Label, Samples};

/// SampleFormat of floating-point samples (TIFF 6.0, section 19).
const FLOAT: u16 = 3;

/// Samples with a label, and the inverted stages that their representations share.
#[derive(Debug)]
pub struct SampleStages {
    /// The label of the first width.
    label: Label,
    /// The samples, in ascending order of their bits: one width, or all widths that hold floating-point samples
    /// exactly.
    widths: Vec<(u16, OnceLock<Width>)>,
    budget: Budget,
}

/// The samples with a number of bits.
#[derive(Debug)]
struct Width {
    label: Label,
    display: Prepared<'static>,
    /// The stored pixels, by byte order of samples.
    stored: [Cache<StoredPixels>; 2],
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
    /// Starts from the samples of a file: the output record of the segments stage.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses the samples.
    pub fn of_file(image: &ImageFile, sampled: Record) -> Result<Self, TiffError> {
        let mut label = Label::of(image);
        let mut display = run(TURNED.inverse(), &turned_input(image, sampled)?).map_err(refused)?;
        let mut all = vec![label.bits];
        if label.sample_format == FLOAT && floats::WIDTHS.contains(&label.bits) {
            let output = &TURNED.inverse().program().output;
            let fewest = floats::fewest_bits(byte_cells(&display, output, "bytes"), label.bits);
            if fewest < label.bits {
                display = with_bits(display, &label, fewest).map_err(refused)?;
                label.bits = fewest;
            }
            all = floats::WIDTHS.into_iter().filter(|bits| *bits >= fewest).collect();
        }
        let widths: Vec<_> = all.into_iter().map(|bits| (bits, OnceLock::new())).collect();
        let first = Width::new(label.clone(), display).map_err(refused)?;
        widths[0].1.get_or_init(|| first);
        Ok(Self { label, widths, budget: Budget::default() })
    }

    /// Returns true if samples may be stored with more or fewer bits.
    pub fn bits_vary(&self) -> bool {
        self.widths.len() > 1
    }

    /// Caches results of stages within `budget`.
    pub(super) fn share(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    /// Returns the canonical value.
    pub fn value(&self) -> Option<Samples> {
        let value = self.narrowest()?.display.canonical().value()?;
        let output = &TURNED.inverse().program().output;
        let side = |name| scalar(&value, output, name) as u32;
        let (width, height) = (side("width"), side("height"));
        let bytes = take_bytes(value, output, "bytes");
        Some(Samples { width, height, label: self.label.clone(), bytes: bytes.into_vec() })
    }

    /// Returns true if `image`, whose samples are `sampled`, has this canonical value.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses the image.
    pub fn shows(&self, image: &ImageFile, sampled: Record) -> Result<bool, TiffError> {
        let label = Label { bits: self.label.bits, ..Label::of(image) };
        let Ok(width) = self.width(image.bits) else { return Ok(false) };
        if label != self.label {
            return Ok(false);
        }
        let x = turned_input(image, sampled)?;
        normalizes_to(TURNED.inverse(), &x, width.display.canonical()).map_err(refused)
    }

    /// Builds the representation that `source` determines, with samples in byte order `order`.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    pub fn represent(
        &self,
        order: ByteOrder,
        source: &mut ChoiceSource,
    ) -> Result<Arc<Representation>, VariantError> {
        let bits = self.choose_bits(source)?;
        let Width { label, display, stored } = self.width(bits)?;
        let mut walk = Walk::new(source, &self.budget);
        let little = is_little_endian(label.bits, label.sample_format, order);
        let build = |x| StoredPixels::new(x, little, label);
        let pixels = walk.invert(display, &stored[usize::from(little)], build)?;
        let build = |x| sample_bytes_of(x, label);
        let samples = walk.invert(&pixels.prepared, &pixels.samples, build)?;
        let encoding = SampleEncoding {
            orientation: pixels.orientation,
            photometric: label.photometric,
            color_map: label.color_map.clone(),
            samples: Arc::clone(&samples),
        };
        let stored = divide(&samples, order, encoding, &mut walk)?;
        retract_implied(stored.grid.layout, source);
        Ok(stored)
    }

    /// Chooses BitsPerSample, if it varies.
    fn choose_bits(&self, source: &mut ChoiceSource) -> Result<u16, VariantError> {
        if !self.bits_vary() {
            return Ok(self.label.bits);
        }
        let points = self.widths.iter().map(|(bits, _)| (i128::from(*bits), i128::from(*bits)));
        let bits = source.integer(dimension::BITS, &IntervalSet::from_spans(points), &[])?;
        Ok(bits as u16)
    }

    fn narrowest(&self) -> Option<&Width> {
        self.widths.first()?.1.get()
    }

    /// Returns the samples with `bits` bits.
    fn width(&self, bits: u16) -> Result<&Width, VariantError> {
        let internal = |what: String| VariantError::Internal(what);
        let found = self.widths.iter().find(|(width, _)| *width == bits);
        let Some((_, width)) = found else {
            return Err(internal(format!("no samples of {bits} bits")));
        };
        if let Some(width) = width.get() {
            return Ok(width);
        }
        let canonical = self.narrowest().and_then(|first| first.display.canonical().value());
        let canonical = canonical.ok_or_else(|| internal("no samples".to_owned()))?;
        let display = with_bits(canonical, &self.label, bits).map_err(internal)?;
        let built = Width::new(Label { bits, ..self.label.clone() }, display)?;
        Ok(width.get_or_init(|| built))
    }
}

impl Width {
    fn new(label: Label, display: Record) -> Result<Self, RunError> {
        let display = TURNED.runner().prepare(display)?;
        Ok(Self { label, display, stored: Default::default() })
    }
}

impl StoredPixels {
    /// Builds them from the input record of the `turned` stage, for samples that begin with the least significant byte
    /// if `little`. Also returns their size.
    fn new(x: Record, little: bool, label: &Label) -> Result<(Self, usize), VariantError> {
        let from = &TURNED.inverse().program().input;
        let orientation = scalar(&x, from, "orientation") as u16;
        let bytes = x.elements();
        let components = components(label.bits, label.sample_format);
        let y = convert(x, from, &BYTE_ORDER.inverse().program().output, |name| match name {
            "samples_per_pixel" => number(label.samples_per_pixel * components),
            "sample_bytes" => number(label.sample_bytes() / u64::from(components)),
            "little_endian" => number(i128::from(little)),
            _ => None,
        });
        let prepared = BYTE_ORDER.runner().prepare(y.map_err(VariantError::Internal)?)?;
        Ok((Self { orientation, prepared, samples: Cache::default() }, bytes))
    }
}

/// Builds the samples from the input record of the byte order stage. Also returns their size.
fn sample_bytes_of(x: Record, label: &Label) -> Result<(SampleBytes, usize), VariantError> {
    let from = &BYTE_ORDER.inverse().program().input;
    let (width, height) = (scalar(&x, from, "width"), scalar(&x, from, "height"));
    let bytes = x.elements();
    let y = convert(x, from, &SEGMENTS.inverse().program().output, |name| match name {
        "most_width" => number(max_tile_side(width)),
        "most_length" => number(max_tile_side(height)),
        "samples_per_pixel" => number(label.samples_per_pixel),
        "sample_bytes" => number(label.sample_bytes()),
        _ => None,
    });
    let y = y.map_err(VariantError::Internal)?;
    Ok((SampleBytes::new(label.bits, label.extra_samples.clone(), y)?, bytes))
}

/// Returns the input record of the `turned` stage for `image`, whose samples are `sampled`.
fn turned_input(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    let stage = BYTE_ORDER.inverse();
    let from = &SEGMENTS.inverse().program().output;
    let little = is_little_endian(image.bits, image.sample_format, image.order);
    let components = components(image.bits, image.sample_format);
    let x = convert(sampled, from, &stage.program.input, |name| match name {
        "samples_per_pixel" => number(image.samples_per_pixel * components),
        "sample_bytes" => number(sample_bytes(image.bits) / u64::from(components)),
        "little_endian" => number(i128::from(little)),
        _ => None,
    });
    let stored = run(stage, &x.map_err(refused)?).map_err(refused)?;
    let pixel_bytes = u64::from(image.samples_per_pixel) * sample_bytes(image.bits);
    let from = &stage.program.output;
    let x = convert(stored, from, &TURNED.inverse().program().input, |name| match name {
        "orientation" => number(image.orientation),
        "pixel_bytes" => number(pixel_bytes),
        _ => None,
    });
    x.map_err(refused)
}

/// Converts the canonical value of the `turned` stage, whose samples have the label `label`, to samples
/// of `bits` bits.
fn with_bits(display: Record, label: &Label, bits: u16) -> Result<Record, String> {
    let output = &TURNED.inverse().program().output;
    let converted = floats::convert(byte_cells(&display, output, "bytes"), label.bits, bits)
        .ok_or_else(|| format!("samples are not exact with {bits} bits"))?;
    let pixel_bytes = u64::from(label.samples_per_pixel) * sample_bytes(bits);
    let side = |name| scalar(&display, output, name) as usize;
    let lengths = vec![side("height"), side("width"), pixel_bytes as usize];
    let mut converted = Some(converted);
    record(output, |name| match name {
        "width" | "height" => number(scalar(&display, output, name)),
        "pixel_bytes" => number(pixel_bytes),
        "bytes" => converted.take().and_then(|cells| bytes(lengths.clone(), cells)),
        _ => None,
    })
}

/// Returns true if the bytes of a decoded sample begin with the least significant one.
fn is_little_endian(bits: u16, sample_format: u16, order: ByteOrder) -> bool {
    sample_order(bits, sample_format, order) == ByteOrder::Little
}
