//! The `image` crate, used as its documentation recommends for viewers.

use std::io::Cursor;

use image::error::{ImageError, LimitErrorKind};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use tiff_harness::Picture;

use super::failure::{Failure, MOST_BYTES};
use crate::output::from_dynamic;

/// Extensions of the formats that it is tested on.
pub(super) const FORMATS: &[&str] =
    &["tif", "bmp", "gif", "ico", "pbm", "pgm", "png", "ppm", "pam", "tga"];

pub(super) fn decode(file: &[u8], extension: &str) -> Result<Picture, Failure> {
    Ok(from_dynamic(&read(file, extension)?))
}

/// Reads the picture as the crate represents it.
pub(super) fn read(file: &[u8], extension: &str) -> Result<DynamicImage, Failure> {
    let mut decoder = decoder(file, extension)?;
    let orientation = decoder.orientation().map_err(failure)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(failure)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Begins to read a file.
pub(super) fn decoder<'f>(
    file: &'f [u8],
    extension: &str,
) -> Result<impl ImageDecoder + 'f, Failure> {
    let format = ImageFormat::from_extension(extension).unwrap_or(ImageFormat::Tiff);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES as u64);
    reader.limits(limits);
    reader.into_decoder().map_err(failure)
}

pub(super) fn failure(error: ImageError) -> Failure {
    match &error {
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::InsufficientMemory) => {
            Failure::Resource(error.to_string())
        }
        _ => Failure::Refused(error.to_string()),
    }
}
