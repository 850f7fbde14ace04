//! Tiny TIFF files with a known picture, which test whether a client works on this machine.

use tiff_harness::Picture;

const WIDTH: u32 = 4;
const HEIGHT: u32 = 3;

/// The value of a sample. All differ, so that no wrong order goes unnoticed.
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

/// A baseline TIFF file: RGB, 8 bits, one uncompressed strip, 72 dpi.
pub fn file(orientation: u16) -> Vec<u8> {
    const SHORT: u16 = 3;
    const LONG: u16 = 4;
    const RATIONAL: u16 = 5;
    const FIELDS: u32 = 13;
    let after = 8 + 2 + 12 * FIELDS + 4;
    let (bits, resolution, strip) = (after, after + 6, after + 14);
    let fields: [(u16, u16, u32, u32); FIELDS as usize] = [
        (256, SHORT, 1, WIDTH),
        (257, SHORT, 1, HEIGHT),
        (258, SHORT, 3, bits),
        (259, SHORT, 1, 1),
        (262, SHORT, 1, 2),
        (273, LONG, 1, strip),
        (274, SHORT, 1, orientation.into()),
        (277, SHORT, 1, 3),
        (278, SHORT, 1, HEIGHT),
        (279, LONG, 1, 3 * WIDTH * HEIGHT),
        (282, RATIONAL, 1, resolution),
        (283, RATIONAL, 1, resolution),
        (296, SHORT, 1, 2),
    ];
    // Little-endian: a SHORT in a field of four bytes is the same as a LONG.
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    out.extend((FIELDS as u16).to_le_bytes());
    for (tag, kind, count, value) in fields {
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend(value.to_le_bytes());
    }
    out.extend([0; 4]);
    out.extend([8u16, 8, 8].iter().flat_map(|v| v.to_le_bytes()));
    out.extend([72u32, 1].iter().flat_map(|v| v.to_le_bytes()));
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            out.extend((0..3).map(|c| sample(x, y, c)));
        }
    }
    out
}
