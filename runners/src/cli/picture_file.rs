//! Encoders of the canonical picture.

use std::io::Cursor;

use image::{ExtendedColorType, ImageEncoder, ImageResult, codecs::png::PngEncoder};
use tiff_harness::Picture;

/// Encodes as PNG: four samples of 16 bits per pixel.
///
/// # Errors
///
/// Returns an error if the picture is too large for PNG.
pub fn png(picture: &Picture) -> ImageResult<Vec<u8>> {
    let mut file = Vec::new();
    let samples: Vec<u8> = picture.rgba().iter().flat_map(|v| v.to_ne_bytes()).collect();
    let (width, height) = (picture.width(), picture.height());
    PngEncoder::new(Cursor::new(&mut file)).write_image(
        &samples,
        width,
        height,
        ExtendedColorType::Rgba16,
    )?;
    Ok(file)
}

/// Encodes as PAM with four samples per pixel, of 8 bits if that is enough, or else of 16 bits, most significant byte
/// first.
pub fn pam(picture: &Picture) -> Vec<u8> {
    let narrow = picture.bytes();
    let mut file = format!(
        "P7\nWIDTH {}\nHEIGHT {}\nDEPTH 4\nMAXVAL {}\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
        picture.width(),
        picture.height(),
        if narrow.is_some() { 255 } else { 65535 },
    )
    .into_bytes();
    match narrow {
        Some(bytes) => file.extend(bytes),
        None => file.extend(picture.rgba().iter().flat_map(|v| v.to_be_bytes())),
    }
    file
}
