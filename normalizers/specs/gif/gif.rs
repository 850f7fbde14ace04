//! GIF files of one opaque image that fills the screen.
//!
//! Source: Graphics Interchange Format, version 89a (CompuServe). The palette is a global or a local
//! color table of 2 to 256 entries. Not covered: transparency, several images, and aspect ratios.

use super::file::{Chunks, File};
use super::picture::Picture;

/// The contents of the blocks (see the primitive `gif_blocks`).
struct Coded {
    width: u16,
    height: u16,
    /// 1 if the rows are stored in four passes.
    interlaced: u8,
    colors: u16,
    /// The bits of an index as the first codes have it.
    code_size: u8,
    palette: [u8; 3 * colors],
    count: u32,
    #[element("codes")]
    stream: [u8; count],
}

/// The palette, then an index for each pixel, in the stored order of rows.
struct Passes {
    width: u16,
    height: u16,
    interlaced: u8,
    colors: u16,
    palette: [u8; 3 * colors],
    passes: [u8; width * height],
}

/// The palette, then the rows from the top.
struct Indices {
    width: u16,
    height: u16,
    colors: u16,
    #[element("pixels")]
    plain: [u8; 3 * colors + width * height],
}

fn blocks(x: &File, y: &mut Chunks) {
    y.data = gif_blocks(x.file);
}

fn header(x: &Chunks, y: &mut Coded) {
    let width = u16le(x.data, 0);
    let height = u16le(x.data, 2);
    let interlaced = u8(x.data, 4);
    let bits = u8(x.data, 5);
    let code_size = u8(x.data, 6);
    y.width = width;
    y.height = height;
    y.interlaced = interlaced;
    y.code_size = code_size;
    assume(width >= 1);
    assume(height >= 1);
    assume(interlaced <= 1);
    assume(bits >= 1 && bits <= 8);
    assume(code_size >= 2 && code_size >= bits && code_size <= 8);
    let colors = if bits == 1 { 2 } else if bits == 2 { 4 } else if bits == 3 { 8 } else if bits == 4 { 16 } else if bits == 5 { 32 } else if bits == 6 { 64 } else if bits == 7 { 128 } else { 256 };
    y.colors = colors;
    for i in 0..3 * colors {
        y.palette[i] = x.data[7 + i];
    }
    let start = 7 + 3 * colors;
    assume(x.count >= start);
    y.count = x.count - start;
    for i in 0..x.count - start {
        y.stream[i] = x.data[start + i];
    }
}

fn codes(x: &Coded, y: &mut Passes) {
    y.width = x.width;
    y.height = x.height;
    y.interlaced = x.interlaced;
    y.colors = x.colors;
    assume(x.code_size >= 2 && x.code_size <= 8);
    // Every index of the palette has a code, whether or not a pixel uses it.
    assume(x.code_size >= 3 || x.colors <= 4);
    assume(x.code_size >= 4 || x.colors <= 8);
    assume(x.code_size >= 5 || x.colors <= 16);
    assume(x.code_size >= 6 || x.colors <= 32);
    assume(x.code_size >= 7 || x.colors <= 64);
    assume(x.code_size >= 8 || x.colors <= 128);
    for i in 0..3 * x.colors {
        y.palette[i] = x.palette[i];
    }
    y.passes = gif_lzw(x.stream, x.code_size);
}

fn passes(x: &Passes, y: &mut Indices) {
    y.width = x.width;
    y.height = x.height;
    y.colors = x.colors;
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.interlaced <= 1);
    for i in 0..3 * x.colors {
        y.plain[i] = x.palette[i];
    }
    let start = 3 * x.colors;
    if x.interlaced == 0 {
        for i in 0..x.width * x.height {
            y.plain[start + i] = x.passes[i];
        }
    } else {
        // Every eighth row, those halfway between them, every fourth in between, then the others.
        let first = div_ceil(x.height, 8);
        let second = (x.height + 3) / 8;
        let third = (x.height + 1) / 4;
        let fourth = x.height / 2;
        for j in 0..x.width {
            for r in 0..first {
                y.plain[start + 8 * r * x.width + j] = x.passes[r * x.width + j];
            }
            for r in 0..second {
                y.plain[start + (8 * r + 4) * x.width + j] = x.passes[(first + r) * x.width + j];
            }
            for r in 0..third {
                y.plain[start + (4 * r + 2) * x.width + j] = x.passes[(first + second + r) * x.width + j];
            }
            for r in 0..fourth {
                y.plain[start + (2 * r + 1) * x.width + j] = x.passes[(first + second + third + r) * x.width + j];
            }
        }
    }
}

fn colors(x: &Indices, y: &mut Picture) {
    y.width = x.width;
    y.height = x.height;
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.colors == 2 || x.colors == 4 || x.colors == 8 || x.colors == 16 || x.colors == 32 || x.colors == 64 || x.colors == 128 || x.colors == 256);
    // loss: a picture packed to another length has no file, and other fields are drawn
    y.rgba = pixels(x.plain, 8, x.width, x.colors, 0, 0, 0, 0);
}
