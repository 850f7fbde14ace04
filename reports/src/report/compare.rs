//! Describes the difference between two pictures.

use tiff_harness::Picture;

use super::clean::cut;
use super::sentence::{number, plural};
use campaign::oracle::{Difference, Turn};

/// The maximum number of characters shown of content that is not a picture.
const CONTENT: usize = 200;

/// The names of channels.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// Describes `got` relative to `expected` in one sentence without a full stop. Empty if they are equal.
pub fn compare(expected: &Picture, got: &Picture) -> String {
    let Some(difference) = Difference::between(expected, got) else { return String::new() };
    if let Some(content) = expected.content() {
        let got = got.content().map_or("other content".to_owned(), |got| cut(&got, CONTENT));
        return format!("It is {got} instead of {}", cut(&content, CONTENT));
    }
    let like = |how: &str| format!("It is the expected picture {how}");
    match difference {
        Difference::Turned(turn) => like(turned(turn)),
        Difference::Size => format!(
            "It is {} × {} instead of {} × {}",
            got.width(),
            got.height(),
            expected.width(),
            expected.height()
        ),
        Difference::Inverted => like("with every colour inverted"),
        Difference::ChannelsSwapped(order) => like(&swapped(order)),
        Difference::BytesSwapped => like("with the two bytes of each sample swapped"),
        Difference::Alpha if is_opaque(expected, got) => like("fully opaque"),
        Difference::Blank(pixel) => blank(pixel),
        Difference::Shifted(k) => {
            format!("{}. {}", displaced(k, expected.width()), counted(expected, got))
        }
        Difference::PlanesLost => {
            format!("Some of its channels are lost. {}", counted(expected, got))
        }
        Difference::Depth => format!("Its levels are scaled. {}", counted(expected, got)),
        Difference::Recolored => {
            format!("Each colour is replaced by another one. {}", counted(expected, got))
        }
        Difference::Alpha | Difference::LowBits(_) | Difference::Part(_) | Difference::Garbage => {
            counted(expected, got)
        }
    }
}

/// Describes the color of a picture whose pixels are all equal.
fn blank(pixel: [u16; 4]) -> String {
    match pixel {
        [0, 0, 0, 0] => "All its pixels are transparent black".to_owned(),
        [0, 0, 0, u16::MAX] => "All its pixels are black".to_owned(),
        [u16::MAX, u16::MAX, u16::MAX, u16::MAX] => "All its pixels are white".to_owned(),
        _ => {
            let samples = pixel.map(|v| v.to_string()).join(", ");
            format!("All its pixels have red, green, blue, alpha {samples} of 65535")
        }
    }
}

fn turned(turn: Turn) -> &'static str {
    match turn {
        Turn::TopToBottom => "mirrored top to bottom",
        Turn::LeftToRight => "mirrored left to right",
        Turn::Half => "rotated by 180°",
        Turn::Transposed => "mirrored along its main diagonal",
        Turn::Clockwise => "rotated by 90° clockwise",
        Turn::Counterclockwise => "rotated by 90° counter-clockwise",
        Turn::Transverse => "mirrored along its other diagonal",
    }
}

fn swapped(order: [u8; 4]) -> String {
    let name = |channel: u8| CHANNELS[usize::from(channel)];
    let moved: Vec<&str> = (0..4).filter(|k| order[usize::from(*k)] != *k).map(name).collect();
    match moved[..] {
        [one, other] => format!("with {one} and {other} swapped"),
        _ => format!("with its channels in the order {}", order.map(name).join(", ")),
    }
}

fn is_opaque(expected: &Picture, got: &Picture) -> bool {
    pixels(expected).zip(pixels(got)).all(|(e, g)| e[..3] == g[..3] && g[3] == u16::MAX)
}

/// Describes a displacement by `k` pixels in a picture of this width.
fn displaced(k: i64, width: u32) -> String {
    let (amount, width) = (k.unsigned_abs() as usize, width as usize);
    let (amount, direction) = match amount.is_multiple_of(width.max(1)) {
        true => (plural(amount / width.max(1), "row", "rows"), ["up", "down"]),
        false => (plural(amount, "pixel", "pixels"), ["to the left", "to the right"]),
    };
    format!("Most differing pixels are displaced by {amount} {}", direction[usize::from(k > 0)])
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
    /// The maximum of [`Differing::samples`]: 255 if 8 bits represent both pixels exactly, otherwise 65535.
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
    fn blank_pictures_are_named_by_their_color() {
        let seed = gray(2, 2, &[1, 2, 3, 4]);
        let all = |level| compare(&seed, &gray(2, 2, &[level; 4]));
        assert_eq!(all(0), "All its pixels are black");
        assert_eq!(all(255), "All its pixels are white");
        let color = "red, green, blue, alpha 1799, 1799, 1799, 65535 of 65535";
        assert_eq!(all(7), format!("All its pixels have {color}"));
    }

    #[test]
    fn displacements_and_swaps_are_described() {
        let levels: Vec<u8> = (0..60u32).map(|k| (k * 7 % 61 + k) as u8).collect();
        let mut down = vec![0; 6];
        down.extend(&levels[..54]);
        let sentence = compare(&gray(6, 10, &levels), &gray(6, 10, &down));
        assert!(sentence.starts_with("Most differing pixels are displaced by 1 row down. "));
        let colors: Vec<u8> = (0..30).collect();
        let turned: Vec<u8> = colors.chunks(3).flat_map(|p| [p[2], p[1], p[0]]).collect();
        let rgb = |samples: &[u8]| Picture::from_8bit(5, 2, 3, samples).unwrap();
        assert_eq!(
            compare(&rgb(&colors), &rgb(&turned)),
            "It is the expected picture with red and blue swapped"
        );
        let turned: Vec<u8> = colors.chunks(3).flat_map(|p| [p[1], p[2], p[0]]).collect();
        assert_eq!(
            compare(&rgb(&colors), &rgb(&turned)),
            "It is the expected picture with its channels in the order green, blue, red, alpha"
        );
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
