//! The picture that all files must mean: 8 bits, at most 16 colors whose samples are 0 or 255, so that it can be stored with
//! any number of bits a pixel.

/// Red, green, blue.
pub type Color = [u8; 3];

/// A picture.
pub struct Picture {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// From the top.
    pub rows: Vec<Vec<Color>>,
    /// All different ones.
    pub colors: Vec<Color>,
}

impl Picture {
    /// Reads a PPM file with a header of three lines.
    pub fn read(ppm: &[u8]) -> Result<Self, String> {
        let mut lines = ppm.splitn(4, |byte| *byte == b'\n').skip(1);
        let size = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
        let size: Vec<u32> = size.split(' ').filter_map(|n| n.parse().ok()).collect();
        let (&[width, height], Some(samples)) = (&size[..], lines.nth(1)) else {
            return Err("the picture is no PPM file with a header of three lines".to_owned());
        };
        let pixels: Vec<Color> =
            samples.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
        if width == 0 || pixels.len() != width as usize * height as usize {
            return Err("the PPM file has too few samples, or too many".to_owned());
        }
        let mut colors = pixels.clone();
        colors.sort_unstable();
        colors.dedup();
        let rows = pixels.chunks_exact(width as usize).map(<[Color]>::to_vec).collect();
        Ok(Self { width, height, rows, colors })
    }
}
