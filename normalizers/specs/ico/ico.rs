//! ICO files of one image of 1, 4, 8, 24 and 32 bits per pixel.
//!
//! Sources: "Icons" and the structures ICONDIR, ICONDIRENTRY and BITMAPINFOHEADER in the documentation
//! of Windows. The mask makes pixels transparent, or leaves them opaque. With 32 bits, alpha has the same
//! meaning, and has to agree with the mask. Not covered: several images, PNG inside, levels of alpha between
//! the two, compressed pixels, and palettes that are shorter than their bits allow.

use super::file::File;
use super::picture::Picture;

/// The palette and the colours from the top without padding, and the mask alike.
struct Layers {
    width: u32,
    height: u32,
    bits: u16,
    /// The number of palette entries: 0 above 8 bits per pixel.
    colors: u16,
    #[element("pixels")]
    plain: [u8; 3 * colors + height * div_ceil(width * bits, 8)],
    #[element("mask")]
    mask: [u8; height * div_ceil(width, 8)],
}

/// Colours of pixels, and a byte of 1 for those that are transparent.
struct Shown {
    width: u32,
    height: u32,
    /// 1 if the colours have alpha.
    alpha: u8,
    rgba: [u8; 4 * width * height],
    clear: [u8; width * height],
}

fn file(x: &File, y: &mut Layers) {
    // ICONDIR: an icon with one image.
    assume(u16le(x.file, 0) == 0);
    assume(u16le(x.file, 2) == 1);
    assume(u16le(x.file, 4) == 1);
    // ICONDIRENTRY. A size of 0 is 256. Planes and bits may be 0: then the bitmap's own count.
    let wide = u8(x.file, 6);
    let high = u8(x.file, 7);
    let listed = u8(x.file, 8);
    assume(u8(x.file, 9) == 0);
    let planes = u16le(x.file, 10);
    let depth = u16le(x.file, 12);
    let bytes = u32le(x.file, 14);
    let offset = u32le(x.file, 18);
    let width = if wide == 0 { 256 } else { wide };
    let height = if high == 0 { 256 } else { high };

    // BITMAPINFOHEADER, whose height counts the rows of both layers.
    assume(u32le(x.file, offset) == 40);
    assume(u32le(x.file, offset + 4) == width);
    assume(u32le(x.file, offset + 8) == 2 * height);
    assume(u16le(x.file, offset + 12) == 1);
    let bits = u16le(x.file, offset + 14);
    assume(u32le(x.file, offset + 16) == 0);
    let size = u32le(x.file, offset + 20);
    let _x_resolution = u32le(x.file, offset + 24);
    let _y_resolution = u32le(x.file, offset + 28);
    let used = u32le(x.file, offset + 32);
    let important = u32le(x.file, offset + 36);
    assume(bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32);
    let colors = if bits == 1 { 2 } else if bits == 4 { 16 } else if bits == 8 { 256 } else { 0 };
    assume(used == 0 || used == colors);
    assume(important <= colors);
    assume(listed == 0 || listed == colors && colors <= 16);
    assume(planes == 1 && depth == bits || planes == 0 && (depth == 0 || depth == bits));
    y.width = width;
    y.height = height;
    y.bits = bits;
    y.colors = colors;

    // A palette entry is blue, green, red and an unused byte. Rows start at the bottom.
    let row = div_ceil(width * bits, 8);
    let stride = div_ceil(width * bits, 32) * 4;
    let mask_row = div_ceil(width, 8);
    let mask_stride = div_ceil(width, 32) * 4;
    assume(bytes == 40 + 4 * colors + height * (stride + mask_stride));
    // The size may leave the mask out.
    assume(size == 0 || size == height * stride || size == height * (stride + mask_stride));
    for i in 0..colors {
        for k in 0..3 {
            y.plain[3 * i + k] = x.file[offset + 40 + 4 * i + 2 - k];
        }
        assume(x.file[offset + 43 + 4 * i] == 0);
    }
    let rows = offset + 40 + 4 * colors;
    for r in 0..height {
        for b in 0..row {
            y.plain[3 * colors + (height - 1 - r) * row + b] = x.file[rows + r * stride + b];
        }
        for b in 0..mask_row {
            y.mask[(height - 1 - r) * mask_row + b] = x.file[rows + height * stride + r * mask_stride + b];
        }
    }
    // The padding of the last row is part of the file.
    let end = rows + height * (stride + mask_stride);
    reserve(x.file[end - mask_stride + mask_row..end]);
}

fn colors(x: &Layers, y: &mut Shown) {
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.bits == 1 && x.colors == 2 || x.bits == 4 && x.colors == 16 || x.bits == 8 && x.colors == 256 || (x.bits == 24 || x.bits == 32) && x.colors == 0);
    y.width = x.width;
    y.height = x.height;
    let deep = if x.bits == 32 { 1 } else { 0 };
    y.alpha = deep;
    let red = if x.bits > 8 { 0xFF0000 } else { 0 };
    let green = if x.bits > 8 { 0xFF00 } else { 0 };
    let blue = if x.bits > 8 { 0xFF } else { 0 };
    let alpha = if x.bits == 32 { 0xFF000000 } else { 0 };
    // loss: a picture packed to another length has no file, and other fields are drawn
    y.rgba = pixels(x.plain, x.bits, x.width, x.colors, red, green, blue, alpha);
    // loss: a mask of another length has no file, and other fields are drawn
    y.clear = packed_bits(x.mask, 1, x.width);
}

fn layers(x: &Shown, y: &mut Picture) {
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.alpha <= 1);
    y.width = x.width;
    y.height = x.height;
    for k in 0..x.width * x.height {
        for c in 0..3 {
            y.rgba[4 * k + c] = x.rgba[4 * k + c];
        }
        y.rgba[4 * k + 3] = 255 - 255 * x.clear[k];
        if x.alpha == 1 {
            assume(x.rgba[4 * k + 3] == 255 - 255 * x.clear[k]);
        } else {
            assume(x.rgba[4 * k + 3] == 255);
        }
    }
}
