//! TGA files: colours of a map, and true colours of 16, 24 and 32 bits, uncompressed.
//!
//! After the Truevision TGA File Format Specification 2.0. What stands behind the pixels (areas and the
//! footer of version 2) is not read: a file without footer is one of version 1.

struct Tga {
    file: [u8],
}

/// Colours, and pixels as they are stored: rows from the top, pixels from the left.
struct Plain {
    width: u32,
    height: u32,
    bits: u16,
    /// Entries of the colour map: none above 8 bits.
    colors: u16,
    red: u32,
    green: u32,
    blue: u32,
    alpha: u32,
    /// Three bytes for each colour, then the rows.
    #[element("pixels")]
    plain: [u8; 3 * colors + height * div_ceil(width * bits, 8)],
}

struct Picture {
    width: u32,
    height: u32,
    rgba: [u8; 4 * width * height],
}

const MAPPED: u8 = 1;
const TRUE_COLOR: u8 = 2;

fn file(x: &Tga, y: &mut Plain) {
    let id_length = u8(x.file, 0);
    let has_map = u8(x.file, 1);
    let kind = u8(x.file, 2);
    let first = u16le(x.file, 3);
    let colors = u16le(x.file, 5);
    let map_bits = u8(x.file, 7);
    let _x_origin = u16le(x.file, 8);
    let _y_origin = u16le(x.file, 10);
    let width = u16le(x.file, 12);
    let height = u16le(x.file, 14);
    let bits = u8(x.file, 16);
    let descriptor = u8(x.file, 17);
    reserve(x.file[18..18 + id_length]);
    assume(width >= 1);
    assume(height >= 1);
    y.width = width;
    y.height = height;
    y.bits = bits;

    // Without a map its fields are 0.
    assume(kind == MAPPED || kind == TRUE_COLOR);
    assume(kind == TRUE_COLOR || has_map == 1 && bits == 8 && colors >= 1 && map_bits == 24);
    assume(kind == MAPPED || has_map == 0 && first == 0 && colors == 0 && map_bits == 0);
    assume(kind == MAPPED || bits == 16 || bits == 24 || bits == 32);
    assume(first + colors <= 256);
    y.colors = colors;
    let map = 18 + id_length;
    let pixels = map + 3 * colors;
    for i in 0..colors {
        for k in 0..3 {
            y.plain[3 * i + k] = x.file[map + 3 * i + 2 - k];
        }
    }

    // The descriptor: bits of alpha, 16 from the right, 32 from the top.
    let from_top = descriptor >= 32;
    let origin = if descriptor >= 32 { descriptor - 32 } else { descriptor };
    let from_right = origin >= 16;
    let alpha_bits = if origin >= 16 { origin - 16 } else { origin };
    assume(descriptor < 64);
    assume(alpha_bits == 0 || bits == 16 && alpha_bits == 1 || bits == 32 && alpha_bits == 8);
    let red = if bits == 8 { 0 } else if bits == 16 { 0x7C00 } else { 0xFF0000 };
    let green = if bits == 8 { 0 } else if bits == 16 { 0x3E0 } else { 0xFF00 };
    let blue = if bits == 8 { 0 } else if bits == 16 { 0x1F } else { 0xFF };
    let alpha = if alpha_bits == 0 { 0 } else if bits == 16 { 0x8000 } else { 0xFF000000 };
    y.red = red;
    y.green = green;
    y.blue = blue;
    y.alpha = alpha;

    let bytes = if bits == 8 { 1 } else if bits == 16 { 2 } else if bits == 24 { 3 } else { 4 };
    for r in 0..height {
        for c in 0..width {
            for k in 0..bytes {
                let to = 3 * colors + k;
                let row = r * width * bytes;
                let other = (height - 1 - r) * width * bytes;
                if kind == MAPPED {
                    // A pixel of the map counts from its first entry.
                    if from_top && !from_right {
                        y.plain[to + row + c * bytes] = x.file[pixels + row + c * bytes + k] - first;
                    } else if from_top {
                        y.plain[to + row + (width - 1 - c) * bytes] = x.file[pixels + row + c * bytes + k] - first;
                    } else if !from_right {
                        y.plain[to + other + c * bytes] = x.file[pixels + row + c * bytes + k] - first;
                    } else {
                        y.plain[to + other + (width - 1 - c) * bytes] = x.file[pixels + row + c * bytes + k] - first;
                    }
                } else if from_top && !from_right {
                    y.plain[to + row + c * bytes] = x.file[pixels + row + c * bytes + k];
                } else if from_top {
                    y.plain[to + row + (width - 1 - c) * bytes] = x.file[pixels + row + c * bytes + k];
                } else if !from_right {
                    y.plain[to + other + c * bytes] = x.file[pixels + row + c * bytes + k];
                } else {
                    y.plain[to + other + (width - 1 - c) * bytes] = x.file[pixels + row + c * bytes + k];
                }
            }
        }
    }
}

fn colors(x: &Plain, y: &mut Picture) {
    let of_15 = x.red == 0x7C00 && x.green == 0x3E0 && x.blue == 0x1F;
    let bgr = x.red == 0xFF0000 && x.green == 0xFF00 && x.blue == 0xFF;
    assume(x.bits == 8 || x.bits == 16 || x.bits == 24 || x.bits == 32);
    assume(x.bits != 8 || x.red == 0 && x.green == 0 && x.blue == 0 && x.alpha == 0);
    assume(x.bits != 8 || x.colors >= 1 && x.colors <= 256);
    assume(x.bits == 8 || x.colors == 0);
    assume(x.bits != 16 || of_15 && (x.alpha == 0 || x.alpha == 0x8000));
    assume(x.bits != 24 || bgr && x.alpha == 0);
    assume(x.bits != 32 || bgr && (x.alpha == 0 || x.alpha == 0xFF000000));
    assume(x.width >= 1 && x.width <= 65535);
    assume(x.height >= 1 && x.height <= 65535);
    y.width = x.width;
    y.height = x.height;
    y.rgba = pixels(x.plain, x.bits, x.width, x.colors, x.red, x.green, x.blue, x.alpha);
}
