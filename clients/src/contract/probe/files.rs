//! The files with which clients are probed, and their pictures.

use tiff_harness::Picture;
use tiff_harness::container::{Tag, Values};

use super::plain::{Page, file, plain_metadata};
use crate::contract::Facts;

/// A plain file with a known picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFile {
    /// A short description: `gray, 16 bits`.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Its canonical picture.
    pub canonical: Picture,
    /// Its facts.
    pub facts: Facts,
    /// The stored samples of each pixel, for conventions that return them.
    pub stored: Vec<Vec<u16>>,
}

/// The sides differ, so that a wrong order of rows or columns is visible.
const WIDTH: u32 = 12;
const HEIGHT: u32 = 10;
const PIXELS: u32 = WIDTH * HEIGHT;

/// Levels of alpha: the extremes, their neighbors, and some levels in between.
const ALPHAS: [u16; 8] = [0, 255, 128, 1, 200, 254, 40, 85];

/// Low bytes of 16-bit levels: each way of rounding gives a different result for some of them.
const LOW: [u32; 7] = [0, 128, 1, 255, 129, 77, 180];

/// Returns the 8-bit level of pixel `k`. It avoids the extremes, so that a stretched contrast is visible.
fn level8(k: u32) -> u16 {
    (5 + 2 * k) as u16
}

/// Returns the level of pixel `k`, of 16 bits.
fn level16(k: u32) -> u16 {
    (256 * (5 + 2 * k) + LOW[k as usize % LOW.len()]) as u16
}

/// Returns the colors of pixel `k`: a checkerboard, and a mark in one corner.
fn colors8(k: u32) -> [u16; 3] {
    let (x, y) = (k % WIDTH, k / WIDTH);
    if x < 3 && y < 2 {
        [250, 20, 60 + 7 * k as u16]
    } else if (x + y) % 2 == 0 {
        [30 + 9 * x as u16, 200 - 11 * y as u16, 90]
    } else {
        [240 - 5 * y as u16, 10 + 4 * x as u16, 150 + 3 * x as u16]
    }
}

fn colors16(k: u32) -> [u16; 3] {
    let low = |channel: u32| LOW[(k + 2 * channel) as usize % LOW.len()] as u16;
    let [r, g, b] = colors8(k);
    [256 * r + low(0), 256 * g + low(1), 256 * b + low(2)]
}

fn alpha8(k: u32) -> u16 {
    ALPHAS[k as usize % ALPHAS.len()]
}

/// Builds a probe with the given orientation from its picture's samples, by pixel.
fn probe(
    name: &str,
    facts: Facts,
    color_map: Vec<u16>,
    samples: impl Fn(u32) -> Vec<u16>,
    rgba: impl Fn(u32) -> [u16; 4],
) -> ProbeFile {
    let shown = |k: u32| displayed(k, facts.orientation);
    let turned = facts.orientation >= 5;
    let (width, height) = if turned { (HEIGHT, WIDTH) } else { (WIDTH, HEIGHT) };
    let stored: Vec<Vec<u16>> = (0..PIXELS).map(&samples).collect();
    let page = Page {
        width: WIDTH,
        height: HEIGHT,
        facts: facts.clone(),
        samples: stored.concat(),
        color_map,
        metadata: plain_metadata(facts.orientation),
    };
    let mut canonical = vec![0; 4 * PIXELS as usize];
    for k in 0..PIXELS {
        let at = 4 * shown(k) as usize;
        canonical[at..at + 4].copy_from_slice(&rgba(k));
    }
    let canonical = Picture::new(width, height, canonical);
    ProbeFile { name: name.to_owned(), bytes: file(&[page]), canonical, facts, stored }
}

/// Returns the place of stored pixel `k` in the picture, according to the table of TIFF 6.0, page 36.
fn displayed(k: u32, orientation: u16) -> u32 {
    let (row, column) = (k / WIDTH, k % WIDTH);
    let (top_down, bottom_up) = (row, HEIGHT - 1 - row);
    let (left_right, right_left) = (column, WIDTH - 1 - column);
    match orientation {
        1 => top_down * WIDTH + left_right,
        2 => top_down * WIDTH + right_left,
        3 => bottom_up * WIDTH + right_left,
        4 => bottom_up * WIDTH + left_right,
        // Rows are columns of the picture; row 0 is its left or right side.
        5 => left_right * HEIGHT + top_down,
        6 => left_right * HEIGHT + bottom_up,
        7 => right_left * HEIGHT + bottom_up,
        _ => right_left * HEIGHT + top_down,
    }
}

fn facts(photometric: u16, bits: u16, extra_samples: &[u16]) -> Facts {
    Facts { orientation: 1, photometric, bits, extra_samples: extra_samples.to_vec(), pages: 1 }
}

/// Returns a canonical pixel of levels of 8 bits.
fn wide([r, g, b, a]: [u16; 4]) -> [u16; 4] {
    [r, g, b, a].map(|level| level * 257)
}

fn opaque([r, g, b]: [u16; 3]) -> [u16; 4] {
    [r, g, b, u16::MAX]
}

fn gray(level: u16) -> [u16; 4] {
    opaque([level; 3])
}

/// A ramp of gray with this many bits, up to 8.
pub(super) fn gray_ramp(bits: u16, photometric: u16) -> ProbeFile {
    let most = (1 << bits) - 1;
    let level = move |k: u32| if bits == 8 { level8(k) } else { (k * 5 % 7) as u16 % (most + 1) };
    let scale = 65535 / most;
    let shown = move |k| if photometric == 0 { most - level(k) } else { level(k) };
    let polarity = if photometric == 0 { "WhiteIsZero" } else { "gray" };
    let name = format!("{polarity}, {bits} bits");
    let samples = move |k| vec![level(k)];
    probe(&name, facts(photometric, bits, &[]), vec![], samples, |k| gray(shown(k) * scale))
}

/// A ramp of 16-bit gray.
pub(super) fn gray_deep(photometric: u16) -> ProbeFile {
    let polarity = if photometric == 0 { "WhiteIsZero" } else { "gray" };
    let shown = move |k| if photometric == 0 { u16::MAX - level16(k) } else { level16(k) };
    let name = format!("{polarity}, 16 bits");
    let samples = |k| vec![level16(k)];
    probe(&name, facts(photometric, 16, &[]), vec![], samples, |k| gray(shown(k)))
}

/// An RGB checkerboard, in this orientation.
pub(super) fn rgb(orientation: u16) -> ProbeFile {
    let name = match orientation {
        1 => "RGB, 8 bits".to_owned(),
        other => format!("orientation {other}"),
    };
    let facts = Facts { orientation, ..facts(2, 8, &[]) };
    let rgba = |k| {
        let [r, g, b] = colors8(k);
        wide([r, g, b, 255])
    };
    probe(&name, facts, vec![], |k| colors8(k).to_vec(), rgba)
}

/// An RGB checkerboard of 16 bits.
pub(super) fn rgb_deep() -> ProbeFile {
    let samples = |k| colors16(k).to_vec();
    probe("RGB, 16 bits", facts(2, 16, &[]), vec![], samples, |k| opaque(colors16(k)))
}

/// RGB with an alpha given by this value of ExtraSamples. An associated alpha is opaque, so that every reader must
/// return the same.
pub(super) fn rgb_alpha(extra: u16) -> ProbeFile {
    let name = if extra == 2 { "RGB and alpha" } else { "RGB and opaque associated alpha" };
    let alpha = move |k| if extra == 2 { alpha8(k) } else { 255 };
    let pixel = move |k| {
        let [r, g, b] = colors8(k);
        [r, g, b, alpha(k)]
    };
    probe(name, facts(2, 8, &[extra]), vec![], move |k| pixel(k).to_vec(), |k| wide(pixel(k)))
}

/// RGB and alpha of 16 bits.
pub(super) fn rgb_alpha_deep() -> ProbeFile {
    let pixel = |k| {
        let [r, g, b] = colors16(k);
        [r, g, b, 257 * alpha8(k)]
    };
    let samples = |k| pixel(k).to_vec();
    probe("RGB and alpha, 16 bits", facts(2, 16, &[2]), vec![], samples, pixel)
}

/// Gray and alpha.
pub(super) fn gray_alpha() -> ProbeFile {
    let samples = |k| vec![level8(k), alpha8(k)];
    let rgba = |k| wide([level8(k), level8(k), level8(k), alpha8(k)]);
    probe("gray and alpha", facts(1, 8, &[2]), vec![], samples, rgba)
}

/// RGB or gray with an unspecified sample. No color is greater than this sample, so it could be associated alpha.
pub(super) fn unspecified(photometric: u16) -> ProbeFile {
    let other = |k: u32| 130 + alpha8(k) / 3;
    let colors = move |k| match photometric {
        2 => colors8(k).map(|level| level / 2).to_vec(),
        _ => vec![level8(k) / 2],
    };
    let name =
        if photometric == 2 { "RGB, unspecified sample" } else { "gray, unspecified sample" };
    let samples = move |k| [colors(k), vec![other(k)]].concat();
    let rgba = move |k| match colors(k)[..] {
        [r, g, b] => wide([r, g, b, 255]),
        _ => wide([colors(k)[0], colors(k)[0], colors(k)[0], 255]),
    };
    probe(name, facts(photometric, 8, &[0]), vec![], samples, rgba)
}

/// The file [`unspecified`] with the extra sample as unassociated alpha.
pub(super) fn unspecified_as_alpha() -> ProbeFile {
    let mut probe = unspecified(2);
    let rgba = probe.stored.iter().flat_map(|pixel| pixel.iter().map(|level| level * 257));
    probe.canonical = Picture::new(WIDTH, HEIGHT, rgba.collect());
    probe.facts = facts(2, 8, &[2]);
    probe
}

/// Returns the indices of a palette file as levels of gray.
pub(super) fn indices(probe: &ProbeFile) -> Picture {
    let scale = 65535 / ((1 << probe.facts.bits) - 1);
    let rgba = probe.stored.iter().flat_map(|pixel| gray(pixel[0] * scale));
    Picture::new(probe.canonical.width(), probe.canonical.height(), rgba.collect())
}

/// A palette of 16-bit colors, with indices of this many bits.
pub(super) fn palette(bits: u16) -> ProbeFile {
    let entries = 1u32 << bits;
    let color = move |index: u32| colors16((7 * index + 2) % PIXELS);
    let index = move |k: u32| (k * 3 + 1) % entries.min(PIXELS);
    let plane = |channel: usize| (0..entries).map(move |index| color(index)[channel]);
    let color_map = (0..3).flat_map(plane).collect();
    let samples = move |k| vec![index(k) as u16];
    let rgba = move |k| opaque(color(index(k)));
    probe(&format!("palette, {bits} bits"), facts(3, bits, &[]), color_map, samples, rgba)
}

/// The plainest file of these facts with other metadata; `None` if its samples are of no plain kind.
pub(crate) fn plainest(facts: &Facts, metadata: Vec<(Tag, Values)>) -> Option<Vec<u8>> {
    if !matches!(facts.bits, 1 | 2 | 4 | 8 | 16) || facts.photometric > 3 {
        return None;
    }
    let colors = if facts.photometric == 2 { 3 } else { 1 };
    let samples = PIXELS as usize * (colors + facts.extra_samples.len());
    let levels = if facts.photometric == 3 { 1 << facts.bits } else { 0 };
    let page = Page {
        width: WIDTH,
        height: HEIGHT,
        facts: facts.clone(),
        samples: (0..samples).map(|k| k as u16 & 1).collect(),
        color_map: (0..3 * levels).map(|k| k as u16).collect(),
        metadata,
    };
    Some(file(&[page]))
}

/// Two pages of different sizes and pictures.
pub(super) fn two_pages() -> ProbeFile {
    let mut probe = rgb(1);
    let page = |width, height, samples| Page {
        width,
        height,
        facts: facts(2, 8, &[]),
        samples,
        color_map: vec![],
        metadata: plain_metadata(1),
    };
    let second = (0..3 * 7 * 5).map(|k| 2 * k as u16).collect();
    probe.bytes = file(&[page(WIDTH, HEIGHT, probe.stored.concat()), page(7, 5, second)]);
    probe.facts.pages = 2;
    "two pages".clone_into(&mut probe.name);
    probe
}

/// Returns all files.
pub fn all() -> Vec<ProbeFile> {
    let mut all = vec![gray_ramp(8, 1), gray_deep(1), rgb_deep(), rgb_alpha(2), rgb_alpha(1)];
    all.extend([rgb_alpha_deep(), gray_alpha(), unspecified(2), unspecified(1), two_pages()]);
    all.extend([1, 2, 4, 8].map(palette));
    all.extend([1, 2, 4].map(|bits| gray_ramp(bits, 1)));
    all.extend([gray_ramp(8, 0), gray_ramp(1, 0), gray_deep(0)]);
    all.extend((1..=8).map(rgb));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiff_harness::Seed;

    #[test]
    fn the_harness_reads_the_same_pictures() {
        for probe in all() {
            let seed = Seed::open(probe.bytes.clone()).unwrap();
            assert_eq!(seed.picture(), &probe.canonical, "{}", probe.name);
            assert_eq!(Facts::of_image(seed.file()), probe.facts, "{}", probe.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = all().into_iter().map(|probe| probe.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
