//! Rotations and reflections of pictures.

use tiff_harness::Picture;

/// A rotation or reflection that is not the identity. [`Turn::between`] tries them in this order; on a symmetric
/// picture, it returns the first one that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// Rows in reverse order.
    TopToBottom,
    /// Each row in reverse order.
    LeftToRight,
    /// Rotated by 180°.
    Half,
    /// Mirrored along the main diagonal.
    Transposed,
    /// Rotated by 90° clockwise.
    Clockwise,
    /// Rotated by 90° counter-clockwise.
    Counterclockwise,
    /// Mirrored along the other diagonal.
    Transverse,
}

impl Turn {
    /// All turns, in the order in which they are tried.
    pub const ALL: [Turn; 7] = [
        Turn::TopToBottom,
        Turn::LeftToRight,
        Turn::Half,
        Turn::Transposed,
        Turn::Clockwise,
        Turn::Counterclockwise,
        Turn::Transverse,
    ];

    /// Returns the first turn that maps `from` to `to`; `None` if there is none, or if the
    /// pictures are equal.
    pub fn between(from: &Picture, to: &Picture) -> Option<Self> {
        if from == to || from.rgba().is_empty() {
            return None;
        }
        Self::ALL.into_iter().find(|turn| turn.maps(from, to))
    }

    /// Returns the turned picture.
    pub fn apply(self, picture: &Picture) -> Picture {
        let (w, h) = self.size(picture);
        let positions = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
        let rgba = positions.flat_map(|(x, y)| pixel(picture, self.source(picture, x, y)));
        let rgba = rgba.collect();
        Picture::new(w, h, rgba)
    }

    fn maps(self, from: &Picture, to: &Picture) -> bool {
        let (w, h) = self.size(from);
        (w, h) == (to.width(), to.height())
            && (0..h)
                .all(|y| (0..w).all(|x| pixel(to, (x, y)) == pixel(from, self.source(from, x, y))))
    }

    /// Returns the size of the turned picture.
    fn size(self, of: &Picture) -> (u32, u32) {
        match self {
            Turn::TopToBottom | Turn::LeftToRight | Turn::Half => (of.width(), of.height()),
            _ => (of.height(), of.width()),
        }
    }

    /// Returns the position in `of` of the pixel that the turned picture has at (`x`, `y`).
    fn source(self, of: &Picture, x: u32, y: u32) -> (u32, u32) {
        let (w, h) = (of.width(), of.height());
        match self {
            Turn::TopToBottom => (x, h - 1 - y),
            Turn::LeftToRight => (w - 1 - x, y),
            Turn::Half => (w - 1 - x, h - 1 - y),
            Turn::Transposed => (y, x),
            Turn::Clockwise => (y, h - 1 - x),
            Turn::Counterclockwise => (w - 1 - y, x),
            Turn::Transverse => (w - 1 - y, h - 1 - x),
        }
    }
}

fn pixel(picture: &Picture, (x, y): (u32, u32)) -> [u16; 4] {
    let at = 4 * (y as usize * picture.width() as usize + x as usize);
    let rgba = &picture.rgba()[at..at + 4];
    [rgba[0], rgba[1], rgba[2], rgba[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_has_its_picture() {
        let seed = Picture::from_8bit(3, 2, 1, &[1, 2, 3, 4, 5, 6]).unwrap();
        for (turn, width, samples) in [
            (Turn::TopToBottom, 3, [4, 5, 6, 1, 2, 3]),
            (Turn::LeftToRight, 3, [3, 2, 1, 6, 5, 4]),
            (Turn::Half, 3, [6, 5, 4, 3, 2, 1]),
            (Turn::Transposed, 2, [1, 4, 2, 5, 3, 6]),
            (Turn::Clockwise, 2, [4, 1, 5, 2, 6, 3]),
            (Turn::Counterclockwise, 2, [3, 6, 2, 5, 1, 4]),
            (Turn::Transverse, 2, [6, 3, 5, 2, 4, 1]),
        ] {
            let turned = Picture::from_8bit(width, 6 / width, 1, &samples).unwrap();
            assert_eq!(turn.apply(&seed), turned, "{turn:?}");
            assert_eq!(Turn::between(&seed, &turned), Some(turn));
        }
        assert_eq!(Turn::between(&seed, &seed), None);
    }

    #[test]
    fn of_a_symmetric_picture_the_first_turn_is_named() {
        let row = Picture::from_8bit(3, 1, 1, &[1, 2, 3]).unwrap();
        assert_eq!(Turn::between(&row, &Turn::Half.apply(&row)), Some(Turn::LeftToRight));
    }
}
