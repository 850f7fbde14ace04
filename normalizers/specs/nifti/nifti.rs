//! NIfTI-1 in a single file: volumes of integers of 8, 16 and 32 bits, from 0 to
//! 32767.
//!
//! Source: nifti1.h (NIfTI Data Format Working Group). Either byte order, any of the types that has room
//! for the values, voxels behind extensions or a gap, and no scaling in both its forms. Geometry is kept as it
//! is stored. Not covered: pairs of files, other types, a scale, intents, and other numbers of dimensions
//! than 3.

use super::file::File;

/// A volume.
struct Volume {
    columns: u16,
    rows: u16,
    slices: u16,
    /// The units of places and times.
    units: u8,
    /// `pixdim`, the codes of both transforms, and the transforms: the bytes of each number from the least
    /// significant one.
    geometry: [u8; 108],
    /// From 0 on: numbers that are negative, or do not fit here, are refused.
    voxels: [i16; columns * rows * slices],
}

const LITTLE: u8 = 0x5c;
/// Types of voxels.
const UINT8: u16 = 2;
const INT16: u16 = 4;
const INT32: u16 = 8;
const UINT16: u16 = 512;
const UINT32: u16 = 768;
/// 1 as a floating-point number.
const ONE: u32 = 0x3f800000;

fn normalize(x: &File, y: &mut Volume) {
    // The size of the header is 348 in the byte order of all numbers.
    let order = u8(x.file, 0);
    assume(order == LITTLE || order == 0);
    if order == LITTLE {
        assume(bytes(x.file, 1) == b"\x01\0\0");
    } else {
        assume(bytes(x.file, 1) == b"\0\x01\x5c");
    }
    assume(bytes(x.file, 344) == b"n+1\0");
    let dimensions = if order == LITTLE { u16le(x.file, 40) } else { u16be(x.file, 40) };
    let columns = if order == LITTLE { u16le(x.file, 42) } else { u16be(x.file, 42) };
    let rows = if order == LITTLE { u16le(x.file, 44) } else { u16be(x.file, 44) };
    let slices = if order == LITTLE { u16le(x.file, 46) } else { u16be(x.file, 46) };
    assume(dimensions == 3);
    assume(columns >= 1 && columns <= 32767);
    assume(rows >= 1 && rows <= 32767);
    assume(slices >= 1 && slices <= 32767);
    y.columns = columns;
    y.rows = rows;
    y.slices = slices;
    // The sizes of dimensions that are not in use.
    let size_4 = if order == LITTLE { u16le(x.file, 48) } else { u16be(x.file, 48) };
    assume(size_4 <= 1);
    let size_5 = if order == LITTLE { u16le(x.file, 50) } else { u16be(x.file, 50) };
    assume(size_5 <= 1);
    let size_6 = if order == LITTLE { u16le(x.file, 52) } else { u16be(x.file, 52) };
    assume(size_6 <= 1);
    let size_7 = if order == LITTLE { u16le(x.file, 54) } else { u16be(x.file, 54) };
    assume(size_7 <= 1);
    // No intent, no slice times, no range of display.
    for i in 0..14 {
        assume(x.file[56 + i] == 0);
    }
    for i in 0..2 {
        assume(x.file[74 + i] == 0);
    }
    for i in 0..3 {
        assume(x.file[120 + i] == 0);
    }
    for i in 0..16 {
        assume(x.file[124 + i] == 0);
    }
    y.units = x.file[123];

    let kind = if order == LITTLE { u16le(x.file, 70) } else { u16be(x.file, 70) };
    let bits = if order == LITTLE { u16le(x.file, 72) } else { u16be(x.file, 72) };
    assume(kind == UINT8 && bits == 8 || (kind == INT16 || kind == UINT16) && bits == 16 || (kind == INT32 || kind == UINT32) && bits == 32);
    // A slope of 0 means that there is no scaling, as a slope of 1 and an intercept of 0 do.
    let slope = if order == LITTLE { u32le(x.file, 112) } else { u32be(x.file, 112) };
    let intercept = if order == LITTLE { u32le(x.file, 116) } else { u32be(x.file, 116) };
    assume(slope == 0 || slope == ONE);
    assume(intercept == 0 || intercept == ONE && slope == 0);

    // The place of voxels is a floating-point number.
    let place = if order == LITTLE { u32le(x.file, 108) } else { u32be(x.file, 108) };
    assume(place == 0x43b00000 || place == 0x43b80000 || place == 0x43c00000 || place == 0x43c80000 || place == 0x43d00000 || place == 0x44000000 || place == 0x44800000 || place == 0x45800000);
    let room = if place == 0x43b00000 { 0 } else if place == 0x43b80000 { 16 } else if place == 0x43c00000 { 32 } else if place == 0x43c80000 { 48 } else if place == 0x43d00000 { 64 } else if place == 0x44000000 { 160 } else if place == 0x44800000 { 672 } else { 3744 };
    let start = 352 + room;
    // One extension may fill the space before it.
    let extended = u8(x.file, 348);
    assume(extended <= 1);
    assume(bytes(x.file, 349) == b"\0\0\0");
    let length = if extended == 1 { if order == LITTLE { u32le(x.file, 352) } else { u32be(x.file, 352) } } else { 0 };
    let code = if extended == 1 { if order == LITTLE { u32le(x.file, 356) } else { u32be(x.file, 356) } } else { 0 };
    assume(extended == 0 || place == 0x43b80000 && length == 16 || place == 0x43c00000 && length == 32 || place == 0x43c80000 && length == 48 || place == 0x43d00000 && length == 64 || place == 0x44000000 && length == 160 || place == 0x44800000 && length == 672 || place == 0x45800000 && length == 3744);
    // A comment, or AFNI's.
    assume(extended == 0 || code == 4 || code == 6);

    if order == LITTLE {
        for i in 0..32 {
            y.geometry[i] = x.file[76 + i];
        }
        for i in 0..76 {
            y.geometry[32 + i] = x.file[252 + i];
        }
    } else {
        for i in 0..8 {
            for b in 0..4 {
                y.geometry[4 * i + b] = x.file[79 + 4 * i - b];
            }
        }
        for i in 0..2 {
            for b in 0..2 {
                y.geometry[32 + 2 * i + b] = x.file[253 + 2 * i - b];
            }
        }
        for i in 0..18 {
            for b in 0..4 {
                y.geometry[36 + 4 * i + b] = x.file[259 + 4 * i - b];
            }
        }
    }
    let count = columns * rows * slices;
    if kind == UINT8 {
        for k in 0..count {
            y.voxels[k] = x.file[start + k];
        }
    } else if kind == INT16 || kind == UINT16 {
        if order == LITTLE {
            for k in 0..count {
                y.voxels[k] = u16le(x.file, start + 2 * k);
            }
        } else {
            for k in 0..count {
                y.voxels[k] = u16be(x.file, start + 2 * k);
            }
        }
    } else {
        if order == LITTLE {
            for k in 0..count {
                y.voxels[k] = u32le(x.file, start + 4 * k);
            }
        } else {
            for k in 0..count {
                y.voxels[k] = u32be(x.file, start + 4 * k);
            }
        }
    }
}
