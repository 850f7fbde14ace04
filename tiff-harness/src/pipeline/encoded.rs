//! A picture on its way back to a file: the result of each inverted stage.
//!
//! Each result is built from the input record of the inverted stage. It holds the canonical value of the next stage,
//! prepared for inversion, and the cache of that stage's results.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use inverter::run::{Bytes, Prepared, Record, RunError};
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, SAMPLES, SEGMENTS};

use super::cache::Cache;
use super::records::{
    convert, max_tile_side, number, record, scalar, shorts, stored_shorts, take_bytes,
};
use crate::container::ByteOrder;
use crate::error::VariantError;
use crate::image::{Grid, ImageFile, Layout, sample_bytes};
use crate::palette::{self, Indexed};

/// The pixels in the order in which a file stores them: the orientation stage, inverted.
#[derive(Debug)]
pub(super) struct StoredPixels {
    /// Orientation.
    pub(super) orientation: u16,
    /// The canonical value of the photometric stage.
    pub(super) prepared: Prepared<'static>,
    /// The colors, if a palette has room for them.
    colors: OnceLock<Option<Vec<[u16; 3]>>>,
    /// The levels, by byte order.
    levels: [Cache<Levels>; 2],
}

impl StoredPixels {
    /// Builds them from the input record of the orientation stage. Also returns their size.
    pub(super) fn new(x: Record) -> Result<(Self, usize), VariantError> {
        let from = &ORIENTATION.inverse().program().input;
        let orientation = scalar(&x, from, "orientation") as u16;
        let bytes = 2 * x.elements();
        let inverse = PHOTOMETRIC.inverse();
        let y = convert(x, from, &inverse.program().output, |_| None);
        let prepared = PHOTOMETRIC.runner().prepare(y.map_err(VariantError::Internal)?)?;
        let (colors, levels) = (OnceLock::new(), Default::default());
        Ok((Self { orientation, prepared, colors, levels }, bytes))
    }

    /// Returns the samples of all pixels: red, green, blue, alpha.
    pub(super) fn rgba(&self) -> &[u16] {
        let output = &PHOTOMETRIC.inverse().program().output;
        stored_shorts(self.prepared.canonical(), output, "rgba")
    }

    /// Returns the colors in the order in which they occur; `None` if they do not fit in a palette.
    pub(super) fn colors(&self) -> Option<&[[u16; 3]]> {
        self.colors.get_or_init(|| palette::colors(self.rgba())).as_deref()
    }

    /// Returns the cache of levels whose samples are stored in `order`.
    pub(super) fn levels(&self, order: ByteOrder) -> &Cache<Levels> {
        &self.levels[usize::from(order == ByteOrder::Little)]
    }

    /// Returns a side of the stored picture: `width` or `height`.
    fn side(&self, name: &str) -> i128 {
        let field = PHOTOMETRIC.inverse().program().output.field(name);
        field.and_then(|field| self.prepared.canonical().scalar(field)).unwrap_or(0)
    }
}

/// Levels, or indices into a palette: the photometric stage, inverted.
#[derive(Debug)]
pub(super) struct Levels {
    /// PhotometricInterpretation.
    pub(super) photometric: u16,
    /// The kind of alpha: a value of ExtraSamples, 0 for none.
    alpha: u16,
    /// The palette, if there is one.
    pub(super) palette: Option<Vec<[u16; 3]>>,
    /// The canonical value of the samples stage.
    pub(super) prepared: Prepared<'static>,
    /// The results of that stage.
    pub(super) samples: Cache<SampleBytes>,
}

impl Levels {
    /// Builds them from the input record of the photometric stage. Also returns their size.
    pub(super) fn new(x: Record, order: ByteOrder) -> Result<(Self, usize), VariantError> {
        Self::prepare(x, order, None)
    }

    /// Builds the levels of pixels that are indices into a palette.
    pub(super) fn indexed(
        pixels: &StoredPixels,
        indexed: Indexed,
        order: ByteOrder,
    ) -> Result<Self, VariantError> {
        let Indexed { indices, colors } = indexed;
        let (width, height) = (pixels.side("width"), pixels.side("height"));
        let lengths = vec![height as usize, width as usize, 1];
        let mut indices = Some(indices);
        let x = record(&PHOTOMETRIC.inverse().program().input, |name| match name {
            "width" => number(width),
            "height" => number(height),
            "photometric" => number(1),
            "alpha" => number(0),
            "samples" => number(1),
            "levels" => indices.take().and_then(|i| shorts(lengths.clone(), i)),
            _ => None,
        });
        let x = x.map_err(VariantError::Internal)?;
        let levels = Self::prepare(x, order, Some(colors))?.0;
        Ok(Self { photometric: 3, ..levels })
    }

    fn prepare(
        x: Record,
        order: ByteOrder,
        palette: Option<Vec<[u16; 3]>>,
    ) -> Result<(Self, usize), VariantError> {
        let from = &PHOTOMETRIC.inverse().program().input;
        let field = |name: &str| scalar(&x, from, name) as u16;
        let (photometric, alpha, bytes) = (field("photometric"), field("alpha"), 2 * x.elements());
        let more = |name: &str| match name {
            "little_endian" => number(i128::from(order == ByteOrder::Little)),
            "indexed" => number(i128::from(palette.is_some())),
            _ => None,
        };
        let y = convert(x, from, &SAMPLES.inverse().program().output, more);
        let prepared = SAMPLES.runner().prepare(y.map_err(VariantError::Internal)?)?;
        Ok((Self { photometric, alpha, palette, prepared, samples: Cache::default() }, bytes))
    }
}

/// The bytes of samples: the samples stage, inverted.
#[derive(Debug)]
pub(super) struct SampleBytes {
    /// BitsPerSample.
    pub(super) bits: u16,
    /// ExtraSamples.
    pub(super) extra_samples: Vec<u16>,
    /// The canonical value of the segments stage.
    pub(super) prepared: Prepared<'static>,
    /// The results of that stage.
    pub(super) segments: Cache<Representation>,
}

impl SampleBytes {
    /// Builds them from the output record of the segments stage.
    pub(super) fn new(bits: u16, extra_samples: Vec<u16>, y: Record) -> Result<Self, RunError> {
        let prepared = SEGMENTS.runner().prepare(y)?;
        Ok(Self { bits, extra_samples, prepared, segments: Cache::default() })
    }

    /// Returns a side of the stored picture: `width` or `height`.
    pub(super) fn side(&self, name: &str) -> i128 {
        let field = SEGMENTS.inverse().program().output.field(name);
        field.and_then(|field| self.prepared.canonical().scalar(field)).unwrap_or(0)
    }

    /// Builds them from the input record of the samples stage. Also returns their size.
    pub(super) fn of_levels(levels: &Levels, x: Record) -> Result<(Self, usize), VariantError> {
        let from = &SAMPLES.inverse().program().input;
        let field = |name: &str| scalar(&x, from, name);
        let bits = field("bits") as u16;
        let unspecified = field("samples_per_pixel").saturating_sub(field("samples"));
        let alpha = Some(levels.alpha).filter(|alpha| *alpha > 0);
        let mut extra_samples: Vec<u16> = alpha.into_iter().collect();
        extra_samples.extend(std::iter::repeat_n(0, unspecified as usize));
        let (width, height, bytes) = (field("width"), field("height"), x.elements());
        let more = |name: &str| match name {
            "sample_bytes" => number(sample_bytes(bits)),
            "most_width" => number(max_tile_side(width)),
            "most_length" => number(max_tile_side(height)),
            _ => None,
        };
        let y = convert(x, from, &SEGMENTS.inverse().program().output, more);
        Ok((Self::new(bits, extra_samples, y.map_err(VariantError::Internal)?)?, bytes))
    }
}

/// Everything that determines how samples are stored, except the segments that hold them.
pub(super) struct SampleEncoding {
    /// Orientation.
    pub(super) orientation: u16,
    /// PhotometricInterpretation.
    pub(super) photometric: u16,
    /// ColorMap; empty if there is no palette.
    pub(super) color_map: Vec<u16>,
    /// The samples.
    pub(super) samples: Arc<SampleBytes>,
}

/// A picture as a file stores it, without its coding and its container: the segments stage,
/// inverted.
#[derive(Debug)]
pub struct Representation {
    /// The layout of samples in segments.
    pub grid: Grid,
    /// The byte order of samples.
    pub order: ByteOrder,
    /// Orientation.
    pub orientation: u16,
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// ExtraSamples.
    pub extra_samples: Vec<u16>,
    /// ColorMap; empty if there is no palette.
    pub color_map: Vec<u16>,
    /// The decoded segments, one after the other.
    pub data: Bytes,
    /// True once it was normalized and gave the picture.
    checked: AtomicBool,
}

impl Representation {
    /// Builds it from the input record of the segments stage. Also returns its size.
    pub(super) fn new(x: Record, order: ByteOrder, encoding: SampleEncoding) -> (Self, usize) {
        let SampleEncoding { orientation, photometric, color_map, samples } = encoding;
        let (grid, data) = segments(x, samples.bits);
        let bytes = data.len();
        let representation = Self {
            grid,
            order,
            orientation,
            photometric,
            extra_samples: samples.extra_samples.clone(),
            color_map,
            data,
            checked: AtomicBool::new(false),
        };
        (representation, bytes)
    }

    /// Returns true if `image` with these decoded segments is this representation, and this
    /// representation has been checked.
    pub fn is_checked(&self, image: &ImageFile, data: &Bytes) -> bool {
        self.checked.load(Ordering::Relaxed)
            && self.grid == image.grid()
            && (self.order == image.order || self.grid.bits <= 8)
            && self.orientation == image.orientation
            && self.photometric == image.photometric
            && self.extra_samples == image.extra_samples
            && self.color_map == image.color_map
            && self.data == *data
    }

    /// Records that it represents the picture.
    pub fn set_checked(&self) {
        self.checked.store(true, Ordering::Relaxed);
    }
}

/// Splits an input record of the segments stage into the grid of its samples and their bytes.
fn segments(x: Record, bits: u16) -> (Grid, Bytes) {
    let stage = &SEGMENTS.inverse().program().input;
    let field = |name: &str| scalar(&x, stage, name);
    let layout = match field("tiled") {
        0 => Layout::Strips { rows_per_strip: field("rows_per_strip") as u32 },
        _ => {
            Layout::Tiles { width: field("tile_width") as u32, length: field("tile_length") as u32 }
        }
    };
    let grid = Grid {
        width: field("width") as u32,
        height: field("height") as u32,
        bits,
        samples_per_pixel: field("samples_per_pixel") as u16,
        planar: field("planar") == 2,
        layout,
    };
    let mut data = take_bytes(x, stage, "data");
    data.settle();
    (grid, data)
}
