//! How surely readers must take what choices do, and classes of values for tables.

use inverter::solve::{self, Choice, Choices};

use crate::coding;
use crate::container::{Class, choices};
use crate::own::{BYTE_COUNTS, SAMPLE_FORMAT, SHARING, WORD_ALIGNMENT};

/// The worst class among `choices`.
pub fn class(choices: &Choices) -> Class {
    let each = choices.iter().filter_map(|(name, value)| class_of(name, value, choices));
    each.max().unwrap_or(Class::Baseline)
}

/// The class of a file of `all` choices because of `value` of `dimension`.
///
/// | dimension | baseline | else |
/// |---|---|---|
/// | `orientation` | 1 (TIFF 6.0, section 8) | extension |
/// | `photometric`, `palette` | all (sections 3 to 6) | |
/// | `bits` | 1 for gray; 4 for gray and palette; 8 (sections 3 to 6) | extension |
/// | `alpha` | 0 | extension (section 18) |
/// | `samples_per_pixel` | all: readers skip extra samples (section 7) | |
/// | `planar` | 1 | extension (section 8) |
/// | `tiled` | 0 | extension (section 15) |
/// | `word alignment`, `byte counts`, `sample format`, sharing | the first | questionable |
///
/// Those of the container and of the coding are told there.
pub fn class_of(dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
    let extension = |plain: bool| Some(if plain { Class::Baseline } else { Class::Extension });
    let questionable =
        |plain: bool| Some(if plain { Class::Baseline } else { Class::Questionable });
    let is = |n: i128| *value == Choice::Int(n);
    match dimension {
        "bits" => {
            let rgb = all.get("photometric") == Some(&Choice::Int(2));
            let palette = all.get("palette") == Some(&Choice::from("yes"));
            extension(is(8) || (!rgb && is(4)) || (!rgb && !palette && is(1)))
        }
        "alpha" | "tiled" => extension(is(0)),
        "planar" => extension(is(1)),
        WORD_ALIGNMENT => questionable(*value == "yes".into()),
        BYTE_COUNTS => questionable(*value == "told".into()),
        SAMPLE_FORMAT => questionable(*value == "unsigned".into()),
        _ if SHARING.contains(&dimension) => questionable(*value == "none".into()),
        _ => {
            coding::class_of(dimension, value, all).or_else(|| choices::class_of(dimension, value))
        }
    }
}

/// The class of a value, for tables: `1`, `all rows`, `random`. The picture's greater `side`
/// says what is all of it.
pub fn value_class(side: i128, dimension: &str, value: &Choice) -> String {
    match (dimension, value) {
        ("rows_per_strip", Choice::Int(n)) => match *n {
            1 => "1".to_owned(),
            n if n == i128::from(u32::MAX) => "2^32-1".to_owned(),
            n if n >= side => "all rows".to_owned(),
            _ => "some rows".to_owned(),
        },
        ("tile_width" | "tile_length", Choice::Int(n)) => match *n {
            16 => "16".to_owned(),
            n if n >= side => "all".to_owned(),
            _ => "some".to_owned(),
        },
        (
            "bits" | "samples_per_pixel" | "palette size" | "offset bytes" | "count bytes",
            Choice::Int(n),
        ) => n.to_string(),
        _ => solve::value_class(dimension, value),
    }
}
