//! Just enough TIFF to give streams to readers, and to read what they make of them.

/// The tag SampleFormat, which has a number for each sample.
pub const SAMPLE_FORMAT: u16 = 339;

/// A picture in strips, all with as many rows.
pub struct Form {
    pub big_endian: bool,
    pub columns: usize,
    pub rows_per_strip: usize,
    /// Bits of a sample.
    pub bits: usize,
    /// Samples of a pixel: 1, 3, or 4 with alpha.
    pub samples: usize,
    pub compression: u16,
    /// Further fields of one number, but for SampleFormat: tag and value.
    pub more: Vec<(u16, u32)>,
}

impl Form {
    /// The bytes of a row that is not compressed.
    pub fn row_bytes(&self) -> usize {
        (self.columns * self.samples * self.bits).div_ceil(8)
    }

    /// The file with these strips.
    pub fn file(&self, strips: &[&[u8]]) -> Vec<u8> {
        let word = |n: usize| u32::try_from(n).unwrap();
        let n2 = |n: u16| if self.big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
        let n4 = |n: u32| if self.big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
        let mut file = if self.big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        file.extend(n2(42));
        file.extend(n4(0));
        let mut offsets = Vec::new();
        for strip in strips {
            offsets.push(word(file.len()));
            file.extend_from_slice(strip);
        }
        file.resize(file.len().next_multiple_of(2), 0);
        let counts = strips.iter().map(|s| word(s.len())).collect();
        // Bilevel and grey with black as 0, or RGB.
        let photometric = if self.samples >= 3 { 2 } else { 1 };
        let mut fields: Vec<(u16, Vec<u32>)> = vec![
            (256, vec![word(self.columns)]),
            (257, vec![word(self.rows_per_strip * strips.len())]),
            (258, vec![word(self.bits); self.samples]),
            (259, vec![self.compression.into()]),
            (262, vec![photometric]),
            (273, offsets),
            (277, vec![word(self.samples)]),
            (278, vec![word(self.rows_per_strip)]),
            (279, counts),
            (282, vec![1, 1]),
            (283, vec![1, 1]),
        ];
        let count = |tag: u16| if tag == SAMPLE_FORMAT { self.samples } else { 1 };
        fields.extend(self.more.iter().map(|(tag, value)| (*tag, vec![*value; count(*tag)])));
        fields.sort();
        // Values first, then the directory.
        let mut entries = Vec::new();
        for (tag, values) in &fields {
            let (kind, count) = match *tag {
                258 | 338 | SAMPLE_FORMAT => (3, values.len()),
                282 | 283 => (5, 1),
                _ => (4, values.len()),
            };
            let mut bytes: Vec<u8> = match kind {
                3 => values.iter().flat_map(|v| n2(u16::try_from(*v).unwrap())).collect(),
                _ => values.iter().flat_map(|v| n4(*v)).collect(),
            };
            if bytes.len() > 4 {
                let at = word(file.len());
                bytes.resize(bytes.len().next_multiple_of(2), 0);
                file.extend(bytes);
                bytes = n4(at).to_vec();
            }
            bytes.resize(4, 0);
            entries.push((n2(*tag), n2(kind), n4(word(count)), bytes));
        }
        let at = n4(word(file.len()));
        file[4..8].copy_from_slice(&at);
        file.extend(n2(u16::try_from(entries.len()).unwrap()));
        for (tag, kind, count, value) in entries {
            file.extend([&tag[..], &kind, &count, &value].concat());
        }
        file.extend(n4(0));
        file
    }
}

/// The strips of a file that is not compressed, one after the other.
pub fn pixels(file: &[u8]) -> Vec<u8> {
    strips(file, 1).concat()
}

/// The strips of a file of this compression.
pub fn strips(file: &[u8], compression: usize) -> Vec<&[u8]> {
    let big_endian = file.starts_with(b"MM");
    let number = |at: usize, size: usize| {
        let join = |n: usize, byte: &u8| n << 8 | usize::from(*byte);
        let bytes = &file[at..at + size];
        if big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    };
    let directory = number(4, 4);
    let field = |wanted: usize| -> Vec<usize> {
        let entry = (0..number(directory, 2)).map(|k| directory + 2 + 12 * k);
        let Some(entry) = entry.into_iter().find(|at| number(*at, 2) == wanted) else {
            return Vec::new();
        };
        let size = if number(entry + 2, 2) == 3 { 2 } else { 4 };
        let count = number(entry + 4, 4);
        let values = if size * count <= 4 { entry + 8 } else { number(entry + 8, 4) };
        (0..count).map(|k| number(values + size * k, size)).collect()
    };
    assert_eq!(field(259), [compression]);
    assert_ne!(field(266), [2], "in the order of bits that all files here have");
    let places = field(273).into_iter().zip(field(279));
    places.map(|(at, count)| &file[at..at + count]).collect()
}
