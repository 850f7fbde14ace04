//! The `tiff` crate: samples as stored, of the first image of the file.

use std::io::Cursor;

use tiff::decoder::{BufferLayoutPreference, Decoder, DecodingResult, Limits};
use tiff::{ColorType, TiffError};
use tiff_harness::Picture;

use super::failure::{Failure, MOST_BYTES};

pub(super) fn decode(file: &[u8]) -> Result<Picture, Failure> {
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MOST_BYTES;
    limits.intermediate_buffer_size = MOST_BYTES;
    let mut decoder = Decoder::new(Cursor::new(file)).map_err(failure)?.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(failure)?;
    let color = decoder.colortype().map_err(failure)?;
    let mut samples = DecodingResult::U8(Vec::new());
    let layout = decoder.read_image_to_buffer(&mut samples).map_err(failure)?;
    let short = || Failure::Refused(format!("too few samples for {width}x{height} {color:?}"));

    let channels = usize::from(color.num_samples());
    let (row, count) = (width as usize * channels, width as usize * height as usize * channels);
    let samples = match samples {
        DecodingResult::U8(bytes) if color.bit_depth() < 8 => {
            unpack(&bytes, color.bit_depth(), row, height as usize).ok_or_else(short)?
        }
        DecodingResult::U8(bytes) => bytes.iter().map(|&v| u16::from(v) * 257).collect(),
        DecodingResult::U16(words) => words,
        _ => {
            return Err(Failure::Refused(format!(
                "samples of {color:?} that are not 8 or 16 bits"
            )));
        }
    };
    let samples = if layout.planes > 1 { interleave(&samples, &layout) } else { samples };
    if samples.len() < count {
        return Err(short());
    }
    let rgba = samples[..count].chunks_exact(channels.max(1));
    let rgba: Vec<u16> = match color {
        ColorType::Gray(_) => rgba.flat_map(|p| [p[0], p[0], p[0], u16::MAX]).collect(),
        ColorType::GrayA(_) => rgba.flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        ColorType::RGB(_) => rgba.flat_map(|p| [p[0], p[1], p[2], u16::MAX]).collect(),
        ColorType::RGBA(_) => samples[..count].to_vec(),
        other => return Err(Failure::Refused(format!("no picture of colour type {other:?}"))),
    };
    Ok(Picture::new(width, height, rgba))
}

/// Unpacks samples of 1, 2 or 4 bits, rows padded to bytes, and scales them to 16 bits.
fn unpack(bytes: &[u8], bits: u8, row: usize, rows: usize) -> Option<Vec<u16>> {
    let bits = usize::from(bits);
    if !matches!(bits, 1 | 2 | 4) {
        return None;
    }
    let stride = (row * bits).div_ceil(8);
    let max = (1u16 << bits) - 1;
    let mut samples = Vec::with_capacity(row * rows);
    for y in 0..rows {
        let line = bytes.get(y * stride..(y + 1) * stride)?;
        samples.extend((0..row).map(|x| {
            let at = x * bits;
            let value = u16::from(line[at / 8] >> (8 - bits - at % 8)) & max;
            value * (u16::MAX / max)
        }));
    }
    Some(samples)
}

/// Converts planar samples to interleaved ones.
fn interleave(samples: &[u16], layout: &BufferLayoutPreference) -> Vec<u16> {
    let plane = samples.len() / layout.planes;
    (0..plane).flat_map(|at| (0..layout.planes).map(move |p| samples[p * plane + at])).collect()
}

fn failure(error: TiffError) -> Failure {
    match &error {
        TiffError::LimitsExceeded => Failure::Resource(error.to_string()),
        _ => Failure::Refused(error.to_string()),
    }
}
