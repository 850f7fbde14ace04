//! The evidence of a cause at a glance, for lists: small pictures, or the first line of the message.
//!
//! A picture is never smoothed. Only a part of a big picture in which pixels differ is shown, to keep pages with many
//! causes small.

use maud::{Markup, html};
use tiff_harness::Picture;

use super::clean::{cut, one_line};
use super::compare::{compare, first_differing};
use super::example::Example;
use super::parts::figure;
use super::picture::{Scale, difference_at, show_at};
use campaign::oracle::Outcome;
use campaign::{Cause, Run};

/// The longest side of the part of a picture that is shown.
const SIDE: u32 = 64;

/// The number of pixels that are shown before the first one that differs.
const BEFORE: u32 = 16;

/// The maximum number of pixels of a picture whose difference is described. For a big picture, this takes seconds per
/// row.
const DESCRIBED: usize = 1 << 16;

/// The maximum number of characters of a message.
const MESSAGE: usize = 300;

/// Renders the evidence of `cause`: the expected and the actual picture with the difference, or the message.
pub fn glance(run: &Run, cause: &Cause) -> Markup {
    let example = Example::of(run, cause);
    match (example.expected, example.got) {
        (Some(expected), Some(got)) if cause.outcome == Outcome::Wrong => pictures(expected, got),
        _ => message(&cause.message),
    }
}

/// Renders the first line of a message.
pub fn message(text: &str) -> Markup {
    let first = text.lines().map(one_line).find(|line| !line.is_empty());
    html! {
        @if let Some(line) = first { p.said { code { (cut(&line, MESSAGE)) } } }
    }
}

fn pictures(expected: &Picture, got: &Picture) -> Markup {
    let is_small = |picture: &Picture| picture.rgba().len() / 4 <= DESCRIBED;
    let words = match [expected, got].into_iter().all(is_small) {
        true => compare(expected, got),
        false => String::new(),
    };
    if expected.content().is_some() {
        return html! { @if !words.is_empty() { p.said.muted { (words) "." } } };
    }
    let part = Part::of(expected, got);
    let parts = [expected, got].map(|picture| part.cut(picture));
    let longest = parts.iter().map(|part| part.width().max(part.height())).max().unwrap_or(1);
    let scale = Scale::row(longest);
    let [left, right] = &parts;
    html! {
        div.glance {
            (figure("Expected", show_at(left, scale).as_ref()))
            @match show_at(right, scale) {
                Some(shown) => (figure("Actual", Some(&shown))),
                None => p.muted { "Actual: no pixels" },
            }
            (figure("Difference", difference_at(left, right, scale).as_ref()))
        }
        @let cut = part.words(expected).or_else(|| part.words(got)).unwrap_or_default();
        @let end = if words.is_empty() { "" } else { ". " };
        @if !(words.is_empty() && cut.is_empty()) { p.said.muted { (words) (end) (cut) } }
    }
}

/// The part of two pictures that is shown: the column and the row at which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    x: u32,
    y: u32,
}

impl Part {
    /// Returns a part of two pictures of the same size that contains a pixel that differs.
    fn of(expected: &Picture, got: &Picture) -> Self {
        let begin = |at: u32, whole: u32| at.saturating_sub(BEFORE).min(whole.saturating_sub(SIDE));
        first_differing(expected, got).map_or(Self { x: 0, y: 0 }, |first| Self {
            x: begin(first.x, expected.width()),
            y: begin(first.y, expected.height()),
        })
    }

    /// Cuts the part out of one of them.
    fn cut(self, picture: &Picture) -> Picture {
        picture.part((self.x, self.y), self.size(picture)).unwrap_or_else(|| picture.clone())
    }

    fn size(self, picture: &Picture) -> (u32, u32) {
        (
            picture.width().saturating_sub(self.x).min(SIDE),
            picture.height().saturating_sub(self.y).min(SIDE),
        )
    }

    /// Describes which part of `picture` is shown, unless the whole picture is.
    fn words(self, picture: &Picture) -> Option<String> {
        let (width, height) = self.size(picture);
        ((width, height) != (picture.width(), picture.height())).then(|| {
            format!(
                "Shown: {width} × {height} of {} × {} pixels, from column {} and row {}.",
                picture.width(),
                picture.height(),
                self.x,
                self.y
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, height: u32, level: impl Fn(u32, u32) -> u8) -> Picture {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let samples: Vec<u8> = pixels.map(|(x, y)| level(x, y)).collect();
        Picture::from_8bit(width, height, 1, &samples).unwrap()
    }

    #[test]
    fn the_part_of_a_big_picture_has_a_pixel_that_differs() {
        let seed = gray(300, 200, |x, y| (x + y) as u8);
        for (x, y) in [(0, 0), (299, 199), (150, 3), (5, 190)] {
            let got = gray(300, 200, |a, b| if (a, b) == (x, y) { 200 } else { (a + b) as u8 });
            let part = Part::of(&seed, &got);
            let [one, other] = [&seed, &got].map(|picture| part.cut(picture));
            assert_eq!((one.width(), one.height()), (SIDE, SIDE));
            let first = first_differing(&one, &other).unwrap();
            assert_eq!((part.x + first.x, part.y + first.y), (x, y));
        }
    }

    #[test]
    fn pictures_are_whole_if_they_are_small_and_light_if_they_are_big() {
        let small = gray(60, 40, |x, y| (x * y) as u8);
        let other = gray(60, 40, |x, y| (x * y + 1) as u8);
        let shown = pictures(&small, &other).into_string();
        assert_eq!(shown.matches("<img class=\"pixels\"").count(), 3);
        assert!(
            !shown.contains("Shown:") && shown.contains("width=\"120\" height=\"80\""),
            "{shown}"
        );
        let noise = |salt: u32| {
            gray(3000, 2000, move |x, y| {
                (x.wrapping_mul(2_654_435_761).wrapping_add(y.wrapping_mul(salt)) >> 9) as u8
            })
        };
        let shown = pictures(&noise(40_503), &noise(30_011)).into_string();
        assert!(shown.contains("Shown: 64 × 64 of 3000 × 2000 pixels"));
        assert!(shown.len() < 40_000 && !shown.contains("differ"), "{}", shown.len());
    }

    #[test]
    fn pictures_of_other_sizes_have_one_scale() {
        let shown = pictures(&gray(30, 10, |_, _| 1), &gray(10, 30, |_, _| 1)).into_string();
        assert!(shown.contains("width=\"120\" height=\"40\""), "{shown}");
        assert!(shown.contains("width=\"40\" height=\"120\""), "{shown}");
        assert_eq!(shown.matches("<img").count(), 2);
        let wide = pictures(&gray(3, 1, |_, _| 1), &gray(300, 1, |_, _| 1)).into_string();
        assert!(
            wide.contains("It is 300 × 1 instead of 3 × 1. Shown: 64 × 1 of 300 × 1"),
            "{wide}"
        );
        let none = pictures(&gray(3, 1, |_, _| 1), &Picture::new(0, 0, vec![])).into_string();
        assert!(none.contains("Actual: no pixels"), "{none}");
    }

    #[test]
    fn the_first_line_of_a_message_is_shown() {
        let shown = message("\n \nthread panicked at <a.rs>:1:\nindex 4").into_string();
        assert!(shown.contains("<code>thread panicked at &lt;a.rs&gt;:1:</code>"), "{shown}");
        assert_eq!(message(" \n").into_string(), "");
    }
}
