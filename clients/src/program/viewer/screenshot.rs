//! A screenshot and its crops.

use tiff_harness::Picture;

use crate::description::{Color, Rectangle};

/// A part of a display, 8 bits per sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Screenshot {
    pub width: usize,
    pub height: usize,
    /// `0xrrggbb`; rows from the top. Whole words are compared and scanned much faster than three bytes.
    pub pixels: Vec<u32>,
}

impl Screenshot {
    /// Reads an X window dump with 32 bits per pixel, the format of Xvfb's frame buffer. `None` if
    /// it has another format.
    pub(super) fn from_xwd(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| {
            let word = bytes.get(4 * at..4 * at + 4)?;
            Some(u32::from_be_bytes(word.try_into().ok()?) as usize)
        };
        let (header, width, height) = (word(0)?, word(4)?, word(5)?);
        let (little, bits, stride, colours) = (word(7)? == 0, word(11)?, word(12)?, word(19)?);
        if bits != 32 || stride < 4 * width {
            return None;
        }
        let data = bytes.get(header + 12 * colours..)?;
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let row = data.get(y * stride..y * stride + 4 * width)?.as_chunks().0.iter();
            match little {
                true => pixels.extend(row.map(|p| u32::from_le_bytes(*p) & 0xff_ffff)),
                false => pixels.extend(row.map(|p| u32::from_be_bytes(*p) & 0xff_ffff)),
            }
        }
        Some(Self { width, height, pixels })
    }

    /// Crops to the rectangle, as far as it is inside.
    pub(super) fn part(&self, part: Rectangle) -> Self {
        let across = |from: u32, length: u32, most: usize| {
            (from as usize).min(most)..(from as usize + length as usize).min(most)
        };
        let columns = across(part.x, part.width, self.width);
        let rows = across(part.y, part.height, self.height);
        let (width, height) = (columns.len(), rows.len());
        let mut pixels = Vec::with_capacity(width * height);
        for y in rows {
            pixels.extend_from_slice(&self.pixels[y * self.width..][columns.clone()]);
        }
        Self { width, height, pixels }
    }

    /// Returns true if it has at most one colour.
    pub(super) fn is_uniform(&self) -> bool {
        self.pixels.first().is_none_or(|first| self.pixels.iter().all(|pixel| pixel == first))
    }

    /// Crops borders of this colour; `None` if nothing is left.
    pub(super) fn without(&self, Color([red, green, blue]): Color) -> Option<Self> {
        let background = u32::from_be_bytes([0, red, green, blue]);
        let other = |pixel: &u32| *pixel != background;
        let rows = || self.pixels.chunks_exact(self.width.max(1)).enumerate();
        let shown = || rows().filter(|(_, row)| row.iter().any(other));
        let (top, bottom) =
            (shown().next()?.0, rows().rev().find(|(_, row)| row.iter().any(other))?.0);
        let left = shown().filter_map(|(_, row)| row.iter().position(other)).min()?;
        let right = shown().filter_map(|(_, row)| row.iter().rposition(other)).max()?;
        let [x, y, width, height] =
            [left, top, right - left + 1, bottom - top + 1].map(|n| n as u32);
        Some(self.part(Rectangle { width, height, x, y }))
    }

    /// Converts to a picture; `None` if it has no pixels.
    pub(super) fn into_picture(self) -> Option<Picture> {
        if self.pixels.is_empty() {
            return None;
        }
        let bytes = |pixel: &u32| {
            let [_, rgb @ ..] = pixel.to_be_bytes();
            rgb
        };
        let samples: Vec<u8> = self.pixels.iter().flat_map(bytes).collect();
        Picture::from_8bit(self.width as u32, self.height as u32, 3, &samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screenshot(rows: &[&[u8]]) -> Screenshot {
        let pixels =
            rows.iter().flat_map(|row| row.iter().map(|v| 0x01_0101 * u32::from(*v))).collect();
        Screenshot { width: rows[0].len(), height: rows.len(), pixels }
    }

    #[test]
    fn borders_are_cut_off() {
        let framed = screenshot(&[&[0, 0, 0, 0], &[0, 7, 0, 0], &[0, 0, 9, 0], &[0, 0, 0, 0]]);
        assert_eq!(framed.without(Color([0; 3])), Some(screenshot(&[&[7, 0], &[0, 9]])));
        assert_eq!(framed.without(Color([1; 3])), Some(framed.clone()));
        assert_eq!(screenshot(&[&[5, 5]]).without(Color([5; 3])), None);
        assert!(screenshot(&[&[5, 5]]).is_uniform() && !framed.is_uniform());
    }

    #[test]
    fn parts_end_with_the_screen() {
        let display = screenshot(&[&[1, 2, 3], &[4, 5, 6]]);
        let part = |width, height, x, y| display.part(Rectangle { width, height, x, y });
        assert_eq!(part(2, 9, 1, 1), screenshot(&[&[5, 6]]));
        assert!(part(2, 2, 7, 7).into_picture().is_none());
    }

    #[test]
    fn frame_buffers() {
        let mut words = [0u32; 25];
        for (at, value) in [(0, 100), (4, 2), (5, 1), (7, 0), (11, 32), (12, 8), (19, 1)] {
            words[at] = value;
        }
        let mut file: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
        file.extend([0; 12]);
        file.extend([3, 2, 1, 0, 6, 5, 4, 0]);
        let screenshot = Screenshot::from_xwd(&file).unwrap();
        assert_eq!(screenshot.pixels, [0x01_0203, 0x04_0506]);
        assert!(Screenshot::from_xwd(&file[..file.len() - 1]).is_none());
        assert!(Screenshot::from_xwd(b"").is_none());
    }
}
