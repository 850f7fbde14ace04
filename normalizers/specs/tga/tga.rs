//! TGA files: colours of a map, true colours of 16, 24 and 32 bits, and gray, uncompressed or run-length
//! encoded.
//!
//! After the Truevision TGA File Format Specification 2.0. What stands behind the pixels says nothing: the
//! areas of version 2 are not read. 32 bits are taken only where 8 of them are alpha: readers take the
//! fourth byte for it even where the descriptor says that there is none.

struct Tga {
    file: [u8],
}

/// The file without run lengths: it ends with its pixels.
struct Pixels {
    count: u32,
    #[element("plain file")]
    plain: [u8; count],
}

/// Colours, and pixels as they are stored: rows from the top, pixels from the left.
struct Stored {
    width: u32,
    height: u32,
    bits: u16,
    /// Entries of the colour map: none above 8 bits, and for gray.
    colors: u16,
    red: u32,
    green: u32,
    blue: u32,
    alpha: u32,
    /// Three bytes for each colour, then the rows.
    #[element("pixels")]
    rows: [u8; 3 * colors + height * div_ceil(width * bits, 8)],
}

struct Picture {
    width: u32,
    height: u32,
    rgba: [u8; 4 * width * height],
}

const MAPPED: u8 = 1;
const TRUE_COLOR: u8 = 2;
const GRAY: u8 = 3;

fn runs(x: &Tga, y: &mut Pixels) {
    y.plain = tga_runs(x.file);
}

fn header(x: &Pixels, y: &mut Stored) {
    let id_length = u8(x.plain, 0);
    let has_map = u8(x.plain, 1);
    let kind = u8(x.plain, 2);
    let first = u16le(x.plain, 3);
    let colors = u16le(x.plain, 5);
    let map_bits = u8(x.plain, 7);
    let _x_origin = u16le(x.plain, 8);
    let _y_origin = u16le(x.plain, 10);
    let width = u16le(x.plain, 12);
    let height = u16le(x.plain, 14);
    let bits = u8(x.plain, 16);
    let descriptor = u8(x.plain, 17);
    y.width = width;
    y.height = height;
    y.bits = bits;
    y.colors = colors;
    reserve(x.plain[18..18 + id_length]);
    assume(width >= 1);
    assume(height >= 1);

    // Without a map its fields are 0.
    assume(kind == MAPPED || kind == TRUE_COLOR || kind == GRAY);
    assume(kind != MAPPED || has_map == 1 && bits == 8 && colors >= 1 && map_bits == 24);
    assume(kind == MAPPED || has_map == 0 && first == 0 && colors == 0 && map_bits == 0);
    assume(kind != TRUE_COLOR || bits == 16 || bits == 24 || bits == 32);
    assume(kind != GRAY || bits == 8);
    assume(first + colors <= 256);
    let map = 18 + id_length;
    let pixels = map + 3 * colors;
    let pixel = if bits == 8 { 1 } else if bits == 16 { 2 } else if bits == 24 { 3 } else { 4 };
    assume(x.count == pixels + width * height * pixel);
    for i in 0..colors {
        for k in 0..3 {
            y.rows[3 * i + k] = x.plain[map + 3 * i + 2 - k];
        }
    }

    // The descriptor: bits of alpha, 16 from the right, 32 from the top.
    let from_top = descriptor >= 32;
    let origin = if descriptor >= 32 { descriptor - 32 } else { descriptor };
    let from_right = origin >= 16;
    let alpha_bits = if origin >= 16 { origin - 16 } else { origin };
    assume(descriptor < 64);
    assume(alpha_bits == 0 || bits == 16 && alpha_bits == 1 || bits == 32 && alpha_bits == 8);
    assume(bits != 32 || alpha_bits == 8);
    let red = if bits == 8 { 0 } else if bits == 16 { 0x7C00 } else { 0xFF0000 };
    let green = if bits == 8 { 0 } else if bits == 16 { 0x3E0 } else { 0xFF00 };
    let blue = if bits == 8 { 0 } else if bits == 16 { 0x1F } else { 0xFF };
    let alpha = if alpha_bits == 0 { 0 } else if bits == 16 { 0x8000 } else { 0xFF000000 };
    y.red = red;
    y.green = green;
    y.blue = blue;
    y.alpha = alpha;

    for r in 0..height {
        for c in 0..width {
            for k in 0..pixel {
                let to = 3 * colors + k;
                let row = r * width * pixel;
                let other = (height - 1 - r) * width * pixel;
                if kind == MAPPED {
                    // A pixel of the map counts from its first entry.
                    if from_top && !from_right {
                        y.rows[to + row + c * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else if from_top {
                        y.rows[to + row + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else if !from_right {
                        y.rows[to + other + c * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else {
                        y.rows[to + other + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    }
                } else if from_top && !from_right {
                    y.rows[to + row + c * pixel] = x.plain[pixels + row + c * pixel + k];
                } else if from_top {
                    y.rows[to + row + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k];
                } else if !from_right {
                    y.rows[to + other + c * pixel] = x.plain[pixels + row + c * pixel + k];
                } else {
                    y.rows[to + other + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k];
                }
            }
        }
    }
}

fn colors(x: &Stored, y: &mut Picture) {
    let of_15 = x.red == 0x7C00 && x.green == 0x3E0 && x.blue == 0x1F;
    let bgr = x.red == 0xFF0000 && x.green == 0xFF00 && x.blue == 0xFF;
    assume(x.bits == 8 || x.bits == 16 || x.bits == 24 || x.bits == 32);
    assume(x.bits != 8 || x.red == 0 && x.green == 0 && x.blue == 0 && x.alpha == 0);
    assume(x.bits != 8 || x.colors <= 256);
    assume(x.bits == 8 || x.colors == 0);
    assume(x.bits != 16 || of_15 && (x.alpha == 0 || x.alpha == 0x8000));
    assume(x.bits != 24 || bgr && x.alpha == 0);
    assume(x.bits != 32 || bgr && x.alpha == 0xFF000000);
    assume(x.width >= 1 && x.width <= 65535);
    assume(x.height >= 1 && x.height <= 65535);
    y.width = x.width;
    y.height = x.height;
    y.rgba = pixels(x.rows, x.bits, x.width, x.colors, x.red, x.green, x.blue, x.alpha);
}
