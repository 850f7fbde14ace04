//! Decoders of the picture files that clients write, with hard limits.

mod error;
mod pixels;
mod pnm;
mod rgba;

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat};
use serde::Deserialize;
use tiff_harness::Picture;

use error::check_size;
pub use error::{MOST_PIXELS, OutputError};
pub use pixels::from_dynamic;

/// Allocation limit of decoding, in addition to the picture.
const MOST_BYTES: u64 = 1 << 30;

/// The format of a picture file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Detected from the first bytes.
    #[default]
    Auto,
    /// PNG, with 1 to 16 bits per sample. Gamma and profiles are not applied.
    Png,
    /// PBM, PGM, PPM or PAM, plain or raw, any maximum value.
    Pnm,
    /// `RGBA width height`, a line feed, and 8-bit samples.
    Rgba,
    /// Content that is not a picture: two files are equal if all their bytes are.
    Bytes,
    /// TIFF as the `image` crate reads it, only for clients that write nothing else.
    Tiff,
}

impl Format {
    /// The file name extension by which a client recognizes the format.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Auto | Self::Png => "png",
            Self::Pnm => "pnm",
            Self::Rgba => "rgba",
            Self::Bytes => "bin",
            Self::Tiff => "tif",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'P', b'1'..=b'7', ..] => Some(Self::Pnm),
            [b'R', b'G', b'B', b'A', b' ', ..] => Some(Self::Rgba),
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Self::Tiff),
            _ => None,
        }
    }
}

/// Decodes a picture file.
///
/// # Errors
///
/// Returns an [`OutputError`] if it is damaged, empty or too large.
pub fn decode(bytes: &[u8], format: Format) -> Result<Picture, OutputError> {
    let format = match format {
        Format::Auto => Format::of(bytes).ok_or_else(|| {
            OutputError::unreadable("neither PNG, PNM, PAM, raw RGBA nor TIFF by its first bytes")
        })?,
        named => named,
    };
    match format {
        Format::Pnm => pnm::decode(bytes),
        Format::Rgba => rgba::decode(bytes),
        Format::Bytes if bytes.len() as u64 / 4 >= MOST_PIXELS => {
            Err(OutputError::unreadable(format!("{} bytes are too many", bytes.len())))
        }
        Format::Bytes => Ok(Picture::of_bytes(bytes.to_vec())),
        Format::Tiff => with_image(bytes, ImageFormat::Tiff),
        Format::Png | Format::Auto => with_image(bytes, ImageFormat::Png),
    }
}

/// Decodes all pictures of a file: of a PNM file, which may have several, one after the other.
///
/// # Errors
///
/// As [`decode`].
pub fn decode_all(bytes: &[u8], format: Format) -> Result<Vec<Picture>, OutputError> {
    let named = if format == Format::Auto { Format::of(bytes) } else { Some(format) };
    match named {
        Some(Format::Pnm) => pnm::decode_all(bytes),
        _ => Ok(vec![decode(bytes, format)?]),
    }
}

fn with_image(bytes: &[u8], format: ImageFormat) -> Result<Picture, OutputError> {
    let mut reader = image::ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(OutputError::unreadable)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(OutputError::unreadable)?;
    Ok(from_dynamic(&picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn png_of_every_kind() {
        let gray = image::GrayImage::from_raw(2, 1, vec![0, 7]).unwrap();
        let got = decode(&png(&gray.into()), Format::Auto).unwrap();
        assert_eq!(got.rgba(), [0, 0, 0, 65535, 1799, 1799, 1799, 65535]);
        let deep = image::ImageBuffer::from_raw(1, 1, vec![1u16, 2, 3, 4]).unwrap();
        let got = decode(&png(&DynamicImage::ImageRgba16(deep)), Format::Png).unwrap();
        assert_eq!(got.rgba(), [1, 2, 3, 4]);
    }

    #[test]
    fn content_that_is_no_picture_is_its_bytes() {
        assert_eq!(decode(b"P6 sound", Format::Bytes).unwrap().width(), 2);
        assert_ne!(decode(b"a", Format::Bytes), decode(b"b", Format::Bytes));
    }

    #[test]
    fn damaged_and_foreign_files_are_reported() {
        let whole = png(&DynamicImage::new_rgb8(9, 9));
        for cut in [0, 8, 20, 40, whole.len() / 2] {
            let error = decode(&whole[..cut], Format::Png).unwrap_err();
            assert!(matches!(error, OutputError::Unreadable(_)), "{cut}: {error:?}");
        }
        assert!(decode(b"hello", Format::Auto).is_err());
        assert!(decode(b"P6 2 2 255\nxx", Format::Png).is_err());
    }

    #[test]
    fn nothing_huge_is_allocated() {
        let huge = b"P6\n60000 60000\n255\n";
        assert_eq!(decode(huge, Format::Auto).unwrap_err(), OutputError::TooLarge(60000, 60000));
        assert!(matches!(
            decode(b"RGBA 4000000000 4000000000\n", Format::Rgba).unwrap_err(),
            OutputError::TooLarge(..)
        ));
    }

    #[test]
    fn pictures_without_pixels_are_empty() {
        assert_eq!(decode(b"P5 0 5 255\n", Format::Auto).unwrap_err(), OutputError::Empty(0, 5));
        let error = decode(b"RGBA 0 0\n", Format::Rgba).unwrap_err();
        assert_eq!(error, OutputError::Empty(0, 0));
    }
}
