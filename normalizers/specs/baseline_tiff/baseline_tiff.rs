//! Baseline TIFF from the bytes of a file: gray or RGB samples of 8 bits, in strips without compression.
//!
//! Source: TIFF 6.0, sections 2 to 6. The header has either byte order; the directory, the values that do not
//! fit into an entry, and the strips are anywhere. Orientation (of 1), SamplesPerPixel,
//! PlanarConfiguration and private tags may be there or not. Not covered: other fields, and palettes.

// seed: ../../../corpus/baseline_tiff/lib24.tif

use super::file::File;
use super::picture::{Picture, Pixels, shown};

fn directory(x: &File, y: &mut Pixels) {
    // Section 2: the header.
    let order = u16be(x.file, 0);
    assume(order == 0x4949 || order == 0x4D4D);
    let big = order == 0x4D4D;
    let magic = if big { u16be(x.file, 2) } else { u16le(x.file, 2) };
    assume(magic == 42);
    let ifd = if big { u32be(x.file, 4) } else { u32le(x.file, 4) };
    assume(ifd % 2 == 0);
    let entries = if big { u16be(x.file, ifd) } else { u16le(x.file, ifd) };
    assume(entries >= 8 && entries <= 12);

    // ImageWidth
    let width_tag = if big { u16be(x.file, ifd + 2) } else { u16le(x.file, ifd + 2) };
    assume(width_tag == 256);
    let width_type = if big { u16be(x.file, ifd + 4) } else { u16le(x.file, ifd + 4) };
    assume(width_type == 3 || width_type == 4);
    let width_count = if big { u32be(x.file, ifd + 6) } else { u32le(x.file, ifd + 6) };
    assume(width_count == 1);
    let width = if width_type == 3 { if big { u16be(x.file, ifd + 10) } else { u16le(x.file, ifd + 10) } } else { if big { u32be(x.file, ifd + 10) } else { u32le(x.file, ifd + 10) } };
    assume(width >= 1);
    y.width = width;

    // ImageLength
    let height_tag = if big { u16be(x.file, ifd + 14) } else { u16le(x.file, ifd + 14) };
    assume(height_tag == 257);
    let height_type = if big { u16be(x.file, ifd + 16) } else { u16le(x.file, ifd + 16) };
    assume(height_type == 3 || height_type == 4);
    let height_count = if big { u32be(x.file, ifd + 18) } else { u32le(x.file, ifd + 18) };
    assume(height_count == 1);
    let height = if height_type == 3 { if big { u16be(x.file, ifd + 22) } else { u16le(x.file, ifd + 22) } } else { if big { u32be(x.file, ifd + 22) } else { u32le(x.file, ifd + 22) } };
    assume(height >= 1);
    y.height = height;

    // Orientation and SamplesPerPixel may be missing: the entries behind them move up.
    let orientation_tag = if big { u16be(x.file, ifd + 74) } else { u16le(x.file, ifd + 74) };
    assume(orientation_tag == 274 || orientation_tag == 277 || orientation_tag == 278);
    let turned = if orientation_tag == 274 { 12 } else { 0 };
    if orientation_tag == 274 {
        let orientation_type = if big { u16be(x.file, ifd + 76) } else { u16le(x.file, ifd + 76) };
        assume(orientation_type == 3);
        let orientation_count = if big { u32be(x.file, ifd + 78) } else { u32le(x.file, ifd + 78) };
        assume(orientation_count == 1);
        let orientation_value = if big { u16be(x.file, ifd + 82) } else { u16le(x.file, ifd + 82) };
        assume(orientation_value == 1);
    }
    let samples_tag = if big { u16be(x.file, ifd + turned + 74) } else { u16le(x.file, ifd + turned + 74) };
    assume(samples_tag == 277 || samples_tag == 278);
    assume(orientation_tag == 274 || orientation_tag == samples_tag);
    let counted = if samples_tag == 277 { 12 } else { 0 };
    if samples_tag == 277 {
        let samples_type = if big { u16be(x.file, ifd + turned + 76) } else { u16le(x.file, ifd + turned + 76) };
        assume(samples_type == 3);
        let samples_count = if big { u32be(x.file, ifd + turned + 78) } else { u32le(x.file, ifd + turned + 78) };
        assume(samples_count == 1);
    }
    let samples = if samples_tag == 277 { if big { u16be(x.file, ifd + turned + 82) } else { u16le(x.file, ifd + turned + 82) } } else { 1 };
    assume(samples == 1 || samples == 3);

    // BitsPerSample: three values do not fit into the entry.
    let bits_tag = if big { u16be(x.file, ifd + 26) } else { u16le(x.file, ifd + 26) };
    assume(bits_tag == 258);
    let bits_type = if big { u16be(x.file, ifd + 28) } else { u16le(x.file, ifd + 28) };
    assume(bits_type == 3);
    let bits_count = if big { u32be(x.file, ifd + 30) } else { u32le(x.file, ifd + 30) };
    assume(bits_count == samples);
    let bits_place = if samples == 1 { 0 } else if big { u32be(x.file, ifd + 34) } else { u32le(x.file, ifd + 34) };
    assume(bits_place % 2 == 0);
    for s in 0..samples {

        let bits = if samples == 1 { if big { u16be(x.file, ifd + 34) } else { u16le(x.file, ifd + 34) } } else { if big { u16be(x.file, bits_place + 2 * s) } else { u16le(x.file, bits_place + 2 * s) } };
        assume(bits == 8);
    }

    // Compression
    let compression_tag = if big { u16be(x.file, ifd + 38) } else { u16le(x.file, ifd + 38) };
    assume(compression_tag == 259);
    let compression_type = if big { u16be(x.file, ifd + 40) } else { u16le(x.file, ifd + 40) };
    assume(compression_type == 3);
    let compression_count = if big { u32be(x.file, ifd + 42) } else { u32le(x.file, ifd + 42) };
    assume(compression_count == 1);
    let compression = if big { u16be(x.file, ifd + 46) } else { u16le(x.file, ifd + 46) };
    assume(compression == 1);

    // PhotometricInterpretation
    let photometric_tag = if big { u16be(x.file, ifd + 50) } else { u16le(x.file, ifd + 50) };
    assume(photometric_tag == 262);
    let photometric_type = if big { u16be(x.file, ifd + 52) } else { u16le(x.file, ifd + 52) };
    assume(photometric_type == 3);
    let photometric_count = if big { u32be(x.file, ifd + 54) } else { u32le(x.file, ifd + 54) };
    assume(photometric_count == 1);
    let photometric = if big { u16be(x.file, ifd + 58) } else { u16le(x.file, ifd + 58) };
    assume(photometric <= 1 && samples == 1 || photometric == 2 && samples == 3);

    // RowsPerStrip
    let rows_tag = if big { u16be(x.file, ifd + turned + counted + 74) } else { u16le(x.file, ifd + turned + counted + 74) };
    assume(rows_tag == 278);
    let rows_type = if big { u16be(x.file, ifd + turned + counted + 76) } else { u16le(x.file, ifd + turned + counted + 76) };
    assume(rows_type == 3 || rows_type == 4);
    let rows_count = if big { u32be(x.file, ifd + turned + counted + 78) } else { u32le(x.file, ifd + turned + counted + 78) };
    assume(rows_count == 1);
    let rows = if rows_type == 3 { if big { u16be(x.file, ifd + turned + counted + 82) } else { u16le(x.file, ifd + turned + counted + 82) } } else { if big { u32be(x.file, ifd + turned + counted + 82) } else { u32le(x.file, ifd + turned + counted + 82) } };
    assume(rows >= 1);
    let strips = div_ceil(height, rows);

    // StripOffsets: in the entry if all fit into four bytes.
    let offsets_tag = if big { u16be(x.file, ifd + 62) } else { u16le(x.file, ifd + 62) };
    assume(offsets_tag == 273);
    let offsets_type = if big { u16be(x.file, ifd + 64) } else { u16le(x.file, ifd + 64) };
    assume(offsets_type == 3 || offsets_type == 4);
    let offsets_count = if big { u32be(x.file, ifd + 66) } else { u32le(x.file, ifd + 66) };
    assume(offsets_count == strips);
    let offsets = if strips == 1 || offsets_type == 3 && strips == 2 { 0 } else { if big { u32be(x.file, ifd + 70) } else { u32le(x.file, ifd + 70) } };
    assume(offsets % 2 == 0);

    // StripByteCounts
    let sizes_tag = if big { u16be(x.file, ifd + turned + counted + 86) } else { u16le(x.file, ifd + turned + counted + 86) };
    assume(sizes_tag == 279);
    let sizes_type = if big { u16be(x.file, ifd + turned + counted + 88) } else { u16le(x.file, ifd + turned + counted + 88) };
    assume(sizes_type == 3 || sizes_type == 4);
    let sizes_count = if big { u32be(x.file, ifd + turned + counted + 90) } else { u32le(x.file, ifd + turned + counted + 90) };
    assume(sizes_count == strips);
    let sizes = if strips == 1 || sizes_type == 3 && strips == 2 { 0 } else { if big { u32be(x.file, ifd + turned + counted + 94) } else { u32le(x.file, ifd + turned + counted + 94) } };
    assume(sizes % 2 == 0);

    // PlanarConfiguration and private tags.
    let others = entries - 8 - turned / 12 - counted / 12;
    assume(others >= 0);
    for e in 0..others {
        let other_tag = if big { u16be(x.file, ifd + turned + counted + 12 * e + 98) } else { u16le(x.file, ifd + turned + counted + 12 * e + 98) };
        assume(other_tag == 65000 + e || other_tag == 284 && e == 0);
        let other_type = if big { u16be(x.file, ifd + turned + counted + 12 * e + 100) } else { u16le(x.file, ifd + turned + counted + 12 * e + 100) };
        assume(other_type == 3 || other_type == 1 && other_tag >= 65000);
        let other_count = if big { u32be(x.file, ifd + turned + counted + 12 * e + 102) } else { u32le(x.file, ifd + turned + counted + 12 * e + 102) };
        assume(other_count == 1);
        let other = if big { u16be(x.file, ifd + turned + counted + 12 * e + 106) } else { u16le(x.file, ifd + turned + counted + 12 * e + 106) };
        assume(other == 1 || other_tag >= 65000);
    }
    let next = if big { u32be(x.file, ifd + 12 * entries + 2) } else { u32le(x.file, ifd + 12 * entries + 2) };
    assume(next == 0);

    y.bits = 8 * samples;
    y.colors = 0;
    y.red = 0xFF;
    if samples == 1 {
        y.green = 0xFF;
        y.blue = 0xFF;
    } else {
        y.green = 0xFF00;
        y.blue = 0xFF0000;
    }
    y.alpha = 0;
    let row = width * samples;
    for s in 0..strips {
        // loss: conditions on the table of strips are seen when strips have their places: of the smallest pictures, about
        // one draw in a hundred fails
        let place = if offsets_type == 3 && strips <= 2 { if big { u16be(x.file, ifd + 70 + 2 * s) } else { u16le(x.file, ifd + 70 + 2 * s) } } else if strips == 1 { if big { u32be(x.file, ifd + 70) } else { u32le(x.file, ifd + 70) } } else if offsets_type == 3 { if big { u16be(x.file, offsets + 2 * s) } else { u16le(x.file, offsets + 2 * s) } } else { if big { u32be(x.file, offsets + 4 * s) } else { u32le(x.file, offsets + 4 * s) } };
        // loss: conditions on the table of strips are seen when strips have their places: of the smallest pictures, about
        // one draw in a hundred fails
        let size = if sizes_type == 3 && strips <= 2 { if big { u16be(x.file, ifd + turned + counted + 94 + 2 * s) } else { u16le(x.file, ifd + turned + counted + 94 + 2 * s) } } else if strips == 1 { if big { u32be(x.file, ifd + turned + counted + 94) } else { u32le(x.file, ifd + turned + counted + 94) } } else if sizes_type == 3 { if big { u16be(x.file, sizes + 2 * s) } else { u16le(x.file, sizes + 2 * s) } } else { if big { u32be(x.file, sizes + 4 * s) } else { u32le(x.file, sizes + 4 * s) } };
        assume(size == min(rows, height - s * rows) * row);
        for b in 0..min(rows, height - s * rows) * row {
            if photometric == 0 {
                y.plain[s * rows * row + b] = 255 - x.file[place + b];
            } else {
                y.plain[s * rows * row + b] = x.file[place + b];
            }
        }
    }
}

fn colors(x: &Pixels, y: &mut Picture) {
    assume(x.colors == 0 && x.red == 0xFF && x.alpha == 0);
    assume(x.bits == 8 || x.bits == 24);
    assume(x.bits != 8 || x.green == 0xFF && x.blue == 0xFF);
    assume(x.bits != 24 || x.green == 0xFF00 && x.blue == 0xFF0000);
    shown(x, y);
}
