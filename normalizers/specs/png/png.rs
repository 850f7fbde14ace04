//! PNG files of all colour types and bit depths, interlaced or not.
//!
//! Source: PNG (third edition). Samples of 16 bits, and of less than 8, must equal levels of 8 bits exactly.
//! Not covered: a transparent colour (`tRNS` without a palette), alpha for part of the palette, a palette
//! beside true colours, interlacing of pixels that share bytes, and chunks that describe colour spaces,
//! which are ignored.

use super::file::{Chunks, File};
use super::picture::Picture;

/// The contents of the chunks (see the primitive `png_chunks`); image data is a zlib stream.
struct Coded {
    width: u32,
    height: u32,
    /// The colour type.
    kind: u8,
    /// Bits of a pixel, with samples of 16 bits counted as 8.
    bits: u8,
    /// 1 if samples have 16 bits.
    deep: u8,
    /// 1 if the picture is stored in seven passes.
    interlaced: u8,
    /// The number of palette entries, 0 without a palette, and the bytes of each.
    colors: u16,
    entry: u8,
    palette: [u8; entry * colors],
    count: u32,
    #[element("zlib")]
    stream: [u8; count],
}

/// Rows, each behind the byte that names its filter.
struct Filtered {
    width: u32,
    height: u32,
    kind: u8,
    bits: u8,
    deep: u8,
    interlaced: u8,
    colors: u16,
    entry: u8,
    palette: [u8; entry * colors],
    count: u32,
    #[element("rows")]
    filtered: [u8; count],
}

/// Unfiltered rows, of the picture or of its passes.
struct Passes {
    width: u32,
    height: u32,
    kind: u8,
    bits: u8,
    deep: u8,
    interlaced: u8,
    colors: u16,
    entry: u8,
    palette: [u8; entry * colors],
    count: u32,
    passes: [u8; count],
}

struct Rows {
    width: u32,
    height: u32,
    kind: u8,
    bits: u8,
    deep: u8,
    colors: u16,
    entry: u8,
    palette: [u8; entry * colors],
    rows: [u8; height * div_ceil(width * bits, 8) * (1 + deep)],
}

/// The palette, then rows of samples of at most 8 bits.
struct Plain {
    width: u32,
    height: u32,
    kind: u8,
    bits: u8,
    colors: u16,
    entry: u8,
    #[element("pixels")]
    plain: [u8; entry * colors + height * div_ceil(width * bits, 8)],
}

const GRAY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GRAY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

fn chunks(x: &File, y: &mut Chunks) {
    y.data = png_chunks(x.file);
}

fn header(x: &Chunks, y: &mut Coded) {
    let width = u32be(x.data, 0);
    let height = u32be(x.data, 4);
    let depth = u8(x.data, 8);
    let kind = u8(x.data, 9);
    assume(u8(x.data, 10) == 0);
    assume(u8(x.data, 11) == 0);
    let interlaced = u8(x.data, 12);
    let entries = u16be(x.data, 13);
    let alphas = u16be(x.data, 15);
    y.width = width;
    y.height = height;
    y.kind = kind;
    y.interlaced = interlaced;
    y.colors = entries;
    assume(width >= 1);
    assume(height >= 1);
    assume(interlaced <= 1);
    assume(kind == GRAY || kind == RGB || kind == PALETTE || kind == GRAY_ALPHA || kind == RGBA);
    assume(depth == 8 || depth == 16 || kind == GRAY || kind == PALETTE);
    assume(depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16);
    assume(kind != PALETTE || depth <= 8 && entries >= 1 && entries <= 256);
    assume(kind == PALETTE || entries == 0);
    assume(alphas == 0 || kind == PALETTE && alphas == entries);
    assume(interlaced == 0 || depth >= 8);
    let deep = if depth == 16 { 1 } else { 0 };
    let sample = if depth == 16 { 8 } else { depth };
    let samples = if kind == RGB { 3 } else if kind == GRAY_ALPHA { 2 } else if kind == RGBA { 4 } else { 1 };
    let entry = if alphas == 0 { 3 } else { 4 };
    y.deep = deep;
    y.bits = sample * samples;
    y.entry = entry;
    for i in 0..entries {
        for k in 0..3 {
            y.palette[entry * i + k] = x.data[17 + 3 * i + k];
        }
    }
    for i in 0..alphas {
        y.palette[4 * i + 3] = x.data[17 + 3 * entries + i];
    }
    let start = 17 + 3 * entries + alphas;
    assume(x.count >= start);
    y.count = x.count - start;
    for i in 0..x.count - start {
        y.stream[i] = x.data[start + i];
    }
}

fn inflate(x: &Coded, y: &mut Filtered) {
    y.width = x.width;
    y.height = x.height;
    y.kind = x.kind;
    y.bits = x.bits;
    y.deep = x.deep;
    y.interlaced = x.interlaced;
    y.colors = x.colors;
    y.entry = x.entry;
    for i in 0..x.entry * x.colors {
        y.palette[i] = x.palette[i];
    }
    y.filtered = deflate(x.stream);
}

fn filters(x: &Filtered, y: &mut Passes) {
    y.width = x.width;
    y.height = x.height;
    y.kind = x.kind;
    y.bits = x.bits;
    y.deep = x.deep;
    y.interlaced = x.interlaced;
    y.colors = x.colors;
    y.entry = x.entry;
    for i in 0..x.entry * x.colors {
        y.palette[i] = x.palette[i];
    }
    y.passes = png_filters(x.filtered, x.width, x.height, x.bits * (1 + x.deep), x.interlaced);
}

fn passes(x: &Passes, y: &mut Rows) {
    y.width = x.width;
    y.height = x.height;
    y.kind = x.kind;
    y.bits = x.bits;
    y.deep = x.deep;
    y.colors = x.colors;
    y.entry = x.entry;
    for i in 0..x.entry * x.colors {
        y.palette[i] = x.palette[i];
    }
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.deep <= 1);
    assume(x.interlaced <= 1);
    assume(x.interlaced == 0 || x.bits >= 8 && x.bits % 8 == 0);
    let row = div_ceil(x.width * x.bits, 8) * (1 + x.deep);
    assume(x.count == x.height * row);
    if x.interlaced == 0 {
        for i in 0..x.height * row {
            y.rows[i] = x.passes[i];
        }
    } else {
        // Each pass is a picture of its own: the first has every eighth pixel of every eighth row.
        let size = x.bits / 8 * (1 + x.deep);
        let w1 = div_ceil(x.width, 8);
        let w2 = (x.width + 3) / 8;
        let w3 = div_ceil(x.width, 4);
        let w4 = (x.width + 1) / 4;
        let w5 = div_ceil(x.width, 2);
        let w6 = x.width / 2;
        let h1 = div_ceil(x.height, 8);
        let h3 = (x.height + 3) / 8;
        let h4 = div_ceil(x.height, 4);
        let h5 = (x.height + 1) / 4;
        let h6 = div_ceil(x.height, 2);
        let h7 = x.height / 2;
        let p2 = h1 * w1;
        let p3 = p2 + h1 * w2;
        let p4 = p3 + h3 * w3;
        let p5 = p4 + h4 * w4;
        let p6 = p5 + h5 * w5;
        let p7 = p6 + h6 * w6;
        for k in 0..size {
            for r in 0..h1 {
                for c in 0..w1 {
                    y.rows[8 * r * row + 8 * c * size + k] = x.passes[(r * w1 + c) * size + k];
                }
                for c in 0..w2 {
                    y.rows[8 * r * row + (8 * c + 4) * size + k] = x.passes[(p2 + r * w2 + c) * size + k];
                }
            }
            for r in 0..h3 {
                for c in 0..w3 {
                    y.rows[(8 * r + 4) * row + 4 * c * size + k] = x.passes[(p3 + r * w3 + c) * size + k];
                }
            }
            for r in 0..h4 {
                for c in 0..w4 {
                    y.rows[4 * r * row + (4 * c + 2) * size + k] = x.passes[(p4 + r * w4 + c) * size + k];
                }
            }
            for r in 0..h5 {
                for c in 0..w5 {
                    y.rows[(4 * r + 2) * row + 2 * c * size + k] = x.passes[(p5 + r * w5 + c) * size + k];
                }
            }
            for r in 0..h6 {
                for c in 0..w6 {
                    y.rows[2 * r * row + (2 * c + 1) * size + k] = x.passes[(p6 + r * w6 + c) * size + k];
                }
            }
            for r in 0..h7 {
                for c in 0..x.width {
                    y.rows[(2 * r + 1) * row + c * size + k] = x.passes[(p7 + r * x.width + c) * size + k];
                }
            }
        }
    }
}

fn depth(x: &Rows, y: &mut Plain) {
    y.width = x.width;
    y.height = x.height;
    y.kind = x.kind;
    y.bits = x.bits;
    y.colors = x.colors;
    y.entry = x.entry;
    assume(x.deep <= 1);
    assume(x.deep == 0 || x.bits >= 8 && x.colors == 0);
    for i in 0..x.entry * x.colors {
        y.plain[i] = x.palette[i];
    }
    for i in 0..x.height * div_ceil(x.width * x.bits, 8) {
        if x.deep == 0 {
            y.plain[x.entry * x.colors + i] = x.rows[i];
        } else {
            // A sample of 16 bits equals a level of 8 bits if both of its bytes are equal.
            y.plain[x.entry * x.colors + i] = x.rows[2 * i];
            assume(x.rows[2 * i + 1] == x.rows[2 * i]);
        }
    }
}

fn colors(x: &Plain, y: &mut Picture) {
    y.width = x.width;
    y.height = x.height;
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.kind == GRAY || x.kind == RGB || x.kind == PALETTE || x.kind == GRAY_ALPHA || x.kind == RGBA);
    assume(x.bits == 1 || x.bits == 2 || x.bits == 4 || x.bits == 8 || x.bits == 16 || x.bits == 24 || x.bits == 32);
    assume(x.kind != GRAY && x.kind != PALETTE || x.bits <= 8);
    assume(x.kind != RGB || x.bits == 24);
    assume(x.kind != GRAY_ALPHA || x.bits == 16);
    assume(x.kind != RGBA || x.bits == 32);
    assume(x.kind == PALETTE || x.colors == 0 && x.entry == 3);
    assume(x.kind != PALETTE || x.colors >= 1 && x.entry >= 3 && x.entry <= 4);
    assume(x.bits != 1 || x.colors <= 2);
    assume(x.bits != 2 || x.colors <= 4);
    assume(x.bits != 4 || x.colors <= 16);
    assume(x.colors <= 256);
    let red = if x.bits <= 8 { 0 } else { 0xFF };
    let green = if x.bits <= 8 { 0 } else if x.bits == 16 { 0xFF } else { 0xFF00 };
    let blue = if x.bits <= 8 { 0 } else if x.bits == 16 { 0xFF } else { 0xFF0000 };
    let alpha = if x.entry == 4 { 1 } else if x.bits == 16 { 0xFF00 } else if x.bits == 32 { 0xFF000000 } else { 0 };
    // loss: a picture packed to another length has no file, and other fields are drawn
    y.rgba = pixels(x.plain, x.bits, x.width, x.colors, red, green, blue, alpha);
}
