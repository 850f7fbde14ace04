//! Converts samples to the displayed picture.

use tiff_harness::Picture;

use super::image::Image;
use super::{Failure, Fault, Faults, refused};

/// Returns the displayed picture.
pub fn picture(image: &Image, samples: &[u32], faults: &Faults) -> Result<Picture, Failure> {
    let has = |fault| faults.has(fault);
    let pixels = samples.chunks_exact(image.samples);
    let stored: Vec<[u16; 4]> =
        pixels.map(|p| color(image, p, faults)).collect::<Result<_, _>>()?;
    let (w, h) = (image.width, image.height);
    let palette = image.photometric == 3;
    let mut orientation = match image.orientation {
        0 | 9.. => return refused("no such Orientation"),
        _ if has(Fault::OrientationIgnored) => 1,
        6 if has(Fault::TurnedTheOtherWay) => 8,
        8 if has(Fault::TurnedTheOtherWay) => 6,
        _ if palette && has(Fault::PaletteNotTurned) => 1,
        n if n >= 5 && image.tiled && has(Fault::TilesNotTurned) => 1,
        _ if image.tiled && image.planar && has(Fault::PlanarTilesNotTurned) => 1,
        n => n,
    };
    let planes = image.planar && image.samples > 1 && has(Fault::OnePlaneTurned);
    if planes {
        orientation = 1;
    }
    let (width, height) = if orientation >= 5 { (h, w) } else { (w, h) };
    let mut rgba = vec![0; width * height * 4];
    for (k, pixel) in stored.iter().enumerate() {
        let (x, y) = turned(orientation, (k % w, k / w), (w, h));
        let mut pixel = *pixel;
        if image.bits == 16 && matches!(orientation, 2 | 3) && has(Fault::MirroredBytes) {
            pixel = pixel.map(u16::swap_bytes);
        }
        rgba[(y * width + x) * 4..][..4].copy_from_slice(&pixel);
    }
    Ok(Picture::new(width as u32, height as u32, rgba))
}

/// Returns the displayed position of a stored pixel (TIFF 6.0, section 8, Orientation).
fn turned(orientation: u64, (x, y): (usize, usize), (w, h): (usize, usize)) -> (usize, usize) {
    match orientation {
        2 => (w - 1 - x, y),
        3 => (w - 1 - x, h - 1 - y),
        4 => (x, h - 1 - y),
        5 => (y, x),
        6 => (h - 1 - y, x),
        7 => (h - 1 - y, w - 1 - x),
        8 => (y, w - 1 - x),
        _ => (x, y),
    }
}

fn color(image: &Image, samples: &[u32], faults: &Faults) -> Result<[u16; 4], Failure> {
    let has = |fault| faults.has(fault);
    let most = ((1u64 << image.bits) - 1) as u32;
    let level = |v: u32| (u64::from(v) * 65535 / u64::from(most)) as u16;
    let mut alpha = match image.extra.first() {
        Some(1 | 2) => level(samples[image.colors()]),
        Some(0) if image.photometric == 2 && has(Fault::FourthIsAlpha) => level(samples[3]),
        _ => u16::MAX,
    };
    let shown = |v: u16| {
        let half =
            image.bits == 16 && (has(Fault::White16) || (image.tiled && has(Fault::White16Tiles)));
        match image.photometric {
            0 if has(Fault::WhiteIgnored) => v,
            0 if half => v ^ 0xff,
            0 => u16::MAX - v,
            _ => v,
        }
    };
    let fax = (2..=4).contains(&image.compression) && has(Fault::FaxIsWhite);
    let [r, g, b] = match image.photometric {
        2 => [level(samples[0]), level(samples[1]), level(samples[2])],
        3 if has(Fault::PaletteAsGray) || (image.tiled && has(Fault::PaletteTilesAsGray)) => {
            [level(samples[0]); 3]
        }
        3 => {
            let (size, index) = (image.color_map.len() / 3, samples[0] as usize);
            if index >= size {
                return refused("no such color");
            }
            [0, 1, 2].map(|k| image.color_map[k * size + index] as u16)
        }
        1 if fax => [u16::MAX - level(samples[0]); 3],
        _ => [shown(level(samples[0])); 3],
    };
    let with_alpha = matches!(image.extra.first(), Some(1 | 2));
    if image.photometric == 0 && with_alpha && has(Fault::WhiteAlpha) {
        alpha = u16::MAX - alpha;
    }
    if image.extra.first() == Some(&1) {
        let full = |v: u16| u32::from(v) * 65535 / u32::from(alpha).max(1);
        return Ok([r, g, b].map(|v| full(v).min(65535) as u16)).map(|[r, g, b]| [r, g, b, alpha]);
    }
    Ok([r, g, b, alpha])
}
