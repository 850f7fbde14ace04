//! A subject of any format: a spec alone decides what a file means, and how else it can be stored.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use inverter::pipeline::{Pipeline, Stage, StageError};
use inverter::run::{Array, AsJson, Cells, FieldValue, Limits, Record, Room, RunError};
use inverter::solve::{self, ChoiceSource, Choices, ClassConstants, Classify};
use serde_json::{Value, json};
use tiff_harness::Picture;

use super::{Class, Subject, Variant, VariantError};
use crate::NotRead;
use crate::max_size::MaxSize;

/// The maximum number of free bytes that variants may have in one place: enough to expose a reader's bug, but few
/// enough to inspect.
const SLACK: u64 = 4096;

/// A seed file of a format that a spec describes.
#[derive(Debug, Clone)]
pub struct SpecSeed {
    format: Arc<Pipeline>,
    bytes: Vec<u8>,
    value: Record,
    picture: Picture,
    own: Arc<Choices>,
    /// The numbers that the spec compares dimensions with.
    constants: Arc<ClassConstants>,
    dimensions: OnceLock<Vec<String>>,
}

fn limits() -> Limits {
    Limits { slack: SLACK, ..Limits::default() }
}

fn refused(e: &StageError) -> VariantError {
    match &*e.error {
        RunError::Refused { .. } => VariantError::Internal(e.to_string()),
        _ => VariantError::Impossible(e.to_string()),
    }
}

impl SpecSeed {
    /// Reads a file of `format` that may take `size` bytes once it is decoded, as its picture or as the picture of its
    /// value's text. The arrays of the value may take half of it, because the picture takes at least as much.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`], the reason why the spec refuses it, and [`NotRead::TooLarge`].
    pub fn open(format: Arc<Pipeline>, bytes: Vec<u8>, size: u64) -> Result<Self, NotRead> {
        let x = format.open(bytes.clone())?;
        let value = format.normalize_in(&x, Room::of(size / 2)).map_err(|e| bounded(e, size))?;
        let picture = picture(&format, &value, size)?;
        let own = format.own_choices(&x, &limits())?;
        let constants = Arc::new(format.constants());
        Ok(Self {
            format,
            bytes,
            value,
            picture,
            own: Arc::new(own),
            constants,
            dimensions: OnceLock::new(),
        })
    }

    /// Builds the file that `source` decides on.
    fn build(&self, source: &mut ChoiceSource) -> Result<Vec<u8>, StageError> {
        let x = self.format.invert(&self.value, source, &limits())?;
        self.format.file(x)
    }

    /// Checks that a variant has the seed's canonical value.
    fn check(&self, bytes: Vec<u8>) -> Result<(), String> {
        let read = self.format.open(bytes).and_then(|x| self.format.normalize(&x));
        match read {
            Ok(value) if value == self.value => Ok(()),
            Ok(_) => Err("a variant normalizes to another value than its seed".to_owned()),
            Err(e) => Err(format!("a variant is refused: {e}")),
        }
    }
}

impl Subject for SpecSeed {
    fn seed_bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn own_choices(&self) -> &Choices {
        &self.own
    }

    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn value(&self) -> Option<String> {
        let picture = shown(&self.format, &self.value);
        picture.is_none().then(|| {
            let json = AsJson { record: self.format.output(), value: &self.value };
            serde_json::to_string(&json).unwrap_or_default()
        })
    }

    fn format_text(&self) -> Option<String> {
        let stage = |stage: &Stage| {
            let files = stage.inverse().program().source.files().iter();
            json!([stage.name(), files.map(|file| &file.text).collect::<Vec<_>>()])
        };
        Some(self.format.stages().iter().map(stage).collect::<Value>().to_string())
    }

    fn dimensions(&self) -> &[String] {
        let build = |source: &mut ChoiceSource| self.build(source).is_ok();
        self.dimensions.get_or_init(|| solve::discover::names(&self.own, build))
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let mut source = source.or_baseline(&self.own);
        let bytes = self.build(&mut source).map_err(|e| refused(&e))?;
        VariantError::refuse_unmet(&source)?;
        self.check(bytes.clone()).map_err(VariantError::Internal)?;
        let translated = source.translated().clone();
        let choices = source.into_recorded();
        Ok(Variant { bytes, choices, translated, class: Class::Baseline })
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let value = value_of(&self.format, &self.value, picture)?;
        let mut source = ChoiceSource::replaying(Choices::new()).or_baseline(&self.own);
        let x = self.format.invert(&value, &mut source, &limits()).ok()?;
        let small = Self::open(self.format.clone(), self.format.file(x).ok()?, u64::MAX).ok()?;
        (small.value == value).then(|| Arc::new(small) as Arc<dyn Subject>)
    }

    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        let seed = Self::open(Arc::clone(&self.format), bytes, u64::MAX).ok()?;
        (seed.value == self.value).then(|| Arc::new(seed) as Arc<dyn Subject>)
    }

    fn decides(&self, dimension: &str, value: &solve::Choice) -> bool {
        self.constants.has(dimension, value)
    }

    fn value_class(&self, dimension: &str, value: &solve::Choice) -> String {
        self.constants.value_class(dimension, value)
    }

    fn classify(&self) -> Classify {
        let constants = Arc::clone(&self.constants);
        Arc::new(move |dimension, value| constants.value_class(dimension, value))
    }
}

/// Returns the extension for files that are equivalent to a seed, without the dot: `bmp`.
pub fn extension(seed: &Path) -> String {
    let plain =
        |e: &str| !e.is_empty() && e.len() <= 8 && e.chars().all(|c| c.is_ascii_alphanumeric());
    match seed.extension().and_then(|e| e.to_str()).filter(|e| plain(e)) {
        Some(e) => e.to_ascii_lowercase(),
        None => "bin".to_owned(),
    }
}

/// Returns the fields of width, height and samples, if the record is a picture: two scalars of these
/// names and one array of bytes.
fn parts(format: &Pipeline) -> Option<[usize; 3]> {
    let fields = &format.output().fields;
    let scalar = |name: &str| fields.iter().position(|f| f.name == name && f.is_scalar());
    let (width, height) = (scalar("width")?, scalar("height")?);
    let mut arrays = fields.iter().enumerate().filter(|(_, f)| !f.is_scalar());
    let (samples, f) = arrays.next()?;
    let bytes = f.int == inverter::program::IntType::U8;
    (bytes && arrays.next().is_none()).then_some([width, height, samples])
}

/// Converts an error. The user only knows the whole size, not the half that arrays may take, nor the arrays.
fn bounded(error: StageError, size: u64) -> NotRead {
    match *error.error {
        RunError::TooLarge { .. } => NotRead::TooLarge(format!(
            "it expands to more than {}, the most that may be made of a file, its picture included",
            MaxSize(size)
        )),
        _ => error.into(),
    }
}

/// A writer for the bytes of a text, which holds at most a given number of them.
struct Bounded {
    bytes: Vec<u8>,
    most: u64,
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + more.len()) as u64 > self.most {
            return Err(io::Error::other("it is too long"));
        }
        self.bytes.extend(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Converts a canonical value to a picture of at most `size` bytes. A value without `width`, `height` and one array of
/// 1 to 4 bytes a pixel becomes a picture of its JSON text, so that equal pictures still imply equal values.
fn picture(format: &Pipeline, value: &Record, size: u64) -> Result<Picture, NotRead> {
    let too_large = |what: &str| {
        let why = format!(
            "{what} takes more than {}, the most that may be made of a file",
            MaxSize(size)
        );
        NotRead::TooLarge(why)
    };
    if let Some((width, height, samples)) = sides(format, value)
        && (size / 8 + 1..=samples.len() as u64).contains(&(u64::from(width) * u64::from(height)))
    {
        return Err(too_large(&format!("a picture of {width} x {height} pixels")));
    }
    if let Some(shown) = shown(format, value) {
        return Ok(shown);
    }
    // One 16-bit sample for each character.
    let mut text = Bounded { bytes: Vec::new(), most: size / 2 };
    let json = AsJson { record: format.output(), value };
    let written = serde_json::to_writer(&mut text, &json);
    written.map_err(|_| too_large("the text of the value"))?;
    Ok(Picture::of_bytes(text.bytes))
}

/// Returns width, height and samples of a canonical value that may be a picture.
fn sides<'v>(format: &Pipeline, value: &'v Record) -> Option<(u32, u32, &'v [u8])> {
    let [width, height, samples] = parts(format)?;
    let number = |at: usize| match value.fields.get(at) {
        Some(FieldValue::Scalar(n)) => u32::try_from(*n).ok().filter(|n| *n >= 1),
        _ => None,
    };
    let (width, height) = (number(width)?, number(height)?);
    let Some(FieldValue::Array(Array { cells: Cells::U8(samples), .. })) =
        value.fields.get(samples)
    else {
        return None;
    };
    Some((width, height, samples))
}

/// Converts a canonical value that is a picture.
fn shown(format: &Pipeline, value: &Record) -> Option<Picture> {
    let (width, height, samples) = sides(format, value)?;
    let pixels = u64::from(width) * u64::from(height);
    let channels = u32::try_from(samples.len() as u64 / pixels).ok()?;
    Picture::from_8bit(width, height, channels, samples)
}

/// Returns the canonical value of a picture, in the form of `like`; `None` if it has none.
fn value_of(format: &Pipeline, like: &Record, picture: &Picture) -> Option<Record> {
    let [width, height, samples] = parts(format)?;
    if format.output().fields.len() != 3 {
        return None;
    }
    let before = shown(format, like)?;
    let Some(FieldValue::Array(old)) = like.fields.get(samples) else { return None };
    let channels = old.cells.len() / (before.width() as usize * before.height() as usize);
    let mut cells = Vec::new();
    for pixel in picture.bytes()?.chunks_exact(4) {
        let [r, g, b, a] = *pixel else { return None };
        let gray = r == g && g == b;
        match channels {
            1 if gray && a == 255 => cells.push(r),
            2 if gray => cells.extend([r, a]),
            3 if a == 255 => cells.extend([r, g, b]),
            4 => cells.extend([r, g, b, a]),
            _ => return None,
        }
    }
    let (w, h) = (picture.width() as usize, picture.height() as usize);
    let lengths = match old.lengths.len() {
        1 => vec![cells.len()],
        2 => vec![h, w * channels],
        _ => vec![h, w, channels],
    };
    let mut fields: Vec<(usize, FieldValue)> = vec![
        (width, FieldValue::Scalar(picture.width().into())),
        (height, FieldValue::Scalar(picture.height().into())),
        (samples, FieldValue::Array(Array { lengths, cells: Cells::U8(cells.into()) })),
    ];
    fields.sort_by_key(|f| f.0);
    Some(Record { fields: fields.into_iter().map(|f| f.1).collect() })
}
