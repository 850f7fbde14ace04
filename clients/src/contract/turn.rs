//! The stored rows of a picture, for clients that do not turn it.

/// Pixels in rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows<T> {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<T>,
}

impl<T: Copy> Rows<T> {
    fn at(&self, x: u32, y: u32) -> T {
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// Returns the rows that a file with this orientation stores for the picture `self`.
    pub fn stored(&self, orientation: u16) -> Self {
        let turned = orientation >= 5;
        let (width, height) =
            if turned { (self.height, self.width) } else { (self.width, self.height) };
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for row in 0..height {
            for column in 0..width {
                // The stored row 0 and column 0 are the sides that TIFF 6.0, page 36, names.
                let (across, down) = if turned { (row, column) } else { (column, row) };
                let from_right = matches!(orientation, 2 | 3 | 6 | 7);
                let from_bottom = matches!(orientation, 3 | 4 | 7 | 8);
                let x = if from_right { self.width - 1 - across } else { across };
                let y = if from_bottom { self.height - 1 - down } else { down };
                pixels.push(self.at(x, y));
            }
        }
        Self { width, height, pixels }
    }

    /// Mirrors stored rows with this orientation, but does not turn them: 5 to 8 are read as 1 to 4.
    pub fn flipped(&self, orientation: u16) -> Self {
        // Mirroring is its own inverse, so the stored rows of the mirrored orientation are the mirrored rows.
        self.stored((orientation - 1) % 4 + 1)
    }
}
