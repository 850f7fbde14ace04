//! Which compression, predictor and order of bits.
//!
//! | dimension | values | class | TIFF 6.0 |
//! |---|---|---|---|
//! | `compression` | `none`, `PackBits`, and CCITT for bilevel pictures: `CCITT RLE` | baseline | sections 3, 9, 10 |
//! | | `CCITT T.4`, `CCITT T.6`, `LZW`, `Deflate`, `Deflate 32946` | extension | sections 11, 13; Adobe's notes |
//! | | `Zstandard`, `LZMA`, `WebP` | questionable | libtiff's numbers |
//! | `predictor` | `none`, `horizontal` | extension | section 14 |
//! | `fill order` | `1`; `2` for one bit a sample, uncompressed or CCITT | extension | section 8 |
//! | | `2` with PackBits | questionable | section 8 |
//! | `T.4 rows` | `one-dimensional`, `two-dimensional` | extension | section 11 |
//! | `T.4 EOLs` | `anywhere`, `byte-aligned` | extension | section 11 |
//!
//! The dimensions of a compression itself start with its name: `PackBits runs`.

use inverter::solve::{ChoiceError, ChoiceSource, Choices};

use super::{Coding, Compression};
use crate::ask::ask;
use crate::container::{Class, Profile};

/// What decides which codings a picture may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture {
    /// BitsPerSample.
    pub bits: u16,
    /// SamplesPerPixel.
    pub samples_per_pixel: u16,
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// Whether PlanarConfiguration is 2.
    pub planar: bool,
}

const FILL_ORDERS: [&str; 2] = ["1", "2"];
const PREDICTORS: [&str; 2] = ["none", "horizontal"];
const T4_ROWS: [&str; 2] = ["one-dimensional", "two-dimensional"];
const T4_EOLS: [&str; 2] = ["anywhere", "byte-aligned"];

/// Chooses how segments are stored.
///
/// # Errors
///
/// If a given choice is not possible here.
pub fn choose(
    source: &mut ChoiceSource,
    picture: Picture,
    profile: Profile,
) -> Result<Coding, ChoiceError> {
    let open: Vec<Compression> =
        Compression::ALL.into_iter().filter(|c| picture.takes(*c)).collect();
    let ways: Vec<(&str, Class)> = open.iter().map(|c| (c.name(), c.class())).collect();
    let compression = open[ask(source, profile, "compression", &ways)?];

    let predictor = compression.takes_predictor()
        && picture.bits >= 8
        && source.named("predictor", &PREDICTORS)? == 1;
    let mut t4_options = 0;
    if compression == Compression::T4 {
        t4_options |= source.named("T.4 rows", &T4_ROWS)? as u32;
        t4_options |= (source.named("T.4 EOLs", &T4_EOLS)? as u32) << 2;
    }
    let clear = compression == Compression::None || compression.is_bilevel();
    let class = if clear { Class::Extension } else { Class::Questionable };
    let orders = [(FILL_ORDERS[0], Class::Baseline), (FILL_ORDERS[1], class)];
    let reversed_bits = picture.bits == 1
        && picture.samples_per_pixel == 1
        && (clear || compression == Compression::PackBits)
        && ask(source, profile, "fill order", &orders)? == 1;
    Ok(Coding { compression, t4_options, predictor, reversed_bits })
}

impl Picture {
    fn takes(self, compression: Compression) -> bool {
        let bilevel = self.bits == 1 && self.samples_per_pixel == 1 && self.photometric <= 1;
        let webp = self.bits == 8
            && !self.planar
            && self.photometric == 2
            && (3..=4).contains(&self.samples_per_pixel);
        (!compression.is_bilevel() || bilevel) && (compression != Compression::WebP || webp)
    }
}

/// What `coding` chose, of the same dimensions.
pub fn own_choices(coding: &Coding, picture: Picture) -> Choices {
    let mut own = Choices::new();
    own.set("compression", coding.compression.name());
    if coding.compression.takes_predictor() && picture.bits >= 8 {
        own.set("predictor", PREDICTORS[usize::from(coding.predictor)]);
    }
    if coding.compression == Compression::T4 {
        own.set("T.4 rows", T4_ROWS[(coding.t4_options & 1) as usize]);
        own.set("T.4 EOLs", T4_EOLS[(coding.t4_options >> 2 & 1) as usize]);
    }
    if coding.reversed_bits {
        own.set("fill order", FILL_ORDERS[1]);
    }
    own
}

/// The class of a file that chooses `value` of `dimension`; `None` for a dimension that is
/// none of these.
pub fn class_of(dimension: &str, value: &inverter::solve::Choice, all: &Choices) -> Option<Class> {
    let is = |name: &str| *value == name.into();
    let extension = |plain: bool| Some(if plain { Class::Baseline } else { Class::Extension });
    match dimension {
        "compression" => {
            let found = Compression::ALL.into_iter().find(|c| is(c.name()));
            Some(found.map_or(Class::Questionable, Compression::class))
        }
        "predictor" => extension(is(PREDICTORS[0])),
        "fill order" if is(FILL_ORDERS[0]) => Some(Class::Baseline),
        "fill order" => match all.get("compression") {
            Some(v) if *v == "PackBits".into() => Some(Class::Questionable),
            _ => Some(Class::Extension),
        },
        "T.4 rows" | "T.4 EOLs" => Some(Class::Extension),
        _ => {
            let of = Compression::ALL.into_iter().find(|c| {
                *c != Compression::None
                    && dimension.strip_prefix(c.name()).is_some_and(|rest| rest.starts_with(' '))
            });
            of.map(Compression::class)
        }
    }
}
