//! Tiny TIFF files with a known picture, which test whether a client works on this machine.

use tiff_harness::Picture;

const WIDTH: u32 = 4;
const HEIGHT: u32 = 3;

/// The tag of StripOffsets.
const STRIP: u16 = 273;

/// The value of a sample. All samples differ, so that no wrong order goes unnoticed.
fn sample(x: u32, y: u32, channel: u32) -> u8 {
    let value = match channel {
        0 => 10 + 20 * x + y,
        1 => 200 - 30 * y - x,
        _ => 5 + 60 * x,
    };
    value as u8
}

/// The picture of [`file()`] with orientation 1.
pub fn picture() -> Picture {
    displayed(1)
}

/// The picture that a client should show of [`file()`] with this orientation, if it applies
/// the orientation.
pub fn displayed(orientation: u16) -> Picture {
    let turned = orientation >= 5;
    let (width, height) = if turned { (HEIGHT, WIDTH) } else { (WIDTH, HEIGHT) };
    let mut rgba = Vec::new();
    for row in 0..height {
        for column in 0..width {
            // Orientations 5 to 8 swap rows and columns of 1 to 4 (TIFF 6.0, page 36).
            let (x, y) = if turned { (row, column) } else { (column, row) };
            let (x, y) = match orientation {
                2 | 7 => (WIDTH - 1 - x, y),
                3 => (WIDTH - 1 - x, HEIGHT - 1 - y),
                4 => (x, HEIGHT - 1 - y),
                6 => (x, HEIGHT - 1 - y),
                8 => (WIDTH - 1 - x, y),
                _ => (x, y),
            };
            let (x, y) = if orientation == 7 { (x, HEIGHT - 1 - y) } else { (x, y) };
            rgba.extend((0..3).map(|c| u16::from(sample(x, y, c)) * 257));
            rgba.push(u16::MAX);
        }
    }
    Picture::new(width, height, rgba)
}

/// A baseline TIFF file: RGB, 8 bits, one uncompressed strip, 72 dpi. Optional fields are also written, because some
/// readers depend on them.
pub fn file(orientation: u16) -> Vec<u8> {
    written(orientation, true)
}

/// [`file()`] with only the fields that TIFF 6.0 requires of such a file, because some readers refuse some of the
/// others.
pub fn plainest_file() -> Vec<u8> {
    written(1, false)
}

fn written(orientation: u16, optional: bool) -> Vec<u8> {
    const SHORT: u16 = 3;
    const LONG: u16 = 4;
    const RATIONAL: u16 = 5;
    // The values of a field that do not fit into it follow the directory.
    let shorts = |values: [u16; 3]| values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let one = |value: u32| value.to_le_bytes().to_vec();
    let dpi: Vec<u8> = [72u32, 1].iter().flat_map(|v| v.to_le_bytes()).collect();
    // Tag, type, count and values; true for a field that may be absent because this is its default. The strip follows
    // all of them.
    let fields: [(u16, u16, u32, Vec<u8>, bool); 20] = [
        (254, LONG, 1, one(0), true),
        (256, SHORT, 1, one(WIDTH), false),
        (257, SHORT, 1, one(HEIGHT), false),
        (258, SHORT, 3, shorts([8; 3]), false),
        (259, SHORT, 1, one(1), false),
        (262, SHORT, 1, one(2), false),
        (263, SHORT, 1, one(1), true),
        (266, SHORT, 1, one(1), true),
        (STRIP, LONG, 1, one(0), false),
        (274, SHORT, 1, one(orientation.into()), true),
        (277, SHORT, 1, one(3), false),
        (278, SHORT, 1, one(HEIGHT), false),
        (279, LONG, 1, one(3 * WIDTH * HEIGHT), false),
        (280, SHORT, 3, shorts([0; 3]), true),
        (281, SHORT, 3, shorts([255; 3]), true),
        (282, RATIONAL, 1, dpi.clone(), false),
        (283, RATIONAL, 1, dpi, false),
        (284, SHORT, 1, one(1), true),
        (296, SHORT, 1, one(2), false),
        (339, SHORT, 3, shorts([1; 3]), true),
    ];
    let fields: Vec<_> =
        fields.into_iter().filter(|(.., may_be_absent)| optional || !may_be_absent).collect();
    let mut after = 8 + 2 + 12 * fields.len() as u32 + 4;
    let strip =
        after + fields.iter().map(|(.., v, _)| v.len() as u32).filter(|n| *n > 4).sum::<u32>();
    // Little-endian: a SHORT in a field of four bytes is the same as a LONG.
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    let mut values: Vec<u8> = Vec::new();
    out.extend((fields.len() as u16).to_le_bytes());
    for (tag, kind, count, value, _) in fields {
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(count.to_le_bytes());
        match value.len() {
            _ if tag == STRIP => out.extend(strip.to_le_bytes()),
            0..=4 => out.extend(&value),
            length => {
                out.extend(after.to_le_bytes());
                values.extend(&value);
                after += length as u32;
            }
        }
    }
    out.extend([0; 4]);
    out.extend(values);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            out.extend((0..3).map(|c| sample(x, y, c)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiff_harness::Seed;

    #[test]
    fn both_files_show_the_picture() {
        let bare = plainest_file();
        assert!(file(1).len() > bare.len());
        for bytes in [file(1), bare] {
            let seed = Seed::open(bytes).unwrap();
            assert_eq!(*seed.picture(), picture());
        }
    }

    /// The tags of a file, in their order.
    fn tags(bytes: &[u8]) -> Vec<u16> {
        let count = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let tag = |k: usize| u16::from_le_bytes([bytes[10 + 12 * k], bytes[11 + 12 * k]]);
        (0..count).map(tag).collect()
    }

    #[test]
    fn one_file_has_all_fields_and_the_other_those_that_are_required() {
        let (all, required) = (tags(&file(1)), tags(&plainest_file()));
        assert!(all.is_sorted());
        // NewSubfileType, Threshholding, FillOrder, Orientation, MinSampleValue, MaxSampleValue, PlanarConfiguration,
        // SampleFormat.
        for optional in [254, 263, 266, 274, 280, 281, 284, 339] {
            assert!(all.contains(&optional), "{optional}");
        }
        // TIFF 6.0, page 24.
        assert_eq!(required, [256, 257, 258, 259, 262, 273, 277, 278, 279, 282, 283, 296]);
    }
}
