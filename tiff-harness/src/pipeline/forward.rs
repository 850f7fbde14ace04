//! Decoded segments to samples, and samples to the picture as it is to be seen.

use inverter::run::{Value, normalize_with as run};
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, SAMPLES, SEGMENTS};

use super::backward::most;
use super::placement::Apart;
use super::records::{bytes, forward, number, record, scalar, short_cells, shorts};
use crate::coding::{self, sample_bytes};
use crate::container::ByteOrder;
use crate::error::TiffError;
use crate::image::{ImageFile, Layout};
use crate::palette;

/// The file, and the decoded bytes of its segments, one after the other.
///
/// # Errors
///
/// As [`coding::decode`].
pub fn decoded(image: &ImageFile, apart: Apart) -> Result<(Vec<u8>, Vec<u8>), TiffError> {
    if let Some(lengths) = coding::plain(image) {
        return Ok(apart.into_parts(lengths));
    }
    let data = coding::decode(image, |k| apart.segment(k))?;
    Ok((apart.into_parts([]).0, data))
}

/// The canonical value of `image`, whose samples are `sampled`: of the output record of the
/// orientation stage.
///
/// # Errors
///
/// If a stage refuses: the samples cannot be told exactly by 16 bits, or by pixels that are
/// not premultiplied.
pub fn normalize(image: &ImageFile, sampled: Value) -> Result<Value, TiffError> {
    run(ORIENTATION.inverse(), &turned(image, sampled)?).map_err(refused)
}

/// What the orientation stage takes.
///
/// # Errors
///
/// As [`normalize`].
pub(super) fn turned(image: &ImageFile, sampled: Value) -> Result<Value, TiffError> {
    let stored = stored(image, sampled)?;
    let orientation = |name: &str| match name {
        "orientation" => number(image.orientation),
        _ => None,
    };
    let from = &PHOTOMETRIC.inverse().program.output;
    forward(stored, from, &ORIENTATION.inverse().program.input, orientation).map_err(refused)
}

pub(super) fn refused(why: impl ToString) -> TiffError {
    TiffError::Refused(why.to_string())
}

/// The bytes of the samples of `image`, of which `x` are the segments: of the output record of
/// the segments stage.
///
/// # Errors
///
/// If the stage refuses.
pub fn sampled(x: &Value) -> Result<Value, TiffError> {
    run(SEGMENTS.inverse(), x).map_err(refused)
}

/// The segments of `image`, whose decoded bytes are `data`: of the input record of the segments
/// stage.
///
/// # Errors
///
/// If they are none.
pub fn segmented(image: &ImageFile, data: Vec<u8>) -> Result<Value, TiffError> {
    let program = &SEGMENTS.inverse().program;
    let (tiled, rows, width, length) = match image.layout {
        Layout::Strips { rows_per_strip } => (0, rows_per_strip, 0, 0),
        Layout::Tiles { width, length } => (1, 0, width, length),
    };
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
        "most_width" => number(most(image.width.into()).max(width.into())),
        "most_length" => number(most(image.height.into()).max(length.into())),
        "bytes" => number(data.as_ref().map_or(0, Vec::len) as u64),
        "data" => data.take().and_then(|data| bytes(vec![data.len()], data)),
        _ => None,
    });
    x.map_err(refused)
}

/// Samples to the levels or indices of the stored picture.
fn levels(image: &ImageFile, sampled: Value) -> Result<Value, TiffError> {
    let from = &SEGMENTS.inverse().program.output;
    let inverse = SAMPLES.inverse();
    let program = &inverse.program;
    // Of the extra samples, an alpha counts.
    let colors = if image.photometric == 2 { 3 } else { 1 };
    let alpha = u16::from(image.extra_samples.first().is_some_and(|extra| *extra > 0));
    let more = |name: &str| match name {
        "bits" => number(image.bits),
        "little_endian" => number(i128::from(image.order == ByteOrder::Little)),
        "indexed" => number(i128::from(image.is_palette())),
        "samples" => number(colors + alpha),
        _ => None,
    };
    let x = forward(sampled, from, &program.input, more).map_err(refused)?;
    run(inverse, &x).map_err(|e| match image.bits {
        32 => TiffError::Unsupported {
            what: "a picture of 32 bits a sample that 16 bits cannot tell exactly".to_owned(),
            hint: None,
        },
        _ => refused(e),
    })
}

/// Samples to stored pixels.
fn stored(image: &ImageFile, sampled: Value) -> Result<Value, TiffError> {
    let levels = levels(image, sampled)?;
    let from = &SAMPLES.inverse().program.output;
    let inverse = PHOTOMETRIC.inverse();
    let program = &inverse.program;
    if image.is_palette() {
        let rgba = palette::look_up(short_cells(&levels, from, "levels"), &image.color_map);
        let mut rgba = Some(rgba.map_err(refused)?);
        let lengths = vec![image.height as usize, image.width as usize, 4];
        let stored = record(&program.output, |name| match name {
            "rgba" => rgba.take().and_then(|rgba| shorts(lengths.clone(), rgba)),
            name => number(scalar(&levels, from, name)),
        });
        return stored.map_err(refused);
    }
    let alpha = image.extra_samples.first().copied().unwrap_or(0);
    let more = |name: &str| match name {
        "photometric" => number(image.photometric),
        "alpha" => number(alpha),
        _ => None,
    };
    let x = forward(levels, from, &program.input, more).map_err(refused)?;
    run(inverse, &x).map_err(|e| match alpha {
        1 => TiffError::Unsupported {
            what: "associated alpha (ExtraSamples (338) = 1) that is not opaque everywhere"
                .to_owned(),
            hint: Some("premultiplied colors cannot be undone exactly"),
        },
        _ => refused(e),
    })
}
