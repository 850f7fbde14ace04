//! A seed file and its equivalents: the pipeline from bytes to the canonical picture and
//! back, through the normalization programs of [`normalizers::tiff`] and their inverses.
//!
//! ```text
//! file --container--> File --strips--> Stored --orientation--> Display = Picture
//! ```

use std::sync::OnceLock;

use inverter::program::Record;
use inverter::run::{Array, Datum, Limits, RunError, Value, invert_value, normalize, own_choices};
use inverter::solve::{self, ChoiceSource, Choices};
use normalizers::tiff::{ORIENTATION, STRIPS};

use crate::container::choices::{self, Said};
use crate::container::write::{ifd_size, write};
use crate::container::{Class, FieldType, Format, Profile, Tag, Values};
use crate::error::TiffError;
use crate::picture::Picture;
use crate::strips::StripFile;

/// Why there is no variant.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VariantError {
    /// These choices have no file: what they break is named.
    #[error("{0}")]
    Impossible(String),
    /// A file was made that does not mean the same: a defect of repfuzz.
    #[error("internal error: {0}; please report this with the seed file and the choices")]
    Defect(String),
}

/// A file that means the same as the seed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The file.
    pub bytes: Vec<u8>,
    /// Every choice that made it.
    pub choices: Choices,
    /// The worst class among the choices.
    pub class: Class,
}

/// A file that has been read, with its canonical picture.
#[derive(Debug, Clone)]
pub struct Seed {
    bytes: Vec<u8>,
    file: StripFile,
    display: Value,
    picture: Picture,
    own: Choices,
    profile: Profile,
    dimensions: OnceLock<Vec<String>>,
}

impl Seed {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not a TIFF file, damaged, or more than is supported.
    pub fn open(bytes: Vec<u8>) -> Result<Self, TiffError> {
        let file = StripFile::read(&bytes)?;
        let (display, stored, x) = canonical(&file, &bytes)?;
        let picture = picture(&display);
        let own = seeds_own(&file, &stored, &x, bytes.len());
        let (profile, dimensions) = (Profile::default(), OnceLock::new());
        Ok(Self { bytes, file, display, picture, own, profile, dimensions })
    }

    /// The same, with other values drawn for its variants.
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self.dimensions = OnceLock::new();
        self
    }

    /// Which values are drawn for variants.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The canonical picture.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// How the seed itself is stored.
    pub fn own_choices(&self) -> &Choices {
        &self.own
    }

    /// The names of the dimensions, in the order in which they are chosen.
    pub fn dimensions(&self) -> &[String] {
        self.dimensions.get_or_init(|| self.find_dimensions())
    }

    /// The file that `source` decides on, checked: it is read back, and its canonical
    /// picture is the seed's. What does not vary is as in the source's own baseline, or else
    /// as in the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn variant(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let mut source = source.or_baseline(&self.own);
        let bytes = self.build(&mut source)?;
        if let Some(unknown) = source.unused().first() {
            let why = format!("there is no choice `{unknown}` to be made in this file");
            return Err(VariantError::Impossible(why));
        }
        let choices = source.into_recorded();
        self.check(&bytes).map_err(VariantError::Defect)?;
        let class = self.class(&choices);
        Ok(Variant { bytes, choices, class })
    }

    /// The worst class among `choices`.
    pub fn class(&self, choices: &Choices) -> Class {
        let class = |(dimension, value)| choices::class_of(dimension, value);
        choices.iter().filter_map(class).max().unwrap_or(Class::Baseline)
    }

    /// The class of a value, for tables.
    pub fn value_class(&self, dimension: &str, value: &solve::Value) -> String {
        match (dimension, value) {
            ("rows_per_strip", solve::Value::Int(n)) => match *n {
                1 => "1".to_owned(),
                n if n == i128::from(u32::MAX) => "2^32-1".to_owned(),
                n if n >= i128::from(self.picture.height().max(self.picture.width())) => {
                    "all rows".to_owned()
                }
                _ => "some rows".to_owned(),
            },
            _ => solve::value_class(dimension, value),
        }
    }

    fn find_dimensions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        // What is chosen depends on what was chosen before; a few variants meet it all.
        let sources = (0..16).map(|index| ChoiceSource::seeded(0, index));
        for source in std::iter::once(ChoiceSource::replaying(Choices::new())).chain(sources) {
            let mut source = source.with_baseline(self.own.clone());
            if self.build(&mut source).is_ok() {
                for (name, _) in source.recorded().iter() {
                    if !names.iter().any(|n| n == name) {
                        names.push(name.to_owned());
                    }
                }
            }
        }
        names
    }

    fn build(&self, source: &mut ChoiceSource) -> Result<Vec<u8>, VariantError> {
        // TIFF 6.0, section 7, "No Duplicate Pointers": data has one place.
        let limits = Limits { sharing: false, ..Limits::default() };
        let stored = run(invert_value(ORIENTATION.inverse(), &self.display, source, &limits))?;
        let input = &ORIENTATION.inverse().program.input;
        let scalar = |name: &str| stored.scalar(input, name).unwrap_or(0);

        let mut said = Said::of(&self.file);
        for (tag, name) in [
            (Tag::IMAGE_WIDTH, "width"),
            (Tag::IMAGE_LENGTH, "height"),
            (Tag::ORIENTATION, "orientation"),
        ] {
            said.set(tag, &[scalar(name) as u64]);
        }
        said.remove(Tag::ROWS_PER_STRIP);
        let mut chosen = choices::choose(source, &said).map_err(|e| impossible(&e))?;

        // Room for the directory with its three entries on strips.
        let ifd_bytes = ifd_size(Format::Classic, chosen.entries.len() + 3);
        let blocks: Vec<u64> = chosen.blocks(Format::Classic).iter().map(|b| b.1).collect();
        let target = &STRIPS.inverse().program.output;
        let pixels = stored.array(input, "pixels").cloned();
        let y = record(target, |name| match name {
            "ifd_bytes" => Some(Datum::Scalar(ifd_bytes.into())),
            "blocks" => Some(Datum::Scalar(blocks.len() as i128)),
            "block_bytes" => Some(longs(&blocks)),
            "pixels" => pixels.clone().map(Datum::Array),
            name => Some(Datum::Scalar(scalar(name))),
        })
        .map_err(VariantError::Defect)?;
        let placed = run(invert_value(STRIPS.inverse(), &y, source, &limits))?;
        let input = &STRIPS.inverse().program.input;
        let number = |name: &str| placed.scalar(input, name).unwrap_or(0) as u64;
        let list = |name: &str| placed.array(input, name).map(numbers).unwrap_or_default();

        let rows_per_strip = number("rows_per_strip");
        let rows = choices::choose_entry(source, Tag::ROWS_PER_STRIP, &[rows_per_strip], 8);
        if let Some(values) = rows.map_err(|e| impossible(&e))? {
            chosen.entries.push((Tag::ROWS_PER_STRIP, values));
        }
        let offsets = list("strip_offsets");
        let counts = counts(number("height"), number("width") * number("samples"), rows_per_strip);
        for (tag, size, values) in [
            (Tag::STRIP_OFFSETS, "offset_size", offsets),
            (Tag::STRIP_BYTE_COUNTS, "count_size", counts),
        ] {
            let kind = if number(size) == 2 { FieldType::Short } else { FieldType::Long };
            let values = Values::integers(kind, &values)
                .ok_or_else(|| VariantError::Defect(format!("{tag} does not fit {kind}")))?;
            chosen.entries.push((tag, values));
        }
        chosen.entries.sort_by_key(|e| e.0);
        // The blocks in the order of the entries: the spec places the strips' own two apart.
        let mut others = list("block_offsets").into_iter();
        let places: Option<Vec<u64>> = chosen
            .blocks(Format::Classic)
            .iter()
            .map(|(tag, _)| match *tag {
                Tag::STRIP_OFFSETS => Some(number("offsets_offset")),
                Tag::STRIP_BYTE_COUNTS => Some(number("counts_offset")),
                _ => others.next(),
            })
            .collect();
        let places = places.ok_or_else(|| VariantError::Defect("a value has no place".into()))?;
        let plan = chosen.plan(Format::Classic, number("ifd_offset"), &places);
        let mut bytes = match placed.array(input, "file") {
            Some(Array { cells: inverter::run::Cells::U8(bytes), .. }) => bytes.clone(),
            _ => return Err(VariantError::Defect("the file has no bytes".into())),
        };
        write(&plan, &mut bytes).map_err(|e| VariantError::Defect(e.to_string()))?;
        Ok(bytes)
    }

    /// Reads a variant back: it must mean just what the seed means.
    fn check(&self, bytes: &[u8]) -> Result<(), String> {
        let file = StripFile::read(bytes).map_err(|e| format!("a variant is refused: {e}"))?;
        let x = strips(&file, bytes, true)?;
        let stored = normalize(&STRIPS.inverse().program, &x).map_err(|e| e.to_string())?;
        let display = turn(&file, &stored)?;
        if display == self.display {
            Ok(())
        } else {
            Err("a variant normalizes to another picture than its seed".to_owned())
        }
    }
}

fn impossible(e: &dyn std::fmt::Display) -> VariantError {
    VariantError::Impossible(e.to_string())
}

fn run(result: Result<Value, RunError>) -> Result<Value, VariantError> {
    result.map_err(|e| match e {
        RunError::Refused { .. } => VariantError::Defect(e.to_string()),
        other => impossible(&other),
    })
}

/// The bytes of each strip.
fn counts(height: u64, row_bytes: u64, rows_per_strip: u64) -> Vec<u64> {
    let strips = height.div_ceil(rows_per_strip.max(1));
    (0..strips).map(|s| (height - s * rows_per_strip).min(rows_per_strip) * row_bytes).collect()
}

/// The canonical value of a file, and the stages before it. Where the file's directory or
/// values overlap its strips, nothing is reserved: the picture is the same.
fn canonical(file: &StripFile, bytes: &[u8]) -> Result<(Value, Value, Value), TiffError> {
    let program = &STRIPS.inverse().program;
    let read = |reserved| -> Result<(Value, Value), String> {
        let x = strips(file, bytes, reserved)?;
        let stored = normalize(program, &x).map_err(|e| e.to_string())?;
        Ok((x, stored))
    };
    let (x, stored) = read(true).or_else(|_| read(false)).map_err(TiffError::Refused)?;
    let display = turn(file, &stored).map_err(TiffError::Refused)?;
    Ok((display, stored, x))
}

/// A file as the input of the strips stage.
fn strips(file: &StripFile, bytes: &[u8], reserved: bool) -> Result<Value, String> {
    let input = &STRIPS.inverse().program.input;
    let own = [Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS];
    let block = |tag| file.blocks.iter().find(|b| b.0 == tag).map(|b| b.1);
    let mut blocks: Vec<_> =
        file.blocks.iter().filter(|b| reserved && !own.contains(&b.0)).copied().collect();
    // By tag, as a writer numbers them.
    blocks.sort_by_key(|b| b.0);
    let blocks: Vec<_> = blocks.into_iter().map(|b| b.1).collect();
    let size = |tag| {
        let kind = file.integer(tag).and_then(|i| i.stored);
        match (reserved, kind) {
            (true, Some(FieldType::Short)) => 2,
            _ => 4,
        }
    };
    // A directory that nothing is reserved for has no length.
    let (ifd, ifd_bytes) = if reserved { (file.ifd.at, file.ifd.len) } else { (8, 0) };
    let offsets: Vec<u64> = file.strips.iter().map(|s| s.offset).collect();
    record(input, |name| {
        let scalar = |n: u64| Some(Datum::Scalar(n.into()));
        match name {
            "width" => scalar(file.width.into()),
            "height" => scalar(file.height.into()),
            "samples" => scalar(file.samples.into()),
            "rows_per_strip" => scalar(file.rows_per_strip.into()),
            "offset_size" => scalar(size(Tag::STRIP_OFFSETS)),
            "count_size" => scalar(size(Tag::STRIP_BYTE_COUNTS)),
            "ifd_bytes" => scalar(ifd_bytes),
            "ifd_offset" => scalar(ifd),
            "blocks" => scalar(blocks.len() as u64),
            "block_bytes" => Some(longs(&blocks.iter().map(|b| b.len).collect::<Vec<_>>())),
            "block_offsets" => Some(longs(&blocks.iter().map(|b| b.at).collect::<Vec<_>>())),
            "strip_offsets" => Some(longs(&offsets)),
            "offsets_offset" => scalar(block(Tag::STRIP_OFFSETS).map_or(8, |b| b.at)),
            "counts_offset" => scalar(block(Tag::STRIP_BYTE_COUNTS).map_or(8, |b| b.at)),
            "file" => Some(Datum::Array(Array::bytes(bytes.to_vec()))),
            _ => None,
        }
    })
}

/// The stored picture turned as its orientation says.
fn turn(file: &StripFile, stored: &Value) -> Result<Value, String> {
    let from = &STRIPS.inverse().program.output;
    let program = &ORIENTATION.inverse().program;
    let x = record(&program.input, |name| match name {
        "orientation" => Some(Datum::Scalar(file.orientation.into())),
        name => from.field(name).map(|k| stored.fields[k].clone()),
    })?;
    normalize(program, &x).map_err(|e| e.to_string())
}

/// How a file is stored, as choices.
fn seeds_own(file: &StripFile, stored: &Value, x: &Value, len: usize) -> Choices {
    // The seed itself may be spread wider than variants are.
    // TIFF 6.0, section 7, "No Duplicate Pointers": data has one place.
    let limits = Limits { slack: Limits::default().slack.max(len as u64), sharing: false };
    let mut own = Choices::new();
    own.set("orientation", i128::from(file.orientation));
    let container = choices::own_choices(file);
    let placed = own_choices(STRIPS.inverse(), x, stored, &limits).unwrap_or_default();
    // The strips stage has these under names of its own.
    let elsewhere = [Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS].map(choices::type_dimension);
    for (name, value) in container.iter().chain(placed.iter()) {
        if !elsewhere.iter().any(|e| e == name) {
            own.set(name, value.clone());
        }
    }
    own
}

fn picture(display: &Value) -> Picture {
    let record = &ORIENTATION.inverse().program.output;
    let scalar = |name| display.scalar(record, name).unwrap_or(0) as u32;
    let (width, height, samples) = (scalar("width"), scalar("height"), scalar("samples"));
    let cells = display.array(record, "pixels").map(|a| &a.cells);
    let bytes: &[u8] = match cells {
        Some(inverter::run::Cells::U8(bytes)) => bytes,
        _ => &[],
    };
    Picture::from_8bit(width, height, samples, bytes)
        .unwrap_or_else(|| Picture::new(0, 0, Vec::new()))
}

/// A record's value, field by field.
fn record(record: &Record, mut field: impl FnMut(&str) -> Option<Datum>) -> Result<Value, String> {
    let datum = |f: &inverter::program::Field| {
        field(&f.name).ok_or_else(|| format!("{} has no value for {}", record.type_name, f.name))
    };
    Ok(Value { fields: record.fields.iter().map(datum).collect::<Result<_, _>>()? })
}

fn longs(values: &[u64]) -> Datum {
    let cells = values.iter().map(|v| u32::try_from(*v).unwrap_or(u32::MAX)).collect();
    Datum::Array(Array { lengths: vec![values.len()], cells: inverter::run::Cells::U32(cells) })
}

fn numbers(array: &Array) -> Vec<u64> {
    (0..array.cells.len()).filter_map(|k| array.cells.get(k)?.try_into().ok()).collect()
}
