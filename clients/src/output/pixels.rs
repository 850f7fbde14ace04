//! Conversion from pictures of the `image` crate.

use image::DynamicImage;
use tiff_harness::Picture;

/// Converts to 16 bits per sample: an 8-bit sample `v` becomes `v * 257`, a float is clamped to
/// the range 0 to 1.
pub fn from_dynamic(picture: &DynamicImage) -> Picture {
    let deep = picture.to_rgba16();
    Picture::new(deep.width(), deep.height(), deep.into_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_samples_times_257() {
        let all: Vec<u8> = (0..=255).collect();
        let gray = image::GrayImage::from_raw(256, 1, all).unwrap();
        let picture = from_dynamic(&gray.into());
        for (v, pixel) in picture.rgba().chunks_exact(4).enumerate() {
            let deep = v as u16 * 257;
            assert_eq!(pixel, [deep, deep, deep, 65535]);
        }
    }
}
