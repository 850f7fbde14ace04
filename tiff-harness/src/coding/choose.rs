//! Chooses a compression, a predictor and an order of bits.
//!
//! | dimension | values | class | TIFF 6.0 |
//! |---|---|---|---|
//! | `compression` | `none`, `PackBits`, and CCITT for bilevel pictures: `CCITT RLE` | baseline | sections 3, 9, 10 |
//! | | `CCITT T.4`, `CCITT T.6`, `LZW`, `Deflate`, `Deflate 32946` | extension | sections 11, 13; Adobe's notes |
//! | | `Zstandard`, `LZMA`, `WebP` | questionable | libtiff's numbers |
//! | `predictor` | `none`; `horizontal` for 8, 16, 32 and 64 bits | extension | section 14 |
//! | | `floating point` for floating point numbers of 16, 24, 32 and 64 bits | extension | Adobe's notes |
//! | `fill order` | `1`; `2` for one bit a sample, uncompressed or CCITT | extension | section 8 |
//! | | `2` with PackBits | questionable | section 8 |
//! | `T.4 rows` | `one-dimensional`, `two-dimensional` | extension | section 11 |
//! | `T.4 EOLs` | `anywhere`, `byte-aligned` | extension | section 11 |
//!
//! The dimensions of a compression's streams begin with its name: `PackBits runs`.

use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices};

use super::{Coding, Compression, Predictor};
use crate::alternatives::choose_index;
use crate::container::{Class, Profile};
use crate::dimension;

/// The layout of a pixel's samples, which determines the possible codings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleLayout {
    /// BitsPerSample.
    pub bits: u16,
    /// SamplesPerPixel.
    pub samples_per_pixel: u16,
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// SampleFormat.
    pub sample_format: u16,
    /// True if PlanarConfiguration is 2.
    pub planar: bool,
    /// The kind of the samples.
    pub content: SampleContent,
}

/// The kind of samples, which determines the compressions that accept them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleContent {
    /// Exact colors: levels of unsigned samples, or indices into a palette.
    Colors,
    /// Numbers that are kept as they are.
    Numbers,
}

const FILL_ORDERS: [&str; 2] = ["1", "2"];
const T4_ROWS: [&str; 2] = ["one-dimensional", "two-dimensional"];
const T4_EOLS: [&str; 2] = ["anywhere", "byte-aligned"];
const LZW_CLEAR: &str = "LZW clear";

/// Chooses the coding of segments.
///
/// # Errors
///
/// Returns an error if a given choice is not possible here.
pub fn choose(
    source: &mut ChoiceSource,
    samples: SampleLayout,
    profile: Profile,
) -> Result<Coding, ChoiceError> {
    let open: Vec<Compression> =
        Compression::ALL.into_iter().filter(|c| samples.takes(*c)).collect();
    let compressions: Vec<(&str, Class)> = open.iter().map(|c| (c.name(), c.class())).collect();
    let compression = open[choose_index(source, profile, dimension::COMPRESSION, &compressions)?];

    let predictors = samples.predictors(compression);
    let predictor = match &predictors[..] {
        [only] => *only,
        several => {
            let names: Vec<&str> = several.iter().map(|p| p.name()).collect();
            several[source.named(dimension::PREDICTOR, &names)?]
        }
    };
    let mut t4_options = 0;
    if compression == Compression::T4 {
        t4_options |= source.named(dimension::T4_ROWS, &T4_ROWS)? as u32;
        t4_options |= (source.named(dimension::T4_EOLS, &T4_EOLS)? as u32) << 2;
    }
    let clear = compression == Compression::None || compression.is_bilevel();
    let class = if clear { Class::Extension } else { Class::Questionable };
    let orders = [(FILL_ORDERS[0], Class::Baseline), (FILL_ORDERS[1], class)];
    let reversed_bits = samples.bits == 1
        && samples.samples_per_pixel == 1
        && (clear || compression == Compression::PackBits)
        && choose_index(source, profile, dimension::FILL_ORDER, &orders)? == 1;
    Ok(Coding { compression, t4_options, predictor, reversed_bits })
}

impl SampleLayout {
    /// Returns true if samples with this layout can have this compression.
    fn takes(self, compression: Compression) -> bool {
        // Unsigned or undefined (section 19).
        let plain = matches!(self.sample_format, 1 | 4);
        let bilevel =
            plain && self.bits == 1 && self.samples_per_pixel == 1 && self.photometric <= 1;
        let webp = plain
            && self.bits == 8
            && self.content == SampleContent::Colors
            && !self.planar
            && self.photometric == 2
            && (3..=4).contains(&self.samples_per_pixel);
        (!compression.is_bilevel() || bilevel) && (compression != Compression::WebP || webp)
    }

    /// Returns the predictors that samples with this layout can have with this compression; this always includes
    /// "none".
    fn predictors(self, compression: Compression) -> Vec<Predictor> {
        let suits = |predictor: &Predictor| predictor.suits(self.bits, self.sample_format);
        match compression.takes_predictor() {
            true => Predictor::ALL.into_iter().filter(suits).collect(),
            false => vec![Predictor::None],
        }
    }
}

/// Returns the choices that `coding` embodies, in the dimensions of [`choose`].
pub fn baseline(coding: &Coding, samples: SampleLayout) -> Choices {
    let mut own = Choices::new();
    own.set(dimension::COMPRESSION, coding.compression.name());
    if samples.predictors(coding.compression).len() > 1 {
        own.set(dimension::PREDICTOR, coding.predictor.name());
    }
    if coding.compression == Compression::T4 {
        own.set(dimension::T4_ROWS, T4_ROWS[(coding.t4_options & 1) as usize]);
        own.set(dimension::T4_EOLS, T4_EOLS[(coding.t4_options >> 2 & 1) as usize]);
    }
    if coding.reversed_bits {
        own.set(dimension::FILL_ORDER, FILL_ORDERS[1]);
    }
    own
}

/// Returns the class of a file that chooses `value` in `dimension`; `None` for any other dimension.
pub fn class_of(dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
    let is = |name: &str| *value == name.into();
    let extension = |plain: bool| Some(if plain { Class::Baseline } else { Class::Extension });
    match dimension {
        dimension::COMPRESSION => {
            let found = Compression::ALL.into_iter().find(|c| is(c.name()));
            Some(found.map_or(Class::Questionable, Compression::class))
        }
        dimension::PREDICTOR => extension(is(Predictor::None.name())),
        dimension::FILL_ORDER if is(FILL_ORDERS[0]) => Some(Class::Baseline),
        dimension::FILL_ORDER => match all.get(dimension::COMPRESSION) {
            Some(v) if *v == "PackBits".into() => Some(Class::Questionable),
            _ => Some(Class::Extension),
        },
        dimension::T4_ROWS | dimension::T4_EOLS => Some(Class::Extension),
        // Two consecutive Clear codes: section 13 does not mention them.
        LZW_CLEAR if matches!(value, Choice::Text(text) if text.starts_with("random:")) => {
            Some(Class::Questionable)
        }
        _ => {
            let of = Compression::ALL.into_iter().find(|c| {
                *c != Compression::None
                    && dimension.strip_prefix(c.name()).is_some_and(|rest| rest.starts_with(' '))
            });
            of.map(Compression::class)
        }
    }
}
