//! The canonical value: the picture in display orientation.

use sha2::{Digest, Sha256};

/// A picture in display orientation: rows from the top, pixels from the left, four 16-bit samples a
/// pixel (red, green, blue, alpha, not premultiplied). An 8-bit sample `v` is `v * 257` here. Two files
/// are equivalent if and only if their pictures are equal.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u16>,
}

impl Picture {
    /// Builds a picture of `width * height` pixels from its `rgba` samples.
    ///
    /// # Panics
    ///
    /// Panics if `rgba` does not have `4 * width * height` samples.
    pub fn new(width: u32, height: u32, rgba: Vec<u16>) -> Self {
        assert_eq!(rgba.len() as u64, 4 * u64::from(width) * u64::from(height));
        Self { width, height, rgba }
    }

    /// Builds a picture from 8-bit samples, `channels` a pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    /// Returns `None` if their number does not match.
    pub fn from_8bit(width: u32, height: u32, channels: u32, samples: &[u8]) -> Option<Self> {
        let pixels = u64::from(width) * u64::from(height);
        if samples.len() as u64 != pixels * u64::from(channels) || !(1..=4).contains(&channels) {
            return None;
        }
        let wide = |v: u8| u16::from(v) * 257;
        let rgba = samples
            .chunks_exact(channels as usize)
            .flat_map(|p| match *p {
                [g] => [wide(g), wide(g), wide(g), u16::MAX],
                [g, a] => [wide(g), wide(g), wide(g), wide(a)],
                [r, g, b] => [wide(r), wide(g), wide(b), u16::MAX],
                [r, g, b, a] => [wide(r), wide(g), wide(b), wide(a)],
                _ => unreachable!("1 to 4 channels"),
            })
            .collect();
        Some(Self { width, height, rgba })
    }

    /// Builds a picture of one row that has these bytes as its samples, four in each pixel, padded with spaces. It
    /// represents content that is not a picture. Equal bytes give equal pictures.
    pub fn of_bytes(mut bytes: Vec<u8>) -> Self {
        bytes.resize(bytes.len().div_ceil(4).max(1) * 4, b' ');
        let rgba: Vec<u16> = bytes.into_iter().map(|b| u16::from(b) * 257).collect();
        Self::new((rgba.len() / 4) as u32, 1, rgba)
    }

    /// Returns the samples as bytes; `None` if 8 bits are not enough for one of them.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let byte = |v: &u16| v.is_multiple_of(257).then_some((v / 257) as u8);
        self.rgba.iter().map(byte).collect()
    }

    /// Returns the content that this represents, if it represents a JSON object ([`Picture::of_bytes`]) instead of a
    /// picture.
    pub fn content(&self) -> Option<String> {
        if self.height != 1 || self.rgba.first() != Some(&(u16::from(b'{') * 257)) {
            return None;
        }
        let text = String::from_utf8(self.bytes()?).ok()?;
        let text = text.trim_end();
        text.ends_with('}').then(|| text.to_owned())
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the samples: red, green, blue, alpha of each pixel, row after row.
    pub fn rgba(&self) -> &[u16] {
        &self.rgba
    }

    /// Returns the part of this size, whose upper left pixel is in column `x` and row `y`; `None` if it is not inside.
    pub fn part(&self, (x, y): (u32, u32), (width, height): (u32, u32)) -> Option<Self> {
        let (right, lower) = (x.checked_add(width)?, y.checked_add(height)?);
        if right > self.width || lower > self.height {
            return None;
        }
        let columns = 4 * x as usize..4 * right as usize;
        let rows = self.rgba.chunks_exact(4 * (self.width as usize).max(1));
        let rows = rows.skip(y as usize).take(height as usize);
        let rgba = rows.flat_map(|row| &row[columns.clone()]).copied().collect();
        Some(Self::new(width, height, rgba))
    }

    /// Returns SHA-256 over width and height (32 bits each) and the samples (16 bits each), all
    /// little-endian, in lower-case hexadecimal.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.width.to_le_bytes());
        hash.update(self.height.to_le_bytes());
        for sample in &self.rgba {
            hash.update(sample.to_le_bytes());
        }
        hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}x{} {})", self.width, self.height, &self.digest()[..12])
    }
}

#[cfg(test)]
mod tests {
    use super::Picture;

    #[test]
    fn different_bytes_give_different_pictures() {
        let of = |bytes: &[u8]| Picture::of_bytes(bytes.to_vec());
        assert_eq!(of(b"abcde").width(), 2);
        assert_eq!(of(b"abcde"), of(b"abcde"));
        assert_ne!(of(b"abcde"), of(b"abcdf"));
        assert_eq!(of(b"").rgba(), [32 * 257; 4]);
        assert_eq!(of(b"{\"n\":1}").content().as_deref(), Some("{\"n\":1}"));
        assert_eq!(of(b"abcde").content(), None);
    }

    /// A picture whose pixels are the numbers 0, 1, 2 and so on.
    fn counted(width: u32, height: u32) -> Picture {
        let pixels = 0..(width * height) as u16;
        Picture::new(width, height, pixels.flat_map(|n| [n, 0, 0, 9]).collect())
    }

    fn reds(picture: &Picture) -> Vec<u16> {
        picture.rgba().chunks(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn a_part_is_inside() {
        let whole = counted(4, 3);
        assert_eq!(reds(&whole.part((1, 1), (2, 2)).unwrap()), [5, 6, 9, 10]);
        assert_eq!(whole.part((0, 0), (4, 3)), Some(whole.clone()));
        assert_eq!(reds(&whole.part((1, 0), (2, 1)).unwrap()), [1, 2]);
        assert_eq!(reds(&whole.part((0, 1), (4, 1)).unwrap()), [4, 5, 6, 7]);
        assert_eq!(whole.part((3, 0), (2, 1)), None);
        assert_eq!(whole.part((0, u32::MAX), (1, 1)), None);
    }
}
