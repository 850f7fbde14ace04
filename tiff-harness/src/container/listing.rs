//! Lists the tags of a file as `tiffinfo` prints them, for people who know that program.

use super::{ByteOrder, Entry, FieldType, Format, Ifd, Tag, read};

/// The maximum number of values of one tag, or segments of a picture, that are listed.
const MOST: usize = 8;

/// The maximum number of characters of a text.
const TEXT: usize = 80;

/// Tags that [`tiffinfo_line`] or [`segments`] lists together.
const TOGETHER: [Tag; 6] = [
    Tag::IMAGE_LENGTH,
    Tag::TILE_LENGTH,
    Tag::STRIP_OFFSETS,
    Tag::STRIP_BYTE_COUNTS,
    Tag::TILE_OFFSETS,
    Tag::TILE_BYTE_COUNTS,
];

/// Lists the tags of the first directory in the form of `tiffinfo -s`: `Image Width: 8 Image
/// Length: 6`. Empty if the file is not TIFF.
pub fn listing(file: &[u8]) -> Vec<String> {
    let Ok(container) = read(file) else { return Vec::new() };
    let format = match container.format {
        Format::Classic => "TIFF",
        Format::Big => "BigTIFF",
    };
    let order = match container.order {
        ByteOrder::Little => "little-endian (II)",
        ByteOrder::Big => "big-endian (MM)",
    };
    let at = container.ifd.span.at;
    let mut lines =
        vec![format!("{format}, {order}"), format!("TIFF Directory at offset {at:#x} ({at})")];
    let entries = container.ifd.entries.iter().filter(|entry| !TOGETHER.contains(&entry.tag));
    lines.extend(entries.map(|entry| format!("  {}", tiffinfo_line(&container.ifd, entry))));
    lines.extend(segments(&container.ifd));
    if !container.later_ifds.is_empty() {
        lines.push(format!("further directories: {}", container.later_ifds.len()));
    }
    lines
}

fn tiffinfo_line(ifd: &Ifd, entry: &Entry) -> String {
    let value = plain(entry);
    let number = entry.values.as_integers().and_then(|numbers| numbers.first().copied());
    let word = number.and_then(|number| word(entry.tag, number));
    let label = match entry.tag {
        Tag::IMAGE_WIDTH => {
            let length = ifd.get(Tag::IMAGE_LENGTH).map_or("none".to_owned(), plain);
            return format!("Image Width: {value} Image Length: {length}");
        }
        Tag::TILE_WIDTH => {
            let length = ifd.get(Tag::TILE_LENGTH).map_or("none".to_owned(), plain);
            return format!("Tile Width: {value} Tile Length: {length}");
        }
        Tag::COLOR_MAP => return format!("Color Map: ({} values)", entry.values.count()),
        Tag::EXTRA_SAMPLES => {
            return format!("Extra Samples: {}<{}>", entry.values.count(), extra(entry));
        }
        Tag::PREDICTOR => {
            return format!("Predictor: {} {value}", word.unwrap_or("unknown"));
        }
        Tag::BITS_PER_SAMPLE => "Bits/Sample",
        Tag::SAMPLE_FORMAT => "Sample Format",
        Tag::COMPRESSION => "Compression Scheme",
        Tag::PHOTOMETRIC_INTERPRETATION => "Photometric Interpretation",
        Tag::FILL_ORDER => "FillOrder",
        Tag::ORIENTATION => "Orientation",
        Tag::SAMPLES_PER_PIXEL => "Samples/Pixel",
        Tag::ROWS_PER_STRIP => "Rows/Strip",
        Tag::PLANAR_CONFIGURATION => "Planar Configuration",
        Tag::T4_OPTIONS => "Group 3 Options",
        tag => return format!("{tag}: {value} ({})", entry.values.kind()),
    };
    format!("{label}: {}", word.map_or(value, str::to_owned))
}

/// A tag's values, collapsed to one if all are equal, as `tiffinfo` prints per-sample tags.
fn plain(entry: &Entry) -> String {
    let Some(numbers) = entry.values.as_integers() else { return other(entry) };
    let same = numbers.iter().all(|n| Some(n) == numbers.first());
    if let (true, Some(first)) = (same, numbers.first()) {
        return first.to_string();
    }
    let shown: Vec<String> = numbers.iter().take(MOST).map(u64::to_string).collect();
    let more = if numbers.len() > MOST { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The values of a tag that is not of unsigned integers.
fn other(entry: &Entry) -> String {
    let bytes = entry.values.encode(ByteOrder::Little);
    let half = |half: &[u8]| ByteOrder::Little.get(half);
    let count = entry.values.count();
    match entry.values.kind() {
        FieldType::Ascii => {
            let text = String::from_utf8_lossy(&bytes);
            text.trim_end_matches('\0').chars().take(TEXT).collect()
        }
        FieldType::Rational if bytes.len() == 8 => {
            format!("{}/{}", half(&bytes[..4]), half(&bytes[4..]))
        }
        _ => format!("{count} value{}", if count == 1 { "" } else { "s" }),
    }
}

fn extra(entry: &Entry) -> String {
    let word = |number: &u64| match number {
        0 => "unspecified".to_owned(),
        1 => "assoc-alpha".to_owned(),
        2 => "unassoc-alpha".to_owned(),
        other => other.to_string(),
    };
    let numbers = entry.values.as_integers().unwrap_or_default();
    numbers.iter().take(MOST).map(word).collect::<Vec<_>>().join(", ")
}

/// Lists the offset and the length of the first strips or tiles.
fn segments(ifd: &Ifd) -> Vec<String> {
    let numbers = |tag| ifd.get(tag).and_then(|entry| entry.values.as_integers());
    let mut lines = Vec::new();
    for (name, offsets, counts) in [
        ("Strips", Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        ("Tiles", Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    ] {
        let Some(offsets) = numbers(offsets) else { continue };
        let counts = numbers(counts).unwrap_or_default();
        lines.push(format!("  {} {name}:", offsets.len()));
        for (k, offset) in offsets.iter().take(MOST).enumerate() {
            let count = counts.get(k).map_or("no count".to_owned(), u64::to_string);
            lines.push(format!("    {k}: [{offset}, {count}]"));
        }
        if offsets.len() > MOST {
            lines.push(format!("    … {} more", offsets.len() - MOST));
        }
    }
    lines
}

/// The word of `tiffinfo` for a value.
fn word(tag: Tag, value: u64) -> Option<&'static str> {
    let words: &[(u64, &str)] = match tag {
        Tag::COMPRESSION => &[
            (1, "None"),
            (2, "CCITT modified Huffman encoding"),
            (3, "CCITT Group 3"),
            (4, "CCITT Group 4"),
            (5, "LZW"),
            (7, "JPEG"),
            (8, "AdobeDeflate"),
            (32773, "PackBits"),
            (32946, "Deflate"),
            (34925, "LZMA"),
            (50000, "ZSTD"),
            (50001, "WEBP"),
        ],
        Tag::PHOTOMETRIC_INTERPRETATION => &[
            (0, "min-is-white"),
            (1, "min-is-black"),
            (2, "RGB color"),
            (3, "palette color (RGB from colormap)"),
            (4, "transparency mask"),
            (5, "separated"),
            (6, "YCbCr"),
            (8, "CIE L*a*b*"),
        ],
        Tag::ORIENTATION => &[
            (1, "row 0 top, col 0 lhs"),
            (2, "row 0 top, col 0 rhs"),
            (3, "row 0 bottom, col 0 rhs"),
            (4, "row 0 bottom, col 0 lhs"),
            (5, "row 0 lhs, col 0 top"),
            (6, "row 0 rhs, col 0 top"),
            (7, "row 0 rhs, col 0 bottom"),
            (8, "row 0 lhs, col 0 bottom"),
        ],
        Tag::PLANAR_CONFIGURATION => &[(1, "single image plane"), (2, "separate image planes")],
        Tag::FILL_ORDER => &[(1, "msb-to-lsb"), (2, "lsb-to-msb")],
        Tag::PREDICTOR => {
            &[(1, "none"), (2, "horizontal differencing"), (3, "floating point predictor")]
        }
        Tag::SAMPLE_FORMAT => &[
            (1, "unsigned integer"),
            (2, "signed integer"),
            (3, "IEEE floating point"),
            (4, "void"),
        ],
        _ => &[],
    };
    words.iter().find(|row| row.0 == value).map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_listed_in_the_words_of_tiffinfo() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/seeds/tiny.tif");
        let Ok(file) = std::fs::read(path) else { return };
        let expected = "TIFF, little-endian (II)
TIFF Directory at offset 0x44 (68)
  Image Width: 5 Image Length: 4
  Bits/Sample: 8
  Compression Scheme: None
  Photometric Interpretation: RGB color
  ImageDescription (270): repfuzz test picture, 5 x 4, RGB, 1 strip (ASCII)
  Orientation: row 0 top, col 0 lhs
  Samples/Pixel: 3
  Rows/Strip: 4
  XResolution (282): 72/1 (RATIONAL)
  YResolution (283): 72/1 (RATIONAL)
  Planar Configuration: single image plane
  ResolutionUnit (296): 2 (SHORT)
  1 Strips:
    0: [8, 60]";
        assert_eq!(listing(&file).join("\n"), expected);
        assert!(listing(b"BM").is_empty());
    }
}
