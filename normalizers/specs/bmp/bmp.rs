//! BMP files of 1, 4, 8, 16, 24 and 32 bits per pixel, uncompressed or run-length encoded, with the
//! headers of OS/2 (12 and 64 bytes) and of Windows (40, 52, 56, 108 and 124 bytes).
//!
//! Sources: "Bitmap Storage" and the header structures in the documentation of Windows GDI, and OS/2's
//! BITMAPINFOHEADER2. Not covered, because readers differ: colour spaces other than sRGB, profiles,
//! skipped pixels, and levels of less than 8 bits that readers widen in different ways.

use super::file::File;
use super::picture::{Picture, Pixels, shown};

/// The palette and the pixels: rows from the top without padding, or run-length encoded.
struct Stored {
    width: u32,
    height: u32,
    bits: u16,
    /// The number of palette entries: 0 above 8 bits per pixel.
    colors: u16,
    red: u32,
    green: u32,
    blue: u32,
    alpha: u32,
    /// 0 for uncompressed pixels; 1 for run lengths of 8 bits per pixel, 2 of 4 bits.
    coding: u8,
    count: u32,
    /// Three bytes for each palette entry, then the rows.
    #[element("rows")]
    stored: [u8; count],
}

const RGB: u32 = 0;
const RLE8: u32 = 1;
const RLE4: u32 = 2;
const BITFIELDS: u32 = 3;

fn file(x: &File, y: &mut Stored) {
    // BITMAPFILEHEADER
    assume(bytes(x.file, 0) == b"BM");
    assume(u32le(x.file, 2) == len(x.file));
    assume(u32le(x.file, 6) == 0);
    let offset = u32le(x.file, 10);

    // BITMAPCOREHEADER, BITMAPINFOHEADER and its extensions.
    let header = u32le(x.file, 14);
    assume(header == 12 || header == 40 || header == 52 || header == 56 || header == 64 || header == 108 || header == 124);
    let width = if header == 12 { u16le(x.file, 18) } else { u32le(x.file, 18) };
    let rows = if header == 12 { u16le(x.file, 20) } else { i32le(x.file, 22) };
    let planes = if header == 12 { u16le(x.file, 22) } else { u16le(x.file, 26) };
    let bits = if header == 12 { u16le(x.file, 24) } else { u16le(x.file, 28) };
    let compression = if header == 12 { RGB } else { u32le(x.file, 30) };
    let size = if header == 12 { 0 } else { u32le(x.file, 34) };
    let _x_resolution = if header == 12 { 0 } else { u32le(x.file, 38) };
    let _y_resolution = if header == 12 { 0 } else { u32le(x.file, 42) };
    let colors_used = if header == 12 { 0 } else { u32le(x.file, 46) };
    let important = if header == 12 { 0 } else { u32le(x.file, 50) };
    assume(planes == 1);
    assume(bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32);
    let os2 = header == 12 || header == 64;
    assume(!os2 || bits <= 8 || bits == 24);
    assume(!os2 || rows >= 0);
    assume(compression <= BITFIELDS);
    assume(compression != BITFIELDS || bits == 16 || bits == 32);
    assume(compression != RLE8 || bits == 8 && rows >= 0);
    assume(compression != RLE4 || bits == 4 && rows >= 0);
    let coding = if compression == RLE8 { 1 } else if compression == RLE4 { 2 } else { 0 };
    y.coding = coding;
    assume(width >= 1);

    // A row has a multiple of four bytes. Rows start at the bottom unless their number is negative.
    let row_bytes = div_ceil(width * bits, 8);
    let stride = div_ceil(width * bits, 32) * 4;
    let height = if rows < 0 { 0 - rows } else { rows };
    assume(height >= 1);
    assume(coding != 0 || size == 0 || size == height * stride);
    y.width = width;
    y.height = height;
    y.bits = bits;

    // A palette entry is blue, green, red and, except under the oldest header, an unused byte.
    let all = if bits == 1 { 2 } else if bits == 4 { 16 } else if bits == 8 { 256 } else { 0 };
    assume(colors_used <= all);
    let colors = if colors_used == 0 { all } else { colors_used };
    assume(important <= colors);
    y.colors = colors;
    if header > 12 && colors >= 1 {
        reserve(x.file[13 + header + 4 * colors..14 + header + 4 * colors]);
    }
    if coding == 0 {
        y.count = 3 * colors + height * row_bytes;
    } else {
        y.count = 3 * colors + size;
    }
    for i in 0..colors {
        for k in 0..3 {
            if header == 12 {
                y.stored[3 * i + k] = x.file[26 + 3 * i + 2 - k];
            } else {
                y.stored[3 * i + k] = x.file[14 + header + 4 * i + 2 - k];
            }
        }
    }

    // The masks follow the header of 40 bytes and are part of all longer ones. OS/2 has other fields
    // there: units, the direction of recording (from the bottom) and halftones (none).
    let at_54 = if compression == BITFIELDS || header == 64 { u32le(x.file, 54) } else { 0 };
    let at_58 = if compression == BITFIELDS || header == 64 { u32le(x.file, 58) } else { 0 };
    assume(header != 64 || at_54 == 0 && at_58 == 0);
    let red = if compression == BITFIELDS { at_54 } else if bits == 16 { 0x7C00 } else if bits > 16 { 0xFF0000 } else { 0 };
    let green = if compression == BITFIELDS { at_58 } else if bits == 16 { 0x3E0 } else if bits > 16 { 0xFF00 } else { 0 };
    let blue = if compression == BITFIELDS { u32le(x.file, 62) } else if bits == 16 { 0x1F } else if bits > 16 { 0xFF } else { 0 };
    let alpha = if compression == BITFIELDS && header >= 56 && !os2 { u32le(x.file, 66) } else { 0 };
    y.red = red;
    y.green = green;
    y.blue = blue;
    y.alpha = alpha;

    // The rest of the longer headers has no meaning here: masks that are not in use, and fields that
    // describe other colour spaces than sRGB. There is no profile.
    let in_header = if header < 70 { 14 + header } else { 70 };
    if header >= 52 && !os2 && compression != BITFIELDS {
        reserve(x.file[54..in_header]);
    }
    if header == 64 {
        reserve(x.file[62..70]);
        reserve(x.file[74..78]);
    }
    if header >= 108 {
        reserve(x.file[74..122]);
    }
    let space = if header >= 64 { u32le(x.file, 70) } else { 0 };
    assume(header != 64 || space == 0);
    assume(header < 108 || space == 0x73524742);
    if header == 124 {
        let intent = u32le(x.file, 122);
        assume(intent == 1 || intent == 2 || intent == 4 || intent == 8);
        assume(u32le(x.file, 126) == 0);
        assume(u32le(x.file, 130) == 0);
        assume(u32le(x.file, 134) == 0);
    }

    if coding == 0 {
        // The padding of the last row is part of the file.
        reserve(x.file[offset + (height - 1) * stride + row_bytes..offset + height * stride]);
        for r in 0..height {
            for b in 0..row_bytes {
                if rows < 0 {
                    y.stored[3 * colors + r * row_bytes + b] = x.file[offset + r * stride + b];
                } else {
                    y.stored[3 * colors + (height - 1 - r) * row_bytes + b] = x.file[offset + r * stride + b];
                }
            }
        }
    } else {
        for b in 0..size {
            y.stored[3 * colors + b] = x.file[offset + b];
        }
    }
}

fn runs(x: &Stored, y: &mut Pixels) {
    y.width = x.width;
    y.height = x.height;
    y.colors = x.colors;
    y.red = x.red;
    y.green = x.green;
    y.blue = x.blue;
    y.alpha = x.alpha;
    assume(x.coding <= 2);
    assume(x.coding != 1 || x.bits == 8);
    assume(x.coding != 2 || x.bits == 4 && x.colors <= 16);
    if x.coding == 0 {
        y.bits = x.bits;
    } else {
        y.bits = 8;
    }
    y.plain = bmp_rle(x.stored, x.coding, 3 * x.colors, x.width);
}

fn colors(x: &Pixels, y: &mut Picture) {
    let palette = x.bits <= 8;
    let no_masks = x.red == 0 && x.green == 0 && x.blue == 0 && x.alpha == 0;
    let of_15 = x.red == 0x7C00 && x.green == 0x3E0 && x.blue == 0x1F;
    let of_16 = x.red == 0xF800 && x.green == 0x7E0 && x.blue == 0x1F;
    let of_12 = x.red == 0xF00 && x.green == 0xF0 && x.blue == 0xF;
    let bgr = x.red == 0xFF0000 && x.green == 0xFF00 && x.blue == 0xFF;
    let rgb = x.red == 0xFF && x.green == 0xFF00 && x.blue == 0xFF0000;
    let xbgr = x.red == 0xFF000000 && x.green == 0xFF0000 && x.blue == 0xFF00;
    assume(x.bits == 1 || x.bits == 4 || x.bits == 8 || x.bits == 16 || x.bits == 24 || x.bits == 32);
    assume(x.bits != 1 || x.colors <= 2);
    assume(x.bits != 4 || x.colors <= 16);
    assume(x.colors <= 256);
    assume(!palette || no_masks && x.colors >= 1);
    assume(palette || x.colors == 0);
    assume(x.bits != 16 || of_15 && (x.alpha == 0 || x.alpha == 0x8000) || (of_16 || of_12) && x.alpha == 0);
    assume(x.bits != 24 || bgr && x.alpha == 0);
    assume(x.bits != 32 || (bgr || rgb) && (x.alpha == 0 || x.alpha == 0xFF000000) || xbgr && x.alpha == 0);
    shown(x, y);
}
