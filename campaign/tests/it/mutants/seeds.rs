//! Seed files that are encoded here, independently of the harness.

use tiff_harness::Seed;

/// A seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// 37 x 23, 8 bits, BlackIsZero.
    Gray,
    /// 40 x 24, 8 bits, RGB.
    Rgb,
    /// 29 x 21, 1 bit, WhiteIsZero.
    Bilevel,
    /// 23 x 19, 16 bits, BlackIsZero. The two bytes of each sample differ.
    Deep,
}

impl Source {
    /// All seeds.
    pub const ALL: [Source; 4] = [Source::Deep, Source::Bilevel, Source::Gray, Source::Rgb];

    /// Returns the file: little-endian, in uncompressed strips of 8 rows, with the directory at the end.
    pub fn file(self) -> Vec<u8> {
        let (width, height, bits, samples, photometric) = match self {
            Source::Gray => (37u16, 23u16, 8, 1, 1),
            Source::Rgb => (40, 24, 8, 3, 2),
            Source::Bilevel => (29, 21, 1, 1, 0),
            Source::Deep => (23, 19, 16, 1, 1),
        };
        let row = (usize::from(width * samples * bits)).div_ceil(8);
        let mut data = vec![0; row * usize::from(height)];
        for (k, byte) in data.iter_mut().enumerate() {
            let (x, y) = (k % row, k / row);
            // Asymmetric, with flat areas, and with all values of a byte.
            *byte = match self {
                Source::Bilevel if y < 4 => [0x00, 0xff, 0x0f, 0x70][x % 4],
                Source::Bilevel => (x * 151 + y * 83 + (x * y) * 29) as u8,
                _ if x < row / 4 && y < 6 => [210, 30, 60][x % samples as usize],
                _ => (x * 5 + y * 37 + (x / 3) * (y / 2) * 11) as u8,
            };
        }
        if self == Source::Bilevel {
            // The padding bits of a row.
            data.iter_mut().skip(row - 1).step_by(row).for_each(|byte| *byte &= 0xf8);
        }
        file(&data, [width, height, bits, samples, photometric])
    }

    /// Opens the file with the harness.
    pub fn seed(self) -> Seed {
        Seed::open(self.file()).unwrap()
    }
}

const ROWS: u16 = 8;

fn file(data: &[u8], [width, height, bits, samples, photometric]: [u16; 5]) -> Vec<u8> {
    let row = data.len() / usize::from(height);
    let strips: Vec<&[u8]> = data.chunks(row * usize::from(ROWS)).collect();
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for strip in &strips {
        offsets.extend((file.len() as u32).to_le_bytes());
        counts.extend((strip.len() as u32).to_le_bytes());
        file.extend_from_slice(strip);
        file.resize(file.len().next_multiple_of(2), 0);
    }
    let shorts = |values: &[u16]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let resolution = [72u32.to_le_bytes(), 1u32.to_le_bytes()].concat();
    let entries: [(u16, u16, Vec<u8>); 14] = [
        (256, 3, shorts(&[width])),
        (257, 3, shorts(&[height])),
        (258, 3, shorts(&vec![bits; usize::from(samples)])),
        (259, 3, shorts(&[1])),
        (262, 3, shorts(&[photometric])),
        (273, 4, offsets),
        (274, 3, shorts(&[1])),
        (277, 3, shorts(&[samples])),
        (278, 3, shorts(&[ROWS])),
        (279, 4, counts),
        (282, 5, resolution.clone()),
        (283, 5, resolution),
        (284, 3, shorts(&[1])),
        (296, 3, shorts(&[2])),
    ];
    let at = file.len();
    file[4..8].copy_from_slice(&(at as u32).to_le_bytes());
    file.extend((entries.len() as u16).to_le_bytes());
    let mut values = Vec::new();
    let values_at = at + 2 + 12 * entries.len() + 4;
    for (tag, kind, bytes) in entries {
        let size = [0, 1, 1, 2, 4, 8][usize::from(kind)];
        file.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        file.extend((bytes.len() as u32 / size).to_le_bytes());
        if bytes.len() > 4 {
            file.extend(((values_at + values.len()) as u32).to_le_bytes());
            values.extend(bytes);
            values.resize(values.len().next_multiple_of(2), 0);
        } else {
            file.extend(bytes.iter().chain(&[0; 4]).take(4));
        }
    }
    file.extend([0; 4]);
    file.extend(values);
    file
}
