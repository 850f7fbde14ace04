//! The plainest TIFF files: little-endian, one uncompressed strip, and no optional tags.
//!
//! They are written here and not by the harness, so that probes do not depend on the harness, or vice versa; a test
//! reads each file with the harness.

use crate::contract::Facts;

const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;

/// A page: stored rows of samples, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    pub width: u32,
    pub height: u32,
    pub facts: Facts,
    /// The samples of all rows.
    pub samples: Vec<u16>,
    /// ColorMap; empty if there is none.
    pub color_map: Vec<u16>,
}

impl Page {
    fn samples_per_pixel(&self) -> usize {
        let colors = if self.facts.photometric == 2 { 3 } else { 1 };
        colors + self.facts.extra_samples.len()
    }

    /// Packs the samples; each row begins at a byte.
    fn strip(&self) -> Vec<u8> {
        let row = self.width as usize * self.samples_per_pixel();
        let bits = usize::from(self.facts.bits);
        let mut strip = Vec::new();
        for samples in self.samples.chunks(row) {
            match bits {
                16 => strip.extend(samples.iter().flat_map(|v| v.to_le_bytes())),
                _ => strip.extend(samples.chunks(8 / bits).map(|group| {
                    let places = (0..8 / bits).map(|k| 8 - bits * (k + 1));
                    group.iter().zip(places).fold(0, |byte, (v, at)| byte | (*v as u8) << at)
                })),
            }
        }
        strip
    }

    /// Returns the tags with their values, ascending; with 0 as the place of the strip.
    fn fields(&self, strip: usize) -> Vec<(u16, u16, Vec<u32>)> {
        let samples = self.samples_per_pixel();
        let short = |tag, values: &[u16]| {
            (tag, SHORT, values.iter().map(|v| u32::from(*v)).collect::<Vec<_>>())
        };
        let mut fields = vec![
            (256, LONG, vec![self.width]),
            (257, LONG, vec![self.height]),
            short(258, &vec![self.facts.bits; samples]),
            short(259, &[1]),
            short(262, &[self.facts.photometric]),
            (STRIP_OFFSETS, LONG, vec![0]),
            short(274, &[self.facts.orientation]),
            short(277, &[samples as u16]),
            (278, LONG, vec![self.height]),
            (279, LONG, vec![strip as u32]),
            (282, RATIONAL, vec![72, 1]),
            (283, RATIONAL, vec![72, 1]),
            short(296, &[2]),
            short(320, &self.color_map),
            short(338, &self.facts.extra_samples),
        ];
        fields.retain(|field| !field.2.is_empty());
        fields
    }
}

const STRIP_OFFSETS: u16 = 273;

/// Writes a file of these pages.
pub(super) fn file(pages: &[Page]) -> Vec<u8> {
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    for (k, page) in pages.iter().enumerate() {
        let strip = page.strip();
        let mut fields = page.fields(strip.len());
        let directory = 2 + 12 * fields.len() + 4;
        let (mut values, start) = (Vec::new(), out.len() + directory);
        let mut entries = Vec::new();
        // After the directory come first the strip, then the values that do not fit in entries.
        values.extend(&strip);
        values.resize(values.len().next_multiple_of(2), 0);
        for (tag, kind, of) in &mut fields {
            if *tag == STRIP_OFFSETS {
                *of = vec![start as u32];
            }
            let mut bytes: Vec<u8> = match *kind {
                SHORT => of.iter().flat_map(|v| (*v as u16).to_le_bytes()).collect(),
                _ => of.iter().flat_map(|v| v.to_le_bytes()).collect(),
            };
            let count = if *kind == RATIONAL { of.len() / 2 } else { of.len() } as u32;
            if bytes.len() > 4 {
                let at = (start + values.len()) as u32;
                values.extend(std::mem::replace(&mut bytes, at.to_le_bytes().to_vec()));
            }
            bytes.resize(4, 0);
            entries.extend(tag.to_le_bytes());
            entries.extend(kind.to_le_bytes());
            entries.extend(count.to_le_bytes());
            entries.extend(bytes);
        }
        values.resize(values.len().next_multiple_of(2), 0);
        let end = (start + values.len()) as u32;
        let next = if k + 1 < pages.len() { end } else { 0 };
        out.extend((fields.len() as u16).to_le_bytes());
        out.extend(entries);
        out.extend(next.to_le_bytes());
        out.extend(values);
    }
    out
}
