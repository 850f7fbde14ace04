//! Renders the expected and the actual pixels as tables of values.

use tiff_harness::Picture;

use crate::report::compare::first_differing;

/// The maximum number of columns and rows of a table.
const COLUMNS: u32 = 8;
const ROWS: u32 = 6;

/// The part of a picture that is shown, and the form of its pixels.
struct Window {
    left: u32,
    top: u32,
    form: Form,
}

/// The form of a pixel in a table.
#[derive(Clone, Copy)]
struct Form {
    /// The number of samples: 1 for gray, 3 for color, 4 with alpha.
    samples: usize,
    /// The divisor of samples from 0 to 65535.
    scale: u16,
}

/// Renders two tables: the pixels of `expected` and those of `got`, from the first row that differs.
/// Pixels that differ are bold.
pub fn tables(expected: &Picture, got: &Picture) -> [String; 2] {
    let window = Window::of(expected, got);
    let same_size = (expected.width(), expected.height()) == (got.width(), got.height());
    let other = |picture| same_size.then_some(picture);
    [window.table(expected, other(got)), window.table(got, other(expected))]
}

/// Describes the cells of the tables of [`tables`].
pub fn caption(expected: &Picture, got: &Picture) -> String {
    let window = Window::of(expected, got);
    let most = u16::MAX / window.form.scale;
    let cell = match window.form.samples {
        1 => format!("a gray level, from 0 (black) to {most} (white)"),
        3 => format!("(red, green, blue), each from 0 to {most}"),
        _ => format!("(red, green, blue, alpha), each from 0 to {most}"),
    };
    let (w, h) = (expected.width().max(got.width()), expected.height().max(got.height()));
    let part = match w > COLUMNS || h > ROWS {
        true => format!(
            " The tables show a part of the picture, from column {} and row {} on.",
            window.left, window.top
        ),
        false => String::new(),
    };
    let marked =
        if first_differing(expected, got).is_some() { " Pixels that differ are bold." } else { "" };
    format!("Each cell is {cell}.{marked}{part}")
}

impl Window {
    fn of(expected: &Picture, got: &Picture) -> Self {
        let (left, top) = match first_differing(expected, got) {
            Some(first) => (
                first.x.min(expected.width().saturating_sub(COLUMNS)),
                first.y.min(expected.height().saturating_sub(ROWS)),
            ),
            None => (0, 0),
        };
        let mut window = Self { left, top, form: Form { samples: 1, scale: 257 } };
        for picture in [expected, got] {
            let pixels =
                window.rows(picture).flat_map(|y| window.columns(picture).map(move |x| (x, y)));
            let pixels: Vec<[u16; 4]> = pixels.map(|(x, y)| pixel(picture, x, y)).collect();
            for [r, g, b, a] in pixels {
                let samples = match a {
                    u16::MAX if r == g && g == b => 1,
                    u16::MAX => 3,
                    _ => 4,
                };
                window.form.samples = window.form.samples.max(samples);
                if [r, g, b, a].iter().any(|v| v % 257 != 0) {
                    window.form.scale = 1;
                }
            }
        }
        window
    }

    fn columns(&self, picture: &Picture) -> std::ops::Range<u32> {
        self.left.min(picture.width())..picture.width().min(self.left.saturating_add(COLUMNS))
    }

    fn rows(&self, picture: &Picture) -> std::ops::Range<u32> {
        self.top.min(picture.height())..picture.height().min(self.top.saturating_add(ROWS))
    }

    /// Renders the part of `picture`, with cells bold that differ from those of `other`.
    fn table(&self, picture: &Picture, other: Option<&Picture>) -> String {
        let heads: Vec<String> = self.columns(picture).map(|x| format!("column {x}")).collect();
        let mut lines = vec![
            format!("| | {} |", heads.join(" | ")),
            format!("|---|{}", "---:|".repeat(heads.len())),
        ];
        for y in self.rows(picture) {
            let cells = self.columns(picture).map(|x| {
                let own = pixel(picture, x, y);
                let text = self.form.text(own);
                match other.is_some_and(|other| pixel(other, x, y) != own) {
                    true => format!("**{text}**"),
                    false => text,
                }
            });
            lines.push(format!("| row {y} | {} |", cells.collect::<Vec<_>>().join(" | ")));
        }
        lines.join("\n")
    }
}

impl Form {
    fn text(self, pixel: [u16; 4]) -> String {
        let scaled: Vec<String> =
            pixel[..self.samples].iter().map(|v| (v / self.scale).to_string()).collect();
        match self.samples {
            1 => scaled.concat(),
            _ => format!("({})", scaled.join(",")),
        }
    }
}

/// The samples at a place inside the picture.
fn pixel(picture: &Picture, x: u32, y: u32) -> [u16; 4] {
    let at = 4 * (y as usize * picture.width() as usize + x as usize);
    let rgba = picture.rgba();
    [0, 1, 2, 3].map(|k| rgba.get(at + k).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_have_the_shortest_form_that_shows_them() {
        let gray = |samples: &[u8]| Picture::from_8bit(2, 2, 1, samples).unwrap();
        let [expected, got] = tables(&gray(&[1, 2, 3, 4]), &gray(&[1, 2, 3, 250]));
        assert_eq!(
            expected,
            "| | column 0 | column 1 |\n|---|---:|---:|\n| row 0 | 1 | 2 |\n| row 1 | 3 | **4** |"
        );
        assert!(got.ends_with("| row 1 | 3 | **250** |"));
        let color = Picture::from_8bit(2, 2, 3, &[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5]).unwrap();
        assert!(tables(&gray(&[1, 2, 3, 4]), &color)[1].ends_with("| (3,3,3) | **(4,4,5)** |"));
        let mut fine = gray(&[1, 2, 3, 4]).rgba().to_vec();
        fine[15] = 7;
        let fine = Picture::new(2, 2, fine);
        assert!(
            caption(&fine, &color)
                .starts_with("Each cell is (red, green, blue, alpha), each from 0 to 65535.")
        );
    }

    #[test]
    fn large_pictures_are_shown_from_the_first_difference() {
        let mut other = vec![0; 400];
        let expected = Picture::from_8bit(20, 20, 1, &other).unwrap();
        other[20 * 18 + 3] = 9;
        let got = Picture::from_8bit(20, 20, 1, &other).unwrap();
        let [_, table] = tables(&expected, &got);
        assert!(table.starts_with("| | column 3 |"), "{table}");
        assert_eq!(table.lines().count(), 2 + 6);
        assert!(table.contains("| row 18 | **9** |"), "{table}");
        let small = Picture::from_8bit(2, 1, 1, &[0, 0]).unwrap();
        let [_, table] = tables(&expected, &small);
        assert_eq!(table.lines().last(), Some("| row 0 | 0 | 0 |"));
    }
}
