//! The classes of choices by the standard, and the classes of values for tables.

use std::collections::BTreeMap;

use inverter::solve::{self, Choice, Choices};

use crate::coding;
use crate::container::{Class, choices};
use crate::dimension::{self, of_page};
use crate::jpeg;

/// Returns the worst class among `choices`.
pub fn class(choices: &Choices) -> Class {
    let worst = |all: &Choices| {
        let each = all.iter().filter_map(|(name, value)| class_on_page(name, value, all));
        each.max().unwrap_or(Class::Baseline)
    };
    if choices.iter().all(|(name, _)| of_page(name).0 == 1) {
        return worst(choices);
    }
    let mut pages: BTreeMap<usize, Choices> = BTreeMap::new();
    for (name, value) in choices.iter() {
        let (page, name) = of_page(name);
        pages.entry(page).or_default().set(name, value.clone());
    }
    pages.values().map(worst).max().unwrap_or(Class::Baseline)
}

/// Returns the class that `value` in `dimension` gives a file with the choices `all`.
pub fn class_of(dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
    let (page, dimension) = of_page(dimension);
    if page == 1 {
        return class_on_page(dimension, value, all);
    }
    let own = all.iter().map(|(name, value)| (of_page(name), value));
    let own = own.filter(|((number, _), _)| *number == page);
    let own: Choices = own.map(|((_, name), value)| (name.to_owned(), value.clone())).collect();
    class_on_page(dimension, value, &own)
}

/// Returns the class that `value` in `dimension` gives a page with the choices `all`, whose names have no page prefix.
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
/// [`choices::class_of`], [`coding::class_of`] and [`jpeg::class_of`] classify the container, the coding and JPEG
/// streams.
fn class_on_page(dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
    let extension = |plain: bool| Some(if plain { Class::Baseline } else { Class::Extension });
    let questionable =
        |plain: bool| Some(if plain { Class::Baseline } else { Class::Questionable });
    let is = |n: i128| *value == Choice::Int(n);
    match dimension {
        dimension::BITS => {
            let rgb = all.get(dimension::PHOTOMETRIC) == Some(&Choice::Int(2));
            let palette = all.get(dimension::PALETTE) == Some(&Choice::from("yes"));
            extension(is(8) || (!rgb && is(4)) || (!rgb && !palette && is(1)))
        }
        dimension::ALPHA | dimension::TILED => extension(is(0)),
        dimension::PLANAR => extension(is(1)),
        dimension::WORD_ALIGNMENT => questionable(*value == "yes".into()),
        dimension::BYTE_COUNTS => questionable(*value == "told".into()),
        dimension::SAMPLE_FORMAT => questionable(*value == "unsigned".into()),
        dimension::SEGMENT_SHARING | dimension::BLOCK_SHARING | dimension::PAGE_SEGMENT_SHARING => {
            questionable(*value == "none".into())
        }
        _ => coding::class_of(dimension, value, all)
            .or_else(|| jpeg::class_of(dimension, value))
            .or_else(|| choices::class_of(dimension, value)),
    }
}

/// Returns the class of a value, for tables: `1`, `all rows`, `random`. `sides` has the greater side of each page,
/// which determines what "all" means.
pub fn value_class(sides: &[i128], dimension: &str, value: &Choice) -> String {
    let (page, dimension) = of_page(dimension);
    let side = sides.get(page - 1).copied().unwrap_or(i128::MAX);
    match (dimension, value) {
        (dimension::ROWS_PER_STRIP, Choice::Int(n)) => match *n {
            1 => "1".to_owned(),
            n if n == i128::from(u32::MAX) => "2^32-1".to_owned(),
            n if n >= side => "all rows".to_owned(),
            _ => "some rows".to_owned(),
        },
        (dimension::TILE_WIDTH | dimension::TILE_LENGTH, Choice::Int(n)) => match *n {
            16 => "16".to_owned(),
            n if n >= side => "all".to_owned(),
            _ => "some".to_owned(),
        },
        (
            dimension::BITS
            | dimension::SAMPLES_PER_PIXEL
            | dimension::PALETTE_SIZE
            | dimension::OFFSET_BYTES
            | dimension::COUNT_BYTES,
            Choice::Int(n),
        ) => n.to_string(),
        _ => solve::value_class(dimension, value),
    }
}
