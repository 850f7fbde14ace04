//! Files built by hand, which no writer would write.
#![allow(dead_code, reason = "each test takes what it needs")]

use tiff_harness::container::write::{
    Plan, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block, write,
};
use tiff_harness::container::{ByteOrder, FieldType, Format, Tag, Values};

/// Returns a file of `len` bytes with the given entries, values inline.
pub fn small(len: usize, entries: &[(Tag, Values)]) -> Vec<u8> {
    let entries = entries.iter().map(|(tag, values)| PlannedEntry {
        tag: *tag,
        values: values.clone(),
        value_at: None,
    });
    let plan = Plan::new(
        ByteOrder::Little,
        Format::Classic,
        Spare::Zeros,
        PlannedIfd { at: 8, entries: entries.collect(), next: 0 },
    );
    let mut file = vec![0; len.max(8 + ifd_size(Format::Classic, plan.ifd.entries.len()) as usize)];
    write(&plan, &mut file).unwrap();
    file
}

/// Returns a gray picture in one strip at offset 8, of 2 x 2 pixels unless `changes` set others.
pub fn gray(len: usize, changes: &[(Tag, Values)]) -> Vec<u8> {
    let mut entries = vec![
        (Tag::IMAGE_WIDTH, Values::shorts(&[2])),
        (Tag::IMAGE_LENGTH, Values::shorts(&[2])),
        (Tag::BITS_PER_SAMPLE, Values::shorts(&[8])),
        (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[1])),
        (Tag::STRIP_OFFSETS, Values::longs(&[8])),
        (Tag::STRIP_BYTE_COUNTS, Values::longs(&[4])),
    ];
    for (tag, values) in changes {
        entries.retain(|entry| entry.0 != *tag);
        entries.push((*tag, values.clone()));
    }
    small(len, &entries)
}

/// The parts of a file.
#[derive(Clone)]
pub struct Plain {
    pub format: Format,
    pub entries: Vec<(Tag, Values)>,
    /// The stored strips or tiles, one after the other.
    pub segments: Vec<Vec<u8>>,
}

/// Returns an unsigned number in the narrowest of SHORT, LONG and LONG8 that holds it.
pub fn number(n: u64) -> Values {
    let kinds = [FieldType::Short, FieldType::Long, FieldType::Long8];
    kinds.into_iter().find_map(|kind| Values::integers(kind, &[n])).unwrap()
}

impl Plain {
    /// Returns a gray picture of 8 bits with these `numbers` in its tags and these `segments`.
    pub fn new(numbers: &[(Tag, u64)], segments: Vec<Vec<u8>>) -> Self {
        let plain = Self { format: Format::Classic, entries: Vec::new(), segments };
        plain
            .with(Tag::BITS_PER_SAMPLE, number(8))
            .with(Tag::PHOTOMETRIC_INTERPRETATION, number(1))
            .numbers(numbers)
    }

    /// Sets the values of a tag.
    pub fn with(mut self, tag: Tag, values: Values) -> Self {
        self.entries.retain(|entry| entry.0 != tag);
        self.entries.push((tag, values));
        self
    }

    /// Sets the numbers of a tag.
    pub fn numbers(self, numbers: &[(Tag, u64)]) -> Self {
        numbers.iter().fold(self, |plain, (tag, n)| plain.with(*tag, number(*n)))
    }

    /// Writes the file. Offsets and byte counts that have no entry are those of the segments.
    pub fn bytes(&self) -> Vec<u8> {
        let tiled = self.entries.iter().any(|e| e.0 == Tag::TILE_WIDTH);
        let arrays = match tiled {
            true => [Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS],
            false => [Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS],
        };
        let mut file = vec![0; self.format.header_size() as usize];
        let (mut offsets, mut counts) = (Vec::new(), Vec::new());
        for segment in &self.segments {
            offsets.push(file.len() as u32);
            counts.push(segment.len() as u32);
            file.extend(segment);
        }
        let mut entries = self.entries.clone();
        for (tag, values) in arrays.into_iter().zip([offsets, counts]) {
            if !entries.iter().any(|e| e.0 == tag) {
                entries.push((tag, Values::longs(&values)));
            }
        }
        let mut planned = Vec::new();
        for (tag, values) in entries {
            let value_at = needs_block(self.format, &values).then_some(file.len() as u64);
            file.resize(file.len() + value_at.map_or(0, |_| values.size() as usize), 0);
            planned.push(PlannedEntry { tag, values, value_at });
        }
        let at = file.len() as u64;
        file.resize(file.len() + ifd_size(self.format, planned.len()) as usize, 0);
        let ifd = PlannedIfd { at, entries: planned, next: 0 };
        write(&Plan::new(ByteOrder::Little, self.format, Spare::Zeros, ifd), &mut file).unwrap();
        file
    }
}
