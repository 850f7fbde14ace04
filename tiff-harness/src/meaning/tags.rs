//! Describes choices and files in the words of the standard, for titles that the maintainer of a reader understands.

use inverter::solve::Choice;

use crate::container::{Container, Ifd, Tag, read};
use crate::dimension::{self, of_page};

/// Expresses a choice in TIFF's own tags and values: `PhotometricInterpretation = WhiteIsZero`. `None` if no tag
/// expresses it.
pub fn in_tags(dimension: &str, value: &Choice) -> Option<String> {
    if let (page @ 2.., dimension) = of_page(dimension) {
        return Some(format!("{} on page {page}", in_tags(dimension, value)?));
    }
    let text = match value {
        Choice::List(_) => return None,
        value => value.to_string(),
    };
    let tag = |name: &str| Some(format!("{name} = {text}"));
    let named = |name: &str, number: &str, values: &[(&str, &str)]| {
        let word = values.iter().find(|(value, _)| *value == number).map(|(_, word)| *word);
        Some(format!("{name} = {}", word.unwrap_or(number)))
    };
    if let Some(of) = dimension.strip_prefix("type of ") {
        return Some(format!("{of} of type {text}"));
    }
    if let Some(of) = dimension.strip_prefix("default of ") {
        let article = if text == "absent" { "no" } else { "an explicit" };
        return Some(format!("{article} {of} tag"));
    }
    if let Some(of) = dimension.strip_prefix("count of ") {
        let count = if text == "one" { "one value" } else { "a value for each sample" };
        return Some(format!("{count} in {of}"));
    }
    match dimension {
        dimension::ORIENTATION => tag("Orientation"),
        dimension::BITS => tag("BitsPerSample"),
        dimension::SAMPLES_PER_PIXEL => tag("SamplesPerPixel"),
        dimension::PLANAR => tag("PlanarConfiguration"),
        dimension::ROWS_PER_STRIP => tag("RowsPerStrip"),
        dimension::TILE_WIDTH => tag("TileWidth"),
        dimension::TILE_LENGTH => tag("TileLength"),
        dimension::COMPRESSION => tag("Compression"),
        dimension::FILL_ORDER => tag("FillOrder"),
        dimension::PREDICTOR => {
            let numbers = [("none", "1"), ("horizontal", "2"), ("floating point", "3")];
            named("Predictor", &text, &numbers)
        }
        dimension::PHOTOMETRIC => {
            let names = [("0", "WhiteIsZero"), ("1", "BlackIsZero"), ("2", "RGB")];
            named("PhotometricInterpretation", &text, &names)
        }
        dimension::PALETTE if text == "yes" => {
            Some("PhotometricInterpretation = Palette".to_owned())
        }
        dimension::ALPHA => match &*text {
            "0" => Some("no alpha".to_owned()),
            "1" => Some("ExtraSamples = 1 (associated alpha)".to_owned()),
            _ => Some(format!("ExtraSamples = {text} (unassociated alpha)")),
        },
        dimension::SAMPLE_FORMAT => {
            named("SampleFormat", &text, &[("unsigned", "1"), ("undefined", "4")])
        }
        dimension::TILED => Some(if text == "1" { "tiles" } else { "strips" }.to_owned()),
        dimension::BYTE_ORDER => Some(format!("byte order {text}")),
        dimension::FORMAT => {
            Some(if text == "classic" { "classic TIFF" } else { "BigTIFF" }.into())
        }
        dimension::BYTE_COUNTS if text == "left out" => Some("no StripByteCounts".to_owned()),
        dimension::OFFSET_BYTES => Some(format!("offsets of {text} bytes")),
        dimension::COUNT_BYTES => Some(format!("byte counts of {text} bytes")),
        dimension::FURTHER_PAGES if text != "none" => Some(format!("a {text} it")),
        dimension::SUB_IFDS if text != "none" => Some("SubIFDs".to_owned()),
        _ => None,
    }
}

/// Describes a TIFF file by its picture and by the relevant choices: `tiled 16-bit gray image with Orientation = 6`. A
/// choice that no tag expresses keeps its name. Returns `None` if `file` is not TIFF.
pub fn described<'d, 'c>(
    file: &[u8],
    choices: impl IntoIterator<Item = (&'d str, &'c Choice)>,
) -> Option<String> {
    let container = read(file).ok()?;
    let (mut before, mut with) = (Vec::new(), Vec::new());
    for (dimension, value) in choices {
        if is_in_noun(dimension, value) {
            continue;
        }
        match adjective(dimension, value) {
            Some(word) => before.push(word),
            None => with.push(in_tags(dimension, value).unwrap_or_else(|| match value {
                Choice::List(_) => format!("another {dimension}"),
                value => format!("{dimension} = {value}"),
            })),
        }
    }
    before.push(noun(&container));
    let text = before.join(" ");
    Some(match with.split_last() {
        None => text,
        Some((last, [])) => format!("{text} with {last}"),
        Some((last, most)) => format!("{text} with {} and {last}", most.join(", ")),
    })
}

/// Returns true if the noun of a file shows the choice.
fn is_in_noun(dimension: &str, value: &Choice) -> bool {
    match dimension {
        dimension::BITS | dimension::PALETTE => true,
        dimension::PHOTOMETRIC => *value != Choice::from(0),
        _ => false,
    }
}

/// A choice as a word before the noun.
fn adjective(dimension: &str, value: &Choice) -> Option<String> {
    let text = match value {
        Choice::List(_) => return None,
        value => value.to_string(),
    };
    match (dimension, &*text) {
        (dimension::TILED, "1") => Some("tiled".to_owned()),
        (dimension::BYTE_ORDER, "MM") => Some("big-endian".to_owned()),
        (dimension::BYTE_ORDER, "II") => Some("little-endian".to_owned()),
        (dimension::FORMAT, "BigTIFF") => Some("BigTIFF".to_owned()),
        (dimension::COMPRESSION, "none") => Some("uncompressed".to_owned()),
        (dimension::COMPRESSION, name) => Some(format!("{name}-compressed")),
        _ => None,
    }
}

/// Names the kind of picture: `16-bit gray image`.
fn noun(container: &Container) -> String {
    let ifd = &container.ifd;
    let bits = first(ifd, Tag::BITS_PER_SAMPLE).unwrap_or(1);
    let kind = match first(ifd, Tag::PHOTOMETRIC_INTERPRETATION) {
        Some(0 | 1) if bits == 1 => return "bilevel image".to_owned(),
        Some(0 | 1) => "gray ",
        Some(2) => "RGB ",
        Some(3) => "palette ",
        _ => "",
    };
    format!("{bits}-bit {kind}image")
}

/// Returns the first value of a tag of unsigned integers.
fn first(ifd: &Ifd, tag: Tag) -> Option<u64> {
    ifd.get(tag)?.values.as_integers()?.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn choices_are_told_by_tags() {
        let told = |dimension: &str, value: Choice| in_tags(dimension, &value);
        assert_eq!(told("orientation", 6.into()).as_deref(), Some("Orientation = 6"));
        assert_eq!(
            told("photometric", 0.into()).as_deref(),
            Some("PhotometricInterpretation = WhiteIsZero")
        );
        assert_eq!(told("predictor", "horizontal".into()).as_deref(), Some("Predictor = 2"));
        assert_eq!(told("predictor", "floating point".into()).as_deref(), Some("Predictor = 3"));
        assert_eq!(
            told("default of Compression", "absent".into()).as_deref(),
            Some("no Compression tag")
        );
        assert_eq!(told("segment order", Choice::List(vec![1, 0])), None);
        assert_eq!(told("rows", 3.into()), None);
    }

    #[test]
    fn a_file_is_described_by_what_matters() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/seeds/gray.tif");
        let Ok(file) = std::fs::read(path) else { return };
        assert!(Seed::open(file.clone()).is_ok());
        let all: [(&str, Choice); 4] = [
            ("tiled", 1.into()),
            ("orientation", 6.into()),
            ("predictor", "horizontal".into()),
            ("bits", 8.into()),
        ];
        let told = |count: usize| described(&file, all[..count].iter().map(|(d, v)| (*d, v)));
        assert_eq!(told(0).as_deref(), Some("8-bit gray image"));
        assert_eq!(told(2).as_deref(), Some("tiled 8-bit gray image with Orientation = 6"));
        assert_eq!(
            told(4).as_deref(),
            Some("tiled 8-bit gray image with Orientation = 6 and Predictor = 2")
        );
        assert_eq!(described(b"BM", []), None);
    }
}
