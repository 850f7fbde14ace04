//! Converts the decoded segments of a file to its picture in display orientation.

use inverter::run::{Bytes, Record, normalize_with as run};
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, SAMPLES, SEGMENTS};

use super::placement::DisjointFile;
use super::records::{bytes, convert, max_tile_side, number, record, scalar, short_cells, shorts};
use crate::coding;
use crate::container::ByteOrder;
use crate::error::TiffError;
use crate::image::{ImageFile, Layout, sample_bytes};
use crate::palette;

/// Splits a file into its bytes and the decoded bytes of its segments, one after another.
///
/// # Errors
///
/// As [`coding::decode`].
pub fn decode(image: &ImageFile, file: DisjointFile) -> Result<(Bytes, Bytes), TiffError> {
    if let Some(lengths) = coding::plain(image) {
        return Ok(file.into_parts(lengths));
    }
    let data = coding::decode(image, |k| file.segment(k))?;
    Ok((file.into_parts([]).0, data.into()))
}

/// Returns the canonical value of `image`, whose samples are `sampled`: the output record of the
/// orientation stage.
///
/// # Errors
///
/// Returns an error if a stage refuses the samples, because pixels of 16 bits, not premultiplied, cannot represent them
/// exactly.
pub fn normalize(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    run(ORIENTATION.inverse(), &orientation_input(image, sampled)?).map_err(refused)
}

/// Returns the input record of the orientation stage.
///
/// # Errors
///
/// As [`normalize`].
pub(super) fn orientation_input(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    let pixels = stored_pixels(image, sampled)?;
    let orientation = |name: &str| match name {
        "orientation" => number(image.orientation),
        _ => None,
    };
    let from = &PHOTOMETRIC.inverse().program().output;
    convert(pixels, from, &ORIENTATION.inverse().program().input, orientation).map_err(refused)
}

/// Returns the error of a file that a stage refuses.
pub(super) fn refused(why: impl ToString) -> TiffError {
    TiffError::Refused(why.to_string())
}

/// Returns the bytes of samples whose segments are `x`: the output record of the segments stage.
///
/// # Errors
///
/// Returns an error if the stage refuses the segments.
pub fn samples(x: &Record) -> Result<Record, TiffError> {
    run(SEGMENTS.inverse(), x).map_err(refused)
}

/// Returns the input record of the segments stage for `image`, whose decoded segments are `data`.
///
/// # Errors
///
/// Returns an error if these are not segments.
pub fn segments_input(image: &ImageFile, mut data: Bytes) -> Result<Record, TiffError> {
    let program = SEGMENTS.inverse().program();
    let (tiled, rows, width, length) = match image.layout {
        Layout::Strips { rows_per_strip } => (0, rows_per_strip, 0, 0),
        Layout::Tiles { width, length } => (1, 0, width, length),
    };
    data.settle();
    let mut data = Some(data);
    let x = record(&program.input, |name| match name {
        "width" => number(image.width),
        "height" => number(image.height),
        "samples_per_pixel" => number(image.samples_per_pixel),
        "sample_bytes" => number(sample_bytes(image.bits)),
        "planar" => number(image.planar),
        "tiled" => number(tiled),
        "rows_per_strip" => number(rows),
        "tile_width" => number(width),
        "tile_length" => number(length),
        "most_width" => number(max_tile_side(image.width.into()).max(width.into())),
        "most_length" => number(max_tile_side(image.height.into()).max(length.into())),
        "bytes" => number(data.as_ref().map_or(0, Bytes::len) as u64),
        "data" => data.take().and_then(|data| bytes(vec![data.len()], data)),
        _ => None,
    });
    x.map_err(refused)
}

/// Converts samples to the levels or palette indices of the stored picture.
fn levels(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    let from = &SEGMENTS.inverse().program().output;
    let inverse = SAMPLES.inverse();
    let program = inverse.program();
    // Extra samples other than an alpha are skipped.
    let colors = if image.photometric == 2 { 3 } else { 1 };
    let alpha = u16::from(image.extra_samples.first().is_some_and(|extra| *extra > 0));
    let more = |name: &str| match name {
        "bits" => number(image.bits),
        "little_endian" => number(i128::from(image.order == ByteOrder::Little)),
        "indexed" => number(i128::from(image.is_palette())),
        "samples" => number(colors + alpha),
        _ => None,
    };
    let x = convert(sampled, from, &program.input, more).map_err(refused)?;
    run(inverse, &x).map_err(|e| match image.bits {
        32 => TiffError::Unsupported {
            what: "a picture of 32 bits a sample that 16 bits cannot represent exactly".to_owned(),
            hint: None,
        },
        _ => refused(e),
    })
}

/// Converts samples to stored pixels.
fn stored_pixels(image: &ImageFile, sampled: Record) -> Result<Record, TiffError> {
    let levels = levels(image, sampled)?;
    let from = &SAMPLES.inverse().program().output;
    let inverse = PHOTOMETRIC.inverse();
    let program = inverse.program();
    if image.is_palette() {
        let rgba = palette::look_up(short_cells(&levels, from, "levels"), &image.color_map);
        let mut rgba = Some(rgba.map_err(refused)?);
        let lengths = vec![image.height as usize, image.width as usize, 4];
        let pixels = record(&program.output, |name| match name {
            "rgba" => rgba.take().and_then(|rgba| shorts(lengths.clone(), rgba)),
            name => number(scalar(&levels, from, name)),
        });
        return pixels.map_err(refused);
    }
    let alpha = image.extra_samples.first().copied().unwrap_or(0);
    let more = |name: &str| match name {
        "photometric" => number(image.photometric),
        "alpha" => number(alpha),
        _ => None,
    };
    let x = convert(levels, from, &program.input, more).map_err(refused)?;
    run(inverse, &x).map_err(|e| match alpha {
        1 => TiffError::Unsupported {
            what: "associated alpha (ExtraSamples (338) = 1) that is not opaque everywhere"
                .to_owned(),
            hint: Some("premultiplied colors cannot be undone exactly"),
        },
        _ => refused(e),
    })
}
