//! The `tiff` crate: samples as stored, of the first image of the file.

use std::io::Cursor;

use tiff::decoder::{BufferLayoutPreference, Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};
use tiff_harness::Picture;

use super::failure::{Failure, MOST_BYTES};

pub(super) fn decode(file: &[u8]) -> Result<Picture, Failure> {
    picture(&mut decoder(file)?)
}

/// Begins to read a file.
pub(super) fn decoder(file: &[u8]) -> Result<Decoder<Cursor<&[u8]>>, Failure> {
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MOST_BYTES;
    limits.intermediate_buffer_size = MOST_BYTES;
    Ok(Decoder::new(Cursor::new(file)).map_err(failure)?.with_limits(limits))
}

/// Reads the picture at which the decoder is.
pub(super) fn picture(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<Picture, Failure> {
    let (width, height) = decoder.dimensions().map_err(failure)?;
    let color = decoder.colortype().map_err(failure)?;
    let mut samples = DecodingResult::U8(Vec::new());
    let layout = decoder.read_image_to_buffer(&mut samples).map_err(failure)?;
    let short = || Failure::Refused(format!("too few samples for {width}x{height} {color:?}"));

    let channels = usize::from(color.num_samples());
    let (row, count) = (width as usize * channels, width as usize * height as usize * channels);
    let samples = match samples {
        DecodingResult::U8(bytes) if color.bit_depth() < 8 => {
            // Each row of a plane is padded to whole bytes.
            let planes = layout.planes.max(1);
            unpack(&bytes, color.bit_depth(), row / planes, height as usize * planes)
                .ok_or_else(short)?
        }
        DecodingResult::U8(bytes) => bytes.iter().map(|&v| u16::from(v) * 257).collect(),
        DecodingResult::U16(words) => words,
        DecodingResult::U32(words) => words.iter().map(|&v| (v >> 16) as u16).collect(),
        _ => return Err(Failure::Glue(format!("samples of {color:?} with a sign or a fraction"))),
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
        ColorType::Multiband { .. } => {
            let mut first =
                |tag| decoder.find_tag_unsigned_vec::<u16>(tag).ok().flatten()?.first().copied();
            let gray = !matches!(first(Tag::PhotometricInterpretation), Some(RGB));
            let alpha = first(Tag::ExtraSamples).is_some_and(|kind| kind != 0);
            rgba.flat_map(|pixel| of_bands(pixel, gray, alpha)).collect()
        }
        other => return Err(Failure::Glue(format!("colour type {other:?}"))),
    };
    Ok(Picture::new(width, height, rgba))
}

/// PhotometricInterpretation of RGB.
const RGB: u16 = 2;

/// The pixel for samples whose meaning only the file knows: colors, alpha, others.
fn of_bands(pixel: &[u16], gray: bool, alpha: bool) -> [u16; 4] {
    let sample = |at: usize| pixel.get(at).copied().unwrap_or(u16::MAX);
    let colors = if gray { [0; 3] } else { [0, 1, 2] };
    let [r, g, b] = colors.map(sample);
    let next = if gray { 1 } else { 3 };
    [r, g, b, if alpha { sample(next) } else { u16::MAX }]
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

pub(super) fn failure(error: TiffError) -> Failure {
    match &error {
        TiffError::LimitsExceeded => Failure::Resource(error.to_string()),
        _ => Failure::Refused(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colors_and_alpha_are_shown_of_bands() {
        const MOST: u16 = u16::MAX;
        let pixel = [1, 2, 3, 4, 5];
        assert_eq!(of_bands(&pixel, true, false), [1, 1, 1, MOST]);
        assert_eq!(of_bands(&pixel, true, true), [1, 1, 1, 2]);
        assert_eq!(of_bands(&pixel, false, false), [1, 2, 3, MOST]);
        assert_eq!(of_bands(&pixel, false, true), [1, 2, 3, 4]);
    }
}
