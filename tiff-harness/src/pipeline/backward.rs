//! Converts colors in display orientation back to the decoded segments of a file.
//!
//! [`ColorStages::represent`] inverts the stages one after another, as a choice source decides. It starts from the
//! picture, or from the samples of the seed file if the choices keep these.

use std::fmt;
use std::sync::{Arc, OnceLock};

use inverter::run::{Prepared, Record, RunError, normalizes_to};
use inverter::solve::{Choice, ChoiceSource, Choices};
use normalizers::tiff::ORIENTATION;

use super::cache::{Budget, Cache, Walk};
use super::encoded::{Levels, Representation, SampleBytes, SampleEncoding, StoredPixels};
use super::forward::{normalize, orientation_input, refused, samples};
use super::records::picture;
use super::seed_encoding::SeedEncoding;
use crate::container::ByteOrder;
use crate::dimension;
use crate::error::{TiffError, VariantError};
use crate::image::{ImageFile, Layout, MAX_PIXELS};
use crate::palette;
use crate::picture::Picture;

/// A picture of exact colors, with the inverted stages that its representations share.
#[derive(Debug)]
pub struct ColorStages {
    /// The picture in display orientation. If computing it cannot fail, it is computed from the file's samples at the
    /// first use, because a variant that changes only the layout of the samples is made and checked without it.
    display: OnceLock<Prepared<'static>>,
    pixels: Cache<StoredPixels>,
    pub(super) seed_encoding: Option<SeedEncoding>,
    image: Option<ImageFile>,
    budget: Budget,
}

impl ColorStages {
    /// Starts from a canonical value: the output record of the orientation stage.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a canonical value.
    pub fn new(display: Record) -> Result<Self, RunError> {
        let display = ORIENTATION.runner().prepare(display)?.into();
        let (pixels, budget) = (Cache::default(), Budget::default());
        Ok(Self { display, pixels, seed_encoding: None, image: None, budget })
    }

    /// Starts from the samples of a file (the output record of the segments stage) whose baseline is `own`.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses the samples.
    pub fn of_file(image: &ImageFile, sampled: Record, own: &Choices) -> Result<Self, TiffError> {
        let refused = |e: RunError| TiffError::Refused(e.to_string());
        match SeedEncoding::new(image, sampled, own).map_err(refused)? {
            // Any sample of up to 16 bits has a level, and any level has a color.
            Ok(encoding) if image.bits <= 16 => Ok(Self {
                display: OnceLock::new(),
                pixels: Cache::default(),
                seed_encoding: Some(encoding),
                image: Some(image.clone()),
                budget: Budget::default(),
            }),
            Ok(encoding) => {
                let display = display_of(image, &encoding)?;
                Ok(Self { seed_encoding: Some(encoding), ..Self::new(display).map_err(refused)? })
            }
            Err(sampled) => Self::new(normalize(image, sampled)?).map_err(refused),
        }
    }

    /// Caches results of stages within `budget`.
    pub(super) fn share(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    /// Returns the picture in display orientation.
    fn display(&self) -> Result<&Prepared<'static>, VariantError> {
        if let Some(display) = self.display.get() {
            return Ok(display);
        }
        let internal = |e: &dyn fmt::Display| VariantError::Internal(e.to_string());
        let (Some(image), Some(encoding)) = (&self.image, &self.seed_encoding) else {
            return Err(internal(&"there are no samples"));
        };
        let pixels = u64::from(image.width) * u64::from(image.height);
        if pixels > MAX_PIXELS {
            let why = format!("{pixels} pixels are too many for anything but another layout");
            return Err(VariantError::Impossible(why));
        }
        let display = display_of(image, encoding).map_err(|e| internal(&e))?;
        let display = ORIENTATION.runner().prepare(display).map_err(|e| internal(&e))?;
        Ok(self.display.get_or_init(|| display))
    }

    /// Returns the picture.
    ///
    /// # Errors
    ///
    /// Returns an internal error, which no file can cause: the picture is computed late only if the samples certainly
    /// have one.
    pub fn picture(&self) -> Result<Picture, VariantError> {
        Ok(picture(self.display()?.canonical()))
    }

    /// Returns true if `image`, whose segments are `x`, has this picture.
    ///
    /// # Errors
    ///
    /// Returns an error if a stage refuses the image.
    pub fn shows(&self, image: &ImageFile, x: Record) -> Result<bool, TiffError> {
        if self.seed_encoding.as_ref().is_some_and(|encoding| encoding.matches(image, &x)) {
            return Ok(true);
        }
        let sampled = samples(&x)?;
        drop(x);
        let x = orientation_input(image, sampled)?;
        let display = self.display().map_err(refused)?.canonical();
        normalizes_to(ORIENTATION.inverse(), &x, display).map_err(refused)
    }

    /// Returns the seed's encoding, if `source` stores the picture in the same one.
    pub(super) fn kept_encoding(
        &self,
        order: ByteOrder,
        source: &ChoiceSource,
    ) -> Option<&SeedEncoding> {
        self.seed_encoding.as_ref().filter(|encoding| encoding.is_kept(order, source))
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
        let mut walk = Walk::new(source, &self.budget);
        let encoding = match self.kept_encoding(order, walk.source) {
            Some(kept) => kept.record(walk.source)?,
            None => self.encode(order, &mut walk)?,
        };
        let samples = Arc::clone(&encoding.samples);
        let stored = divide(&samples, order, encoding, &mut walk)?;
        retract_implied(stored.grid.layout, source);
        Ok(stored)
    }

    /// Inverts all stages up to the samples.
    fn encode(
        &self,
        order: ByteOrder,
        walk: &mut Walk<'_>,
    ) -> Result<SampleEncoding, VariantError> {
        let pixels = walk.invert(self.display()?, &self.pixels, StoredPixels::new)?;
        let levels = match palette::choose(walk.source, pixels.rgba(), pixels.colors())? {
            Some(indexed) => {
                walk.stop_caching();
                Arc::new(Levels::indexed(&pixels, indexed, order)?)
            }
            None => {
                let build = |x| Levels::new(x, order);
                walk.invert(&pixels.prepared, pixels.levels(order), build)?
            }
        };
        let build = |x| SampleBytes::of_levels(&levels, x);
        let samples = walk.invert(&levels.prepared, &levels.samples, build)?;
        let color_map = match &levels.palette {
            Some(colors) => palette::color_map(walk.source, colors, samples.bits)?,
            None => Vec::new(),
        };
        let (orientation, photometric) = (pixels.orientation, levels.photometric);
        Ok(SampleEncoding { orientation, photometric, color_map, samples })
    }
}

/// Divides samples into segments, as the source of `walk` decides.
pub(super) fn divide(
    samples: &SampleBytes,
    order: ByteOrder,
    encoding: SampleEncoding,
    walk: &mut Walk<'_>,
) -> Result<Arc<Representation>, VariantError> {
    let rows = rows_of_single_strip(encoding.orientation, samples, walk.source);
    walk.source.translate(dimension::ROWS_PER_STRIP, rows);
    let build = |x| Ok(Representation::new(x, order, encoding));
    walk.invert(&samples.prepared, &samples.segments, build)
}

/// Normalizes the samples of a file.
fn display_of(image: &ImageFile, encoding: &SeedEncoding) -> Result<Record, TiffError> {
    let samples = encoding.samples().ok_or_else(|| TiffError::Refused("no samples".to_owned()))?;
    normalize(image, samples)
}

/// Returns the RowsPerStrip that keeps the baseline's single strip a single one in a picture that is stored rotated by
/// 90 degrees; `None` if the baseline's value has the same meaning here.
fn rows_of_single_strip(
    orientation: u16,
    samples: &SampleBytes,
    source: &ChoiceSource,
) -> Option<Choice> {
    let swaps_sides = |orientation: i128| orientation >= 5;
    let (Some(Choice::Int(own)), Some(Choice::Int(rows))) =
        (source.baseline(dimension::ORIENTATION), source.baseline(dimension::ROWS_PER_STRIP))
    else {
        return None;
    };
    let turned = swaps_sides(*own) != swaps_sides(orientation.into());
    // The width here is the height in the baseline.
    let is_single = *rows >= samples.side("width");
    (turned && is_single).then(|| Choice::Int(samples.side("height")))
}

/// Retracts the scalars of the segments stage that follow from others and therefore are not choices.
pub(super) fn retract_implied(layout: Layout, source: &mut ChoiceSource) {
    let implied: &[&str] = match layout {
        Layout::Strips { .. } => &["bytes", dimension::TILE_WIDTH, dimension::TILE_LENGTH],
        Layout::Tiles { .. } => &["bytes", dimension::ROWS_PER_STRIP],
    };
    for name in implied {
        if source.given(name).is_none() {
            source.retract(name);
        }
    }
}
