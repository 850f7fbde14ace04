//! Tags on which no picture depends, drawn from a seed: descriptions, private tags, and tags of types that no document
//! defines.

use std::collections::BTreeSet;

use inverter::solve::{ChoiceError, ChoiceSource, Fill};
use rand::{Rng, RngExt};

use super::directory::{Directory, unplaced};
use super::layout::ContainerLayout;
use super::options::WriterOptions;
use crate::alternatives::{NONE, RANDOM, choose_seeded};
use crate::container::{ByteOrder, Class, FieldType, Format, Tag, Values};
use crate::dimension;

/// Texts that describe a picture (TIFF 6.0, section 8). DateTime also describes a picture.
const TEXTS: [Tag; 7] = [
    Tag::IMAGE_DESCRIPTION,
    Tag::MAKE,
    Tag::MODEL,
    Tag::SOFTWARE,
    Tag::ARTIST,
    Tag::HOST_COMPUTER,
    Tag::COPYRIGHT,
];

/// The types that private tags may have, by number.
const PRIVATE: [FieldType; 16] = [
    FieldType::Byte,
    FieldType::Ascii,
    FieldType::Short,
    FieldType::Long,
    FieldType::Rational,
    FieldType::SByte,
    FieldType::Undefined,
    FieldType::SShort,
    FieldType::SLong,
    FieldType::SRational,
    FieldType::Float,
    FieldType::Double,
    FieldType::Ifd,
    FieldType::Long8,
    FieldType::SLong8,
    FieldType::Ifd8,
];

/// The number of types of TIFF 6.0, section 2: the first ones of [`PRIVATE`].
const SECTION_2: usize = 12;

/// Types that no document defines: between those of TIFF and those of BigTIFF, just after the latter, and far beyond.
const UNKNOWN: [u16; 6] = [0, 14, 15, 19, 200, 65535];

/// Private tags that anybody may use ("reusable", TIFF 6.0, section 2, private tags) and that no known software uses;
/// cameras use some tags of 65000 and above.
const REUSABLE: std::ops::RangeInclusive<u16> = 65200..=65535;

/// The maximum number of values of a drawn tag.
const MOST: u64 = 9;

/// The kind of private tags of several types.
const SEVERAL: &str = "several";

/// Chooses tags, and adds those that the directory does not have yet.
///
/// # Errors
///
/// Returns an error if a given choice is not possible.
pub(super) fn choose(
    source: &mut ChoiceSource,
    options: &WriterOptions,
    layout: &mut ContainerLayout,
) -> Result<(), ChoiceError> {
    let (profile, format) = (options.profile, layout.format);
    let random = [RANDOM];
    let mut choose = |dimension, class, kinds: &[&str]| {
        choose_seeded(source, profile, dimension, class, NONE, kinds)
    };
    let descriptive_tags = choose(dimension::DESCRIPTIVE_TAGS, Class::Baseline, &random)?;
    let document_tags = choose(dimension::DOCUMENT_TAGS, Class::Extension, &random)?;
    let kinds = private_kinds(format, options.directories);
    let private_tags = choose(dimension::PRIVATE_TAGS, Class::Baseline, &kinds)?;
    let unknown_tags = choose(dimension::UNKNOWN_TAGS, Class::Questionable, &random)?;

    let plain = [
        descriptive_tags.map(|(_, seed)| descriptive(seed)),
        document_tags.map(|(_, seed)| document(seed)),
        unknown_tags.map(|(_, seed)| unknown(seed, format)),
    ];
    let plain = plain.into_iter().flatten().flatten().map(|(tag, values)| (tag, values, None));
    let private = private_tags.map(|(kind, seed)| private(seed, kinds[kind]));
    for (tag, values, directory) in private.into_iter().flatten().chain(plain) {
        if layout.entries.iter().any(|entry| entry.0 == tag) {
            continue;
        }
        layout.entries.push((tag, values));
        if let Some(directory) = directory {
            layout.pointers.push((tag, vec![layout.directories.len()]));
            layout.directories.push(directory);
        }
    }
    Ok(())
}

/// Returns the kinds of private tags in `format`: of several types, or of one type.
fn private_kinds(format: Format, directories: bool) -> Vec<&'static str> {
    let fits = |kind: &&FieldType| {
        (format == Format::Big || kind.code() < FieldType::Long8.code())
            && (directories || !kind.is_pointer())
    };
    let types = PRIVATE.iter().filter(fits).filter_map(|kind| kind.name());
    std::iter::once(SEVERAL).chain(types).collect()
}

/// Returns the class of private tags of this kind. "Readers must be prepared to encounter and ignore private fields"
/// (section 2); types with numbers of 13 and above are newer than the standard.
pub(super) fn private_class(kind: &str) -> Option<Class> {
    match FieldType::from_name(kind) {
        Some(kind) if PRIVATE[SECTION_2..].contains(&kind) => Some(Class::Extension),
        Some(_) => Some(Class::Baseline),
        None => (kind == SEVERAL).then_some(Class::Baseline),
    }
}

/// Draws descriptions: each with an even chance, at least one.
fn descriptive(seed: u64) -> Vec<(Tag, Values)> {
    let mut rng = Fill::rng(seed);
    let mut all: Vec<_> = TEXTS.iter().map(|tag| (*tag, text(&mut rng))).collect();
    all.push((Tag::DATE_TIME, date_time(&mut rng)));
    some(&mut rng, all)
}

/// Draws tags of a page in a document (section 12): each with an even chance, at least one. XPosition and YPosition are
/// not included, because readers that lay out pages follow them.
fn document(seed: u64) -> Vec<(Tag, Values)> {
    let mut rng = Fill::rng(seed);
    let all = vec![
        (Tag::DOCUMENT_NAME, text(&mut rng)),
        (Tag::PAGE_NAME, text(&mut rng)),
        (Tag::PAGE_NUMBER, Values::shorts(&[0, rng.random_range(0..=2)])),
    ];
    some(&mut rng, all)
}

fn some(rng: &mut impl Rng, all: Vec<(Tag, Values)>) -> Vec<(Tag, Values)> {
    let sure = rng.random_range(0..all.len().max(1));
    let taken = |(k, entry)| (k == sure || rng.random_bool(0.5)).then_some(entry);
    all.into_iter().enumerate().filter_map(taken).collect()
}

/// Draws private tags of the type named `kind`, or of several types. If a tag points to a directory, the directory is
/// added as well.
fn private(seed: u64, kind: &str) -> Vec<(Tag, Values, Option<Directory>)> {
    let mut rng = Fill::rng(seed);
    let types: Vec<FieldType> = match FieldType::from_name(kind) {
        Some(kind) => vec![kind],
        None => {
            let count = rng.random_range(2..=6);
            (0..count).map(|_| PRIVATE[rng.random_range(0..SECTION_2)]).collect()
        }
    };
    let tags = tags(&mut rng, types.len());
    let entry = |(tag, kind): (Tag, FieldType)| match kind.is_pointer() {
        true => {
            let entries = vec![(Tag(*REUSABLE.start()), values(&mut rng, FieldType::Short))];
            let directory = Directory { entries, data: Vec::new(), next: None };
            (tag, unplaced(kind, 1), Some(directory))
        }
        false => (tag, values(&mut rng, kind), None),
    };
    tags.into_iter().zip(types).map(entry).collect()
}

/// Draws tags of types that no document defines. The field has enough bytes for any size of a value that a reader may
/// assume, so only a reader that does not skip the tag can be misled.
fn unknown(seed: u64, format: Format) -> Vec<(Tag, Values)> {
    let mut rng = Fill::rng(seed);
    let count = rng.random_range(1..=2);
    let tags = tags(&mut rng, count);
    let entry = |tag| {
        let kind = UNKNOWN[rng.random_range(0..UNKNOWN.len())];
        let count = rng.random_range(1..=format.offset_size());
        let field: Vec<u8> = (0..format.offset_size()).map(|_| rng.random()).collect();
        (tag, Values::unknown(kind, count, &field))
    };
    tags.into_iter().map(entry).collect()
}

/// Draws `count` different private tags.
fn tags(rng: &mut impl Rng, count: usize) -> Vec<Tag> {
    let mut tags = BTreeSet::new();
    while tags.len() < count.min(REUSABLE.len()) {
        tags.insert(rng.random_range(REUSABLE));
    }
    tags.into_iter().map(Tag).collect()
}

/// Draws printable ASCII text, from no characters to more than any entry holds.
fn text(rng: &mut impl Rng) -> Values {
    let len = if rng.random_bool(0.3) { rng.random_range(0..=3) } else { rng.random_range(4..=40) };
    let text: String = (0..len).map(|_| rng.random_range(b' '..=b'~') as char).collect();
    Values::ascii(&text)
}

/// Draws a date and time: `YYYY:MM:DD HH:MM:SS` (section 8).
fn date_time(rng: &mut impl Rng) -> Values {
    let (year, month, day) =
        (rng.random_range(1970..=2037), rng.random_range(1..=12), rng.random_range(1..=28));
    let (hour, minute, second) =
        (rng.random_range(0..24), rng.random_range(0..60), rng.random_range(0..60));
    Values::ascii(&format!("{year:04}:{month:02}:{day:02} {hour:02}:{minute:02}:{second:02}"))
}

/// Draws a few values of a known type. Fractions have a positive denominator, and floats are finite.
fn values(rng: &mut impl Rng, kind: FieldType) -> Values {
    let count = rng.random_range(1..=MOST);
    let mut bytes = Vec::new();
    for _ in 0..count {
        match kind {
            FieldType::Ascii => return text(rng),
            FieldType::Rational => {
                bytes.extend(rng.random::<u32>().to_le_bytes());
                bytes.extend(rng.random_range(1..=1000u32).to_le_bytes());
            }
            FieldType::SRational => {
                bytes.extend(rng.random::<i32>().to_le_bytes());
                bytes.extend(rng.random_range(1..=1000i32).to_le_bytes());
            }
            FieldType::Float => {
                bytes.extend((rng.random_range(-4096..=4096) as f32 / 16.0).to_le_bytes());
            }
            FieldType::Double => {
                bytes.extend((rng.random_range(-4096..=4096) as f64 / 16.0).to_le_bytes());
            }
            _ => {
                let number = rng.random::<u64>().to_le_bytes();
                bytes.extend(&number[..kind.size().unwrap_or(1).min(8) as usize]);
            }
        }
    }
    Values::decode(kind, ByteOrder::Little, &bytes).unwrap_or_else(|| Values::shorts(&[0]))
}
