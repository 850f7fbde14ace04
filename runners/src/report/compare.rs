//! Describes the difference between two pictures.

use tiff_harness::Picture;

use super::sentence::{number, plural};

/// Maps coordinates in the expected picture to those in the other.
type Turn = fn(u32, u32, u32, u32) -> (u32, u32);

/// Changes the colour of a pixel.
type Recolor = fn([u16; 4]) -> [u16; 4];

/// The rotations and reflections of a picture of w × h: the new position of pixel (x, y).
const TURNS: [(&str, Turn); 7] = [
    ("mirrored left to right", |x, y, w, _| (w - 1 - x, y)),
    ("rotated by 180°", |x, y, w, h| (w - 1 - x, h - 1 - y)),
    ("mirrored top to bottom", |x, y, _, h| (x, h - 1 - y)),
    ("mirrored along its main diagonal", |x, y, _, _| (y, x)),
    ("rotated by 90° clockwise", |x, y, _, h| (h - 1 - y, x)),
    ("mirrored along its other diagonal", |x, y, w, h| (h - 1 - y, w - 1 - x)),
    ("rotated by 90° counter-clockwise", |x, y, w, _| (y, w - 1 - x)),
];

/// Common changes of colours.
const RECOLORS: [(&str, Recolor); 3] = [
    ("with every colour inverted", |[r, g, b, a]| [!r, !g, !b, a]),
    ("with red and blue swapped", |[r, g, b, a]| [b, g, r, a]),
    ("fully opaque", |[r, g, b, _]| [r, g, b, u16::MAX]),
];

/// Describes `got` relative to `expected` in one sentence, without its full stop. Empty if they
/// are equal.
pub fn compare(expected: &Picture, got: &Picture) -> String {
    if expected == got {
        return String::new();
    }
    if let Some((name, _)) = TURNS.iter().find(|(_, turn)| is_turned(expected, got, *turn)) {
        return format!("It is the expected picture {name}");
    }
    let (w, h) = (expected.width(), expected.height());
    if (w, h) != (got.width(), got.height()) {
        return format!("It is {} × {} instead of {w} × {h}", got.width(), got.height());
    }
    let recolored =
        |change: Recolor| pixels(expected).zip(pixels(got)).all(|(e, g)| change(e) == g);
    if let Some((name, _)) = RECOLORS.iter().find(|(_, change)| recolored(*change)) {
        return format!("It is the expected picture {name}");
    }
    counted(expected, got)
}

/// A pixel that differs between two pictures of the same size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Differing {
    /// Its column, from 0 at the left.
    pub x: u32,
    /// Its row, from 0 at the top.
    pub y: u32,
    /// The expected red, green, blue and alpha.
    pub expected: [u16; 4],
    /// The actual samples.
    pub got: [u16; 4],
}

impl Differing {
    /// The maximum of [`Differing::samples`]: 255 if 8 bits represent both pixels exactly, else
    /// 65535.
    pub fn most(&self) -> u16 {
        let eight = self.expected.iter().chain(&self.got).all(|v| v % 257 == 0);
        if eight { 255 } else { u16::MAX }
    }

    /// Both pixels' samples, scaled to [`Differing::most`].
    pub fn samples(&self) -> [[u16; 4]; 2] {
        let scale = u16::MAX / self.most();
        [self.expected, self.got].map(|pixel| pixel.map(|v| v / scale))
    }
}

/// Finds the first pixel that differs, row by row. `None` if the pictures are equal or differ in
/// size.
pub fn first_differing(expected: &Picture, got: &Picture) -> Option<Differing> {
    let (w, h) = (expected.width(), expected.height());
    if (w, h) != (got.width(), got.height()) {
        return None;
    }
    let mut pairs = pixels(expected).zip(pixels(got)).enumerate();
    let (k, (expected, got)) = pairs.find(|(_, (e, g))| e != g)?;
    let (x, y) = ((k % w as usize) as u32, (k / w as usize) as u32);
    Some(Differing { x, y, expected, got })
}

/// Iterates over the pixels.
pub fn pixels(picture: &Picture) -> impl Iterator<Item = [u16; 4]> {
    picture.rgba().chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]])
}

fn is_turned(expected: &Picture, got: &Picture, turn: Turn) -> bool {
    let (w, h) = (expected.width(), expected.height());
    if w == 0 || h == 0 {
        return false;
    }
    // The last pixel's position determines the size of the rotated picture.
    let corners = [turn(0, 0, w, h), turn(w - 1, h - 1, w, h)];
    let size = (corners[0].0.max(corners[1].0) + 1, corners[0].1.max(corners[1].1) + 1);
    if size != (got.width(), got.height()) {
        return false;
    }
    let at = |(x, y): (u32, u32)| 4 * (y as usize * got.width() as usize + x as usize);
    pixels(expected).enumerate().all(|(k, pixel)| {
        let (x, y) = ((k % w as usize) as u32, (k / w as usize) as u32);
        let place = at(turn(x, y, w, h));
        got.rgba()[place..place + 4] == pixel
    })
}

/// Counts the pixels that differ, and describes their area and the largest difference.
fn counted(expected: &Picture, got: &Picture) -> String {
    let w = expected.width() as usize;
    let (mut count, mut most, mut alpha_only) = (0, 0, true);
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for (k, (e, g)) in pixels(expected).zip(pixels(got)).enumerate() {
        if e == g {
            continue;
        }
        count += 1;
        alpha_only &= e[..3] == g[..3];
        most = e.iter().zip(g).map(|(e, g)| e.abs_diff(g)).fold(most, u16::max);
        (left, right) = (left.min(k % w), right.max(k % w));
        (top, bottom) = (top.min(k / w), bottom.max(k / w));
    }
    let percent = (f64::from(most) * 100.0 / f64::from(u16::MAX)).max(0.01);
    let percent = if percent >= 10.0 { format!("{percent:.0}") } else { format!("{percent:.2}") };
    let span = |from: usize, to: usize| match to - from {
        0 => format!(" {from}"),
        _ => format!("s {from} to {to}"),
    };
    format!(
        "{} of {} {}{}, in column{} and row{}, by up to {percent} %",
        number(count),
        plural(expected.rgba().len() / 4, "pixel", "pixels"),
        if count == 1 { "differs" } else { "differ" },
        if alpha_only { " (in alpha only)" } else { "" },
        span(left, right),
        span(top, bottom),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(w: u32, h: u32, samples: &[u8]) -> Picture {
        Picture::from_8bit(w, h, 1, samples).unwrap()
    }

    #[test]
    fn turns_are_recognized() {
        let seed = gray(3, 2, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(
            compare(&seed, &gray(2, 3, &[4, 1, 5, 2, 6, 3])),
            "It is the expected picture rotated by 90° clockwise"
        );
        assert_eq!(
            compare(&seed, &gray(3, 2, &[4, 5, 6, 1, 2, 3])),
            "It is the expected picture mirrored top to bottom"
        );
        assert_eq!(compare(&seed, &gray(1, 1, &[0])), "It is 1 × 1 instead of 3 × 2");
        assert_eq!(compare(&gray(0, 0, &[]), &gray(1, 1, &[0])), "It is 1 × 1 instead of 0 × 0");
    }

    #[test]
    fn the_first_difference_is_found() {
        let seed = gray(3, 2, &[1, 2, 3, 4, 5, 6]);
        let first = first_differing(&seed, &gray(3, 2, &[1, 2, 3, 4, 7, 9])).unwrap();
        assert_eq!((first.x, first.y, first.most()), (1, 1, 255));
        assert_eq!(first.samples(), [[5, 5, 5, 255], [7, 7, 7, 255]]);
        let fine = Differing { got: [1, 0, 0, 0], ..first };
        assert_eq!((fine.most(), fine.samples()[0][0]), (65535, 5 * 257));
        assert_eq!(first_differing(&seed, &seed), None);
        assert_eq!(first_differing(&seed, &gray(2, 3, &[1; 6])), None);
    }

    #[test]
    fn small_differences_are_counted() {
        let seed = gray(3, 2, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(
            compare(&seed, &gray(3, 2, &[1, 2, 3, 4, 5, 255])),
            "1 of 6 pixels differs, in column 2 and row 1, by up to 98 %"
        );
    }
}
