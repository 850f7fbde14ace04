//! The picture as it is to be seen to the decoded segments of a file of it.
//!
//! Variants of one picture share most of the way: there are eight orientations, a few
//! photometric interpretations, a few numbers of bits. What a stage makes is kept where its
//! scalars decide all of it, so that the next variant with the same ones begins there.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use inverter::run::{Made, Prepared, RunError, Value, normalizes_to};
use inverter::solve::{ChoiceSource, Choices};
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, SAMPLES, SEGMENTS};
use rustc_hash::FxHashMap;

use super::forward::{normalize, refused, sampled, turned};
use super::own::Own;
use super::records::{forward, number, picture, record, scalar, shorts, stored_shorts, take_bytes};
use crate::coding::sample_bytes;
use crate::container::ByteOrder;
use crate::error::TiffError;
use crate::image::{Grid, ImageFile, Layout};
use crate::palette;
use crate::picture::Picture;
use crate::seed::VariantError;

/// The most bytes that are kept of one picture's stages.
const MOST_KEPT: usize = 32 << 20;

/// A picture as a file stores it: everything but its coding and its container.
#[derive(Debug)]
pub struct Representation {
    /// How samples lie in segments.
    pub grid: Grid,
    /// The byte order of samples.
    pub order: ByteOrder,
    /// Orientation.
    pub orientation: u16,
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// ExtraSamples.
    pub extra_samples: Vec<u16>,
    /// ColorMap; none if there is no palette.
    pub color_map: Vec<u16>,
    /// The decoded segments, one after the other.
    pub data: Vec<u8>,
    /// Whether it was run forwards, and gave the picture.
    checked: AtomicBool,
}

impl Representation {
    /// Whether `image`, with these decoded segments, is this representation, and this is known
    /// to give the picture.
    pub fn is_checked(&self, image: &ImageFile, data: &[u8]) -> bool {
        self.checked.load(Ordering::Relaxed)
            && self.grid == image.grid()
            && (self.order == image.order || self.grid.bits <= 8)
            && self.orientation == image.orientation
            && self.photometric == image.photometric
            && self.extra_samples == image.extra_samples
            && self.color_map == image.color_map
            && self.data == data
    }

    /// Notes that it gives the picture.
    pub fn set_checked(&self) {
        self.checked.store(true, Ordering::Relaxed);
    }
}

/// A picture, and what its representations have in common.
#[derive(Debug)]
pub struct Stages {
    /// Made of the file's own samples when it is first asked for, where that surely works: a
    /// variant that changes nothing but their layout is made and checked without it.
    display: OnceLock<Prepared<'static>>,
    turned: Kept<Turned>,
    pub(super) own: Option<Own>,
    image: Option<ImageFile>,
    room: AtomicUsize,
}

/// What decides how samples are stored, but for the segments that they lie in.
pub(super) struct Outer {
    pub(super) orientation: u16,
    pub(super) photometric: u16,
    pub(super) color_map: Vec<u16>,
    pub(super) sampled: Arc<Sampled>,
}

/// Stored pixels.
#[derive(Debug)]
struct Turned {
    orientation: u16,
    pixels: Prepared<'static>,
    /// The colors, if there are few.
    colors: OnceLock<Option<Vec<[u16; 3]>>>,
    /// By byte order.
    leveled: [Kept<Leveled>; 2],
}

/// Levels, or indices of a palette.
#[derive(Debug)]
struct Leveled {
    photometric: u16,
    alpha: u16,
    colors: Option<Vec<[u16; 3]>>,
    levels: Prepared<'static>,
    sampled: Kept<Sampled>,
}

/// The bytes of samples.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) bits: u16,
    pub(super) extra_samples: Vec<u16>,
    pub(super) bytes: Prepared<'static>,
    stored: Kept<Representation>,
}

impl Sampled {
    /// Of the output record of the segments stage.
    pub(super) fn new(bits: u16, extra_samples: Vec<u16>, y: Value) -> Result<Self, RunError> {
        let bytes = SEGMENTS.runner().prepare(y)?;
        Ok(Self { bits, extra_samples, bytes, stored: Kept::default() })
    }
}

/// No tile has a greater width or length than this where the picture has `side`.
pub(super) fn most(side: u64) -> i128 {
    i128::from(side.next_multiple_of(16) + 16)
}

/// What a stage has made, by the scalars that decide it.
#[derive(Debug)]
struct Kept<T>(Mutex<FxHashMap<Vec<i128>, Arc<T>>>);

/// How many bytes may still be kept; `None` where what comes before is not kept.
type Budget<'r> = Option<&'r AtomicUsize>;

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// What `inverse*(y)` gives as `source` decides, made into a `T` of so many bytes; or what
    /// was kept of it. With it, the room for what comes of it: none if it is not kept itself.
    fn step<'r>(
        &self,
        y: &Prepared<'_>,
        source: &mut ChoiceSource,
        room: Budget<'r>,
        make: impl FnOnce(Value) -> Result<(T, usize), VariantError>,
    ) -> Result<(Arc<T>, Budget<'r>), VariantError> {
        let mut key = None;
        let known = |scalars: &[i128]| {
            let found = self.0.lock().ok()?.get(scalars).cloned();
            key = found.is_none().then(|| scalars.to_vec());
            found
        };
        let (value, settled) = match y.invert_unless(source, known)? {
            Made::Known(kept) => return Ok((kept, room)),
            Made::New { value, settled } => (value, settled),
        };
        let (made, bytes) = make(value)?;
        let made = Arc::new(made);
        let fits = |room: usize| room.checked_sub(bytes);
        if settled
            && let (Some(key), Some(left)) = (key, room)
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok()
            && let Ok(mut kept) = self.0.lock()
        {
            kept.insert(key, Arc::clone(&made));
            return Ok((made, room));
        }
        Ok((made, None))
    }
}

impl Stages {
    /// Begins at a canonical value: of the output record of the orientation stage.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn new(display: Value) -> Result<Self, RunError> {
        let display = ORIENTATION.runner().prepare(display)?.into();
        let room = AtomicUsize::new(MOST_KEPT);
        Ok(Self { display, turned: Kept::default(), own: None, image: None, room })
    }

    /// Of a file with these samples (of the output record of the segments stage), which is
    /// stored as `own` says.
    ///
    /// # Errors
    ///
    /// If a stage refuses.
    pub fn of_file(image: &ImageFile, sampled: Value, own: &Choices) -> Result<Self, TiffError> {
        let refused = |e: RunError| TiffError::Refused(e.to_string());
        match Own::of(image, sampled, own).map_err(refused)? {
            // Any sample of up to 16 bits has a level, and any level shows something.
            Ok(own) if image.bits <= 16 => Ok(Self {
                display: OnceLock::new(),
                turned: Kept::default(),
                own: Some(own),
                image: Some(image.clone()),
                room: AtomicUsize::new(MOST_KEPT),
            }),
            Ok(own) => {
                let display = shown(image, &own)?;
                Ok(Self { own: Some(own), ..Self::new(display).map_err(refused)? })
            }
            Err(sampled) => Self::new(normalize(image, sampled)?).map_err(refused),
        }
    }

    /// The picture as it is to be seen.
    fn display(&self) -> Result<&Prepared<'static>, VariantError> {
        if let Some(display) = self.display.get() {
            return Ok(display);
        }
        let defect = |e: &dyn fmt::Display| VariantError::Internal(e.to_string());
        let (Some(image), Some(own)) = (&self.image, &self.own) else {
            return Err(defect(&"there are no samples"));
        };
        let display = shown(image, own).map_err(|e| defect(&e))?;
        let display = ORIENTATION.runner().prepare(display).map_err(|e| defect(&e))?;
        Ok(self.display.get_or_init(|| display))
    }

    /// The picture.
    ///
    /// # Errors
    ///
    /// None that a file could cause: the samples of a file have a picture where they were not
    /// asked for it at once.
    pub fn picture(&self) -> Result<Picture, VariantError> {
        Ok(picture(self.display()?.canonical()))
    }

    /// Whether this is the picture of `image`, of which `x` are the segments.
    ///
    /// # Errors
    ///
    /// If a stage refuses it.
    pub fn shows(&self, image: &ImageFile, x: Value) -> Result<bool, TiffError> {
        if self.own.as_ref().is_some_and(|own| own.is(image, &x)) {
            return Ok(true);
        }
        let sampled = sampled(&x)?;
        drop(x);
        let x = turned(image, sampled)?;
        let display = self.display().map_err(refused)?.canonical();
        normalizes_to(ORIENTATION.inverse(), &x, display).map_err(refused)
    }

    /// The way that is known already, if `source` is to store the picture in it.
    pub(super) fn own(&self, order: ByteOrder, source: &ChoiceSource) -> Option<&Own> {
        self.own.as_ref().filter(|own| own.stays(order, source))
    }

    /// A representation with samples in byte order `order`, as `source` decides.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn represent(
        &self,
        order: ByteOrder,
        source: &mut ChoiceSource,
    ) -> Result<Arc<Representation>, VariantError> {
        let (outer, room) = match self.own(order, source) {
            Some(own) => (own.record(source)?, Some(&self.room)),
            None => self.outer(order, source)?,
        };
        let sampled = outer.sampled;
        let (stored, _) = sampled.stored.step(&sampled.bytes, source, room, |x| {
            let (grid, data) = segments(x, sampled.bits);
            let bytes = data.len();
            let representation = Representation {
                grid,
                order,
                orientation: outer.orientation,
                photometric: outer.photometric,
                extra_samples: sampled.extra_samples.clone(),
                color_map: outer.color_map,
                data,
                checked: AtomicBool::new(false),
            };
            Ok((representation, bytes))
        })?;
        // What follows from the others is no choice.
        let idle: &[&str] = match stored.grid.layout {
            Layout::Strips { .. } => &["bytes", "tile_width", "tile_length"],
            Layout::Tiles { .. } => &["bytes", "rows_per_strip"],
        };
        for name in idle {
            if !source.is_given(name) {
                source.retract(name);
            }
        }
        Ok(stored)
    }

    /// All stages but that of segments.
    fn outer(
        &self,
        order: ByteOrder,
        source: &mut ChoiceSource,
    ) -> Result<(Outer, Budget<'_>), VariantError> {
        let room = Some(&self.room);
        let (turned, room) = self.turned.step(self.display()?, source, room, Turned::of)?;
        let (leveled, room) = turned.level(order, source, room)?;
        let sample = |x| leveled.sample(x);
        let (sampled, room) = leveled.sampled.step(&leveled.levels, source, room, sample)?;
        let color_map = match &leveled.colors {
            Some(colors) => palette::color_map(source, colors, sampled.bits)?,
            None => Vec::new(),
        };
        let (orientation, photometric) = (turned.orientation, leveled.photometric);
        Ok((Outer { orientation, photometric, color_map, sampled }, room))
    }
}

/// What a file with these samples shows.
fn shown(image: &ImageFile, own: &Own) -> Result<Value, TiffError> {
    let samples = own.samples().ok_or_else(|| TiffError::Refused("no samples".to_owned()))?;
    normalize(image, samples)
}

impl Turned {
    fn of(x: Value) -> Result<(Self, usize), VariantError> {
        let from = &ORIENTATION.inverse().program.input;
        let orientation = scalar(&x, from, "orientation") as u16;
        let bytes = 2 * x.elements();
        let inverse = PHOTOMETRIC.inverse();
        let y = forward(x, from, &inverse.program.output, |_| None);
        let pixels = PHOTOMETRIC.runner().prepare(y.map_err(VariantError::Internal)?)?;
        let (colors, leveled) = (OnceLock::new(), Default::default());
        Ok((Self { orientation, pixels, colors, leveled }, bytes))
    }

    /// Stored pixels as levels, or as indices of a palette.
    fn level<'r>(
        &self,
        order: ByteOrder,
        source: &mut ChoiceSource,
        room: Budget<'r>,
    ) -> Result<(Arc<Leveled>, Budget<'r>), VariantError> {
        let stage = &PHOTOMETRIC.inverse().program;
        let rgba = stored_shorts(self.pixels.canonical(), &stage.output, "rgba");
        let colors = self.colors.get_or_init(|| palette::colors(rgba));
        let little = order == ByteOrder::Little;
        if let Some(indexed) = palette::choose(source, rgba, colors.as_deref())? {
            let side = |name: &str| {
                let field = stage.output.field(name);
                field.and_then(|f| self.pixels.canonical().scalar(f)).unwrap_or(0)
            };
            let lengths = vec![side("height") as usize, side("width") as usize, 1];
            let mut indices = Some(indexed.indices);
            let levels = record(&stage.input, |name| match name {
                "width" | "height" => number(side(name)),
                "photometric" => number(1),
                "alpha" => number(0),
                "samples" => number(1),
                "levels" => indices.take().and_then(|i| shorts(lengths.clone(), i)),
                _ => None,
            });
            let levels = levels.map_err(VariantError::Internal)?;
            let mut leveled = Leveled::of(levels, little, true)?.0;
            (leveled.photometric, leveled.colors) = (3, Some(indexed.colors));
            return Ok((Arc::new(leveled), None));
        }
        let kept = &self.leveled[usize::from(little)];
        kept.step(&self.pixels, source, room, |x| Leveled::of(x, little, false))
    }
}

impl Leveled {
    /// Of the input record of the photometric stage.
    fn of(x: Value, little: bool, indexed: bool) -> Result<(Self, usize), VariantError> {
        let from = &PHOTOMETRIC.inverse().program.input;
        let field = |name: &str| scalar(&x, from, name) as u16;
        let (photometric, alpha, bytes) = (field("photometric"), field("alpha"), 2 * x.elements());
        let inverse = SAMPLES.inverse();
        let more = |name: &str| match name {
            "little_endian" => number(i128::from(little)),
            "indexed" => number(i128::from(indexed)),
            _ => None,
        };
        let y = forward(x, from, &inverse.program.output, more).map_err(VariantError::Internal)?;
        let levels = SAMPLES.runner().prepare(y)?;
        Ok((Self { photometric, alpha, colors: None, levels, sampled: Kept::default() }, bytes))
    }

    /// Of the input record of the samples stage.
    fn sample(&self, x: Value) -> Result<(Sampled, usize), VariantError> {
        let from = &SAMPLES.inverse().program.input;
        let field = |name: &str| scalar(&x, from, name);
        let bits = field("bits") as u16;
        let extra = field("samples_per_pixel").saturating_sub(field("samples"));
        let mut extra_samples: Vec<u16> = Some(self.alpha).filter(|a| *a > 0).into_iter().collect();
        extra_samples.extend(std::iter::repeat_n(0, extra as usize));
        let (width, height, bytes) = (field("width"), field("height"), x.elements());
        let more = |name: &str| match name {
            "sample_bytes" => number(sample_bytes(bits)),
            "most_width" => number(most(width)),
            "most_length" => number(most(height)),
            _ => None,
        };
        let inverse = SEGMENTS.inverse();
        let y = forward(x, from, &inverse.program.output, more).map_err(VariantError::Internal)?;
        Ok((Sampled::new(bits, extra_samples, y)?, bytes))
    }
}

/// Of the input record of the segments stage: how samples lie, and they.
fn segments(x: Value, bits: u16) -> (Grid, Vec<u8>) {
    let stage = &SEGMENTS.inverse().program.input;
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
    (grid, take_bytes(x, stage, "data"))
}
