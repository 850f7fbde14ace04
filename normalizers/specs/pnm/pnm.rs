//! PBM, PGM, PPM and PAM files, plain and raw.
//!
//! Sources: the manual pages pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm. Every sample must equal a level
//! of 8 bits exactly, whatever the greatest sample is. Not covered: several pictures in a file, and PAM
//! without a tuple type or with one of another name.

use super::file::File;
use super::picture::Picture;

/// The numbers of the text as bytes: see the primitive `pnm_text`.
struct Text {
    count: u32,
    #[element("numbers")]
    text: [u8; count],
}

struct Samples {
    width: u32,
    height: u32,
    /// Samples per pixel: gray or three colours, and alpha if there are 2 or 4.
    depth: u8,
    /// The greatest sample.
    maxval: u16,
    count: u32,
    samples: [u8; count],
}

struct Levels {
    width: u32,
    height: u32,
    depth: u8,
    levels: [u8; width * height * depth],
}

fn text(x: &File, y: &mut Text) {
    y.text = pnm_text(x.file);
}

fn header(x: &Text, y: &mut Samples) {
    let kind = u8(x.text, 0);
    let width = u32be(x.text, 1);
    let height = u32be(x.text, 5);
    let depth = u8(x.text, 9);
    let tuple = u8(x.text, 10);
    let maxval = u16be(x.text, 11);
    y.width = width;
    y.height = height;
    y.depth = depth;
    y.maxval = maxval;
    assume(width >= 1);
    assume(height >= 1);
    assume(maxval >= 1);
    let bitmap = kind == 1 || kind == 4;
    assume(bitmap || kind == 2 || kind == 3 || kind == 5 || kind == 6 || kind == 7);
    assume(!bitmap || maxval == 1 && depth == 1);
    assume(kind != 2 && kind != 5 || depth == 1);
    assume(kind != 3 && kind != 6 || depth == 3);
    // PAM's tuple types: black and white, gray, colours; then the same three with alpha.
    assume(kind == 7 || tuple == 0);
    assume(kind != 7 || tuple >= 1 && tuple <= 6);
    assume(tuple != 1 || depth == 1 && maxval == 1);
    assume(tuple != 2 || depth == 1);
    assume(tuple != 3 || depth == 3);
    assume(tuple != 4 || depth == 2 && maxval == 1);
    assume(tuple != 5 || depth == 2);
    assume(tuple != 6 || depth == 4);
    let size = if maxval < 256 { 1 } else { 2 };
    let bytes = width * height * depth * size;
    assume(x.count == 13 + bytes);
    y.count = bytes;
    for i in 0..bytes {
        // In a bitmap, 1 is black.
        if bitmap {
            y.samples[i] = 1 - x.text[13 + i];
        } else {
            y.samples[i] = x.text[13 + i];
        }
    }
}

fn scale(x: &Samples, y: &mut Levels) {
    // With any other greatest sample, only black and white equal levels of 8 bits exactly.
    let divides = x.maxval == 1 || x.maxval == 3 || x.maxval == 5 || x.maxval == 15 || x.maxval == 17 || x.maxval == 51 || x.maxval == 85;
    assume(divides || x.maxval >= 255 && x.maxval % 255 == 0);
    y.width = x.width;
    y.height = x.height;
    y.depth = x.depth;
    y.levels = levels(x.samples, x.maxval);
}

fn channels(x: &Levels, y: &mut Picture) {
    y.width = x.width;
    y.height = x.height;
    assume(x.width >= 1);
    assume(x.height >= 1);
    assume(x.depth >= 1 && x.depth <= 4);
    for p in 0..x.width * x.height {
        if x.depth == 1 {
            y.rgba[4 * p] = x.levels[p];
            y.rgba[4 * p + 1] = x.levels[p];
            y.rgba[4 * p + 2] = x.levels[p];
            y.rgba[4 * p + 3] = 255;
        } else if x.depth == 2 {
            y.rgba[4 * p] = x.levels[2 * p];
            y.rgba[4 * p + 1] = x.levels[2 * p];
            y.rgba[4 * p + 2] = x.levels[2 * p];
            y.rgba[4 * p + 3] = x.levels[2 * p + 1];
        } else if x.depth == 3 {
            y.rgba[4 * p] = x.levels[3 * p];
            y.rgba[4 * p + 1] = x.levels[3 * p + 1];
            y.rgba[4 * p + 2] = x.levels[3 * p + 2];
            y.rgba[4 * p + 3] = 255;
        } else {
            for k in 0..4 {
                y.rgba[4 * p + k] = x.levels[4 * p + k];
            }
        }
    }
}
