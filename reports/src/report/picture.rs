//! Pictures on pages: PNG in `data:` URLs, scaled for viewing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, Rgba, RgbaImage, imageops};
use tiff_harness::Picture;

use super::compare::pixels;

/// A picture, ready for an `img` element.
pub struct Shown {
    /// The `data:` URL.
    pub data: String,
    /// Its width on the page.
    pub width: u32,
    /// Its height on the page.
    pub height: u32,
    /// True if its pixels are enlarged.
    pub enlarged: bool,
}

/// The longer side to which small pictures are enlarged, approximately.
const SMALL: u32 = 320;

/// The longer side to which small pictures are enlarged in lists, approximately.
const ROW: u32 = 144;

/// The longer side to which big pictures are reduced.
const BIG: u32 = 448;

/// The number of pixels on the page per pixel of a picture, in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale(u32);

impl Scale {
    /// Returns the scale in lists of pictures whose longest side is `longest`.
    pub fn row(longest: u32) -> Self {
        Self((ROW / longest.max(1)).max(1))
    }

    fn page((width, height): (u32, u32)) -> Self {
        Self((SMALL / width.max(height)).max(1))
    }
}

/// Prepares `picture` for a separate page; `None` if it has no pixels.
pub fn show(picture: &Picture) -> Option<Shown> {
    show_at(picture, Scale::page(reduced(picture.width(), picture.height())?))
}

/// Prepares `picture` at this scale; `None` if it has no pixels.
pub fn show_at(picture: &Picture, scale: Scale) -> Option<Shown> {
    let eight = pixels(picture).flat_map(|p| p.map(|v| (v >> 8) as u8)).collect();
    let full = RgbaImage::from_raw(picture.width(), picture.height(), eight)?;
    let (w, h) = reduced(picture.width(), picture.height())?;
    let small = match (w, h) == full.dimensions() {
        true => full,
        false => imageops::resize(&full, w, h, imageops::FilterType::Triangle),
    };
    encode(&small, scale)
}

/// Renders the difference between two pictures of the same size for a separate page; `None` if their sizes differ.
pub fn difference(expected: &Picture, got: &Picture) -> Option<Shown> {
    difference_at(expected, got, Scale::page(reduced(expected.width(), expected.height())?))
}

/// Renders the difference between two pictures of the same size: red on the faded expected
/// picture, darker for larger differences. `None` if their sizes differ.
pub fn difference_at(expected: &Picture, got: &Picture, scale: Scale) -> Option<Shown> {
    if (expected.width(), expected.height()) != (got.width(), got.height()) {
        return None;
    }
    let (w, h) = reduced(expected.width(), expected.height())?;
    let mut shown = RgbaImage::new(w, h);
    // If many pixels are merged into one, any that differs shows.
    let mut differs = vec![None; w as usize * h as usize];
    for (k, (e, g)) in pixels(expected).zip(pixels(got)).enumerate() {
        let x = scaled(k as u64 % u64::from(expected.width()), w, expected.width());
        let y = scaled(k as u64 / u64::from(expected.width()), h, expected.height());
        let gray = e[..3].iter().map(|v| u32::from(*v >> 8)).sum::<u32>() / 3;
        let faded = (200 + gray / 5) as u8;
        let most = &mut differs[y as usize * w as usize + x as usize];
        if e != g {
            let by = e.iter().zip(&g).map(|(e, g)| e.abs_diff(*g)).max();
            *most = (*most).max(by);
        }
        let color = most.map_or([faded, faded, faded, 255], red);
        shown.put_pixel(x, y, Rgba(color));
    }
    encode(&shown, scale)
}

/// The colour of a difference, which is clearly visible even if it is small.
fn red(by: u16) -> [u8; 4] {
    let strong = |least: u32, most: u32| least - (least - most) * u32::from(by) / 0xffff;
    [strong(240, 150) as u8, strong(110, 0) as u8, strong(120, 40) as u8, 255]
}

fn scaled(at: u64, to: u32, from: u32) -> u32 {
    ((at * u64::from(to)) / u64::from(from)) as u32
}

fn reduced(w: u32, h: u32) -> Option<(u32, u32)> {
    let longer = w.max(h);
    if w == 0 || h == 0 {
        return None;
    }
    if longer <= BIG {
        return Some((w, h));
    }
    Some((scaled(w.into(), BIG, longer).max(1), scaled(h.into(), BIG, longer).max(1)))
}

/// Encodes a picture, without alpha if it is opaque.
fn encode(picture: &RgbaImage, Scale(factor): Scale) -> Option<Shown> {
    let mut png = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    match picture.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        true => DynamicImage::from(picture.clone()).to_rgb8().write_with_encoder(encoder),
        false => picture.write_with_encoder(encoder),
    }
    .ok()?;
    let (w, h) = picture.dimensions();
    Some(Shown {
        data: format!("data:image/png;base64,{}", STANDARD.encode(png)),
        width: w * factor,
        height: h * factor,
        enlarged: factor > 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_differing_pixel_of_a_big_picture_shows() {
        let seed = Picture::new(2000, 3, vec![0; 24_000]);
        let mut other = seed.rgba().to_vec();
        other[4 * 4321] = 1;
        let shown = difference(&seed, &Picture::new(2000, 3, other)).unwrap();
        assert_eq!((shown.width, shown.height, shown.enlarged), (448, 1, false));
        let same = difference(&seed, &seed).unwrap();
        assert_ne!(shown.data, same.data);
        assert!(show(&Picture::new(0, 0, vec![])).is_none());
    }
}
