//! The plainest TIFF files: little-endian, one uncompressed strip, and no optional tags.
//!
//! They are laid out here and not by the harness, so that neither depends on the other: a test
//! reads each with the harness.

use tiff_harness::container::{ByteOrder, Tag, Values};

use crate::contract::Facts;

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
    /// Resolution, orientation, text and the like.
    pub metadata: Vec<(Tag, Values)>,
}

/// The orientation, and 72 pixels an inch.
pub(super) fn plain_metadata(orientation: u16) -> Vec<(Tag, Values)> {
    vec![
        (Tag::ORIENTATION, Values::shorts(&[orientation])),
        (Tag::X_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::Y_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::RESOLUTION_UNIT, Values::shorts(&[2])),
    ]
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

    /// Returns the tags with their values, ascending.
    fn fields(&self, strip_at: u32, strip: usize) -> Vec<(Tag, Values)> {
        let samples = self.samples_per_pixel();
        let mut fields = vec![
            (Tag::IMAGE_WIDTH, Values::longs(&[self.width])),
            (Tag::IMAGE_LENGTH, Values::longs(&[self.height])),
            (Tag::BITS_PER_SAMPLE, Values::shorts(&vec![self.facts.bits; samples])),
            (Tag::COMPRESSION, Values::shorts(&[1])),
            (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[self.facts.photometric])),
            (Tag::STRIP_OFFSETS, Values::longs(&[strip_at])),
            (Tag::SAMPLES_PER_PIXEL, Values::shorts(&[samples as u16])),
            (Tag::ROWS_PER_STRIP, Values::longs(&[self.height])),
            (Tag::STRIP_BYTE_COUNTS, Values::longs(&[strip as u32])),
            (Tag::COLOR_MAP, Values::shorts(&self.color_map)),
            (Tag::EXTRA_SAMPLES, Values::shorts(&self.facts.extra_samples)),
        ];
        fields.extend(self.metadata.iter().cloned());
        fields.retain(|(_, values)| values.count() > 0);
        fields.sort_by_key(|(tag, _)| tag.0);
        fields
    }
}

/// Writes a file of these pages.
pub(super) fn file(pages: &[Page]) -> Vec<u8> {
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    for (k, page) in pages.iter().enumerate() {
        let strip = page.strip();
        // The strip comes first after the directory, then the values that do not fit in entries. The number of fields
        // does not depend on its place.
        let directory = 2 + 12 * page.fields(0, strip.len()).len() + 4;
        let (mut values, start) = (Vec::new(), out.len() + directory);
        let fields = page.fields(start as u32, strip.len());
        let mut entries = Vec::new();
        values.extend(&strip);
        values.resize(values.len().next_multiple_of(2), 0);
        for (tag, of) in &fields {
            let mut bytes = of.encode(ByteOrder::Little);
            if bytes.len() > 4 {
                let at = (start + values.len()) as u32;
                values.extend(std::mem::replace(&mut bytes, at.to_le_bytes().to_vec()));
                values.resize(values.len().next_multiple_of(2), 0);
            }
            bytes.resize(4, 0);
            entries.extend(tag.0.to_le_bytes());
            entries.extend(of.kind().code().to_le_bytes());
            entries.extend((of.count() as u32).to_le_bytes());
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
