//! TGA files: mapped colours, true colours of 16, 24 and 32 bits, and gray, uncompressed or run-length
//! encoded.
//!
//! Source: the Truevision TGA File Format Specification 2.0. The bytes after the pixels have no meaning:
//! the areas of version 2 are not read. Pixels of 32 bits must have 8 bits of alpha, because readers take
//! the fourth byte for alpha even where the descriptor says that there is none.

use super::file::File;
use super::picture::{Picture, Pixels, shown};

/// The file without run lengths: it ends with its pixels.
struct Plain {
    count: u32,
    #[element("plain file")]
    plain: [u8; count],
}

const MAPPED: u8 = 1;
const TRUE_COLOR: u8 = 2;
const GRAY: u8 = 3;

fn runs(x: &File, y: &mut Plain) {
    y.plain = tga_runs(x.file);
}

fn header(x: &Plain, y: &mut Pixels) {
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

    // Without a colour map, its fields are 0.
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
            y.plain[3 * i + k] = x.plain[map + 3 * i + 2 - k];
        }
    }

    // The descriptor: the number of alpha bits, plus 16 if pixels start at the right, plus 32 if rows
    // start at the top.
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
                    // Mapped pixels count from the first entry that the map has.
                    if from_top && !from_right {
                        y.plain[to + row + c * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else if from_top {
                        y.plain[to + row + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else if !from_right {
                        y.plain[to + other + c * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    } else {
                        y.plain[to + other + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k] - first;
                    }
                } else if from_top && !from_right {
                    y.plain[to + row + c * pixel] = x.plain[pixels + row + c * pixel + k];
                } else if from_top {
                    y.plain[to + row + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k];
                } else if !from_right {
                    y.plain[to + other + c * pixel] = x.plain[pixels + row + c * pixel + k];
                } else {
                    y.plain[to + other + (width - 1 - c) * pixel] = x.plain[pixels + row + c * pixel + k];
                }
            }
        }
    }
}

fn colors(x: &Pixels, y: &mut Picture) {
    let of_15 = x.red == 0x7C00 && x.green == 0x3E0 && x.blue == 0x1F;
    let bgr = x.red == 0xFF0000 && x.green == 0xFF00 && x.blue == 0xFF;
    assume(x.bits == 8 || x.bits == 16 || x.bits == 24 || x.bits == 32);
    assume(x.bits != 8 || x.red == 0 && x.green == 0 && x.blue == 0 && x.alpha == 0);
    assume(x.bits != 8 || x.colors <= 256);
    assume(x.bits == 8 || x.colors == 0);
    assume(x.bits != 16 || of_15 && (x.alpha == 0 || x.alpha == 0x8000));
    assume(x.bits != 24 || bgr && x.alpha == 0);
    assume(x.bits != 32 || bgr && x.alpha == 0xFF000000);
    assume(x.width <= 65535);
    assume(x.height <= 65535);
    shown(x, y);
}
