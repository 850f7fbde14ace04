//! Reads the header, the directory and its values.

use super::{Failure, Fault, Faults, refused};

/// A file in memory.
pub struct File<'f> {
    pub data: &'f [u8],
    pub faults: &'f Faults,
    /// True if the most significant byte comes first.
    pub big_endian: bool,
    /// True for BigTIFF.
    pub big: bool,
    first: usize,
}

/// An entry of a directory.
#[derive(Debug, Clone)]
pub struct Entry {
    tag: u16,
    /// The code of its type.
    pub kind: u16,
    count: usize,
    /// The offset of its value field.
    field: usize,
}

/// A directory.
pub struct Directory {
    /// Its offset.
    pub at: usize,
    entries: Vec<Entry>,
    next: usize,
}

impl Directory {
    /// Returns the entry of a tag.
    pub fn entry(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }

    /// Returns the tags in the order of the file.
    pub fn tags(&self) -> Vec<u16> {
        self.entries.iter().map(|entry| entry.tag).collect()
    }

    /// Returns true if another directory follows.
    pub fn has_next(&self) -> bool {
        self.next != 0
    }
}

const SUB_IFDS: u16 = 330;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const LONG8: u16 = 16;

impl<'f> File<'f> {
    /// Reads the header.
    pub fn open(data: &'f [u8], faults: &'f Faults) -> Result<Self, Failure> {
        let big_endian = match data.get(..2) {
            Some(b"II") => false,
            Some(b"MM") if faults.has(Fault::BigEndianRefused) => return refused("MM"),
            Some(b"MM") => true,
            _ => return refused("no TIFF file"),
        };
        let mut file = File { data, faults, big_endian, big: false, first: 0 };
        file.big = match file.number(2, 2)? {
            42 => false,
            43 if faults.has(Fault::BigTiffRefused) => return refused("version 43"),
            43 => true,
            version => return refused(format!("version {version}")),
        };
        let first = if file.big { file.number(8, 8)? } else { file.number(4, 4)? };
        file.first = first as usize;
        if file.big && big_endian && faults.has(Fault::BigTiffBigEndian) {
            file.first = (first.rotate_left(32)) as usize;
        }
        Ok(file)
    }

    /// Returns the unsigned number in the `size` bytes at `at`.
    pub fn number(&self, at: usize, size: usize) -> Result<u64, Failure> {
        let bytes = at.checked_add(size).and_then(|end| self.data.get(at..end));
        let Some(bytes) = bytes else { return refused(format!("nothing at {at}")) };
        let join = |n: u64, byte: &u8| n << 8 | u64::from(*byte);
        Ok(if self.big_endian {
            bytes.iter().fold(0, join)
        } else {
            bytes.iter().rev().fold(0, join)
        })
    }

    /// Returns the directory of the picture.
    pub fn directory(&self) -> Result<Directory, Failure> {
        let mut directory = self.directory_at(self.first)?;
        if self.faults.has(Fault::LastPage) {
            for _ in 0..8 {
                if directory.next != 0 {
                    directory = self.directory_at(directory.next)?;
                }
            }
        }
        if self.faults.has(Fault::Thumbnail) && directory.entry(SUB_IFDS).is_some() {
            let offsets = self.values(&directory, SUB_IFDS)?.unwrap_or_default();
            return self.directory_at(offsets[0] as usize);
        }
        Ok(directory)
    }

    fn directory_at(&self, at: usize) -> Result<Directory, Failure> {
        let (head, size, width) = if self.big { (8, 20, 8) } else { (2, 12, 4) };
        let count = self.number(at, head)? as usize;
        if count > self.data.len() {
            return refused("too many entries");
        }
        let mut entries = Vec::new();
        for k in 0..count {
            let at = at + head + k * size;
            let kind = self.number(at + 2, 2)? as u16;
            if self.faults.has(Fault::FloatTags) && (11..=12).contains(&kind) {
                return refused(format!("type {kind}"));
            }
            let (tag, count) = (self.number(at, 2)? as u16, self.number(at + 4, width)? as usize);
            entries.push(Entry { tag, kind, count, field: at + 4 + width });
        }
        let next = self.number(at + head + count * size, width)? as usize;
        Ok(Directory { at, entries, next })
    }

    /// Returns the integers of a tag.
    pub fn values(&self, directory: &Directory, tag: u16) -> Result<Option<Vec<u64>>, Failure> {
        directory.entry(tag).map(|entry| self.of(entry, self.size(entry)?)).transpose()
    }

    /// Returns the only integer of a tag.
    pub fn value(&self, directory: &Directory, tag: u16) -> Result<Option<u64>, Failure> {
        Ok(self.values(directory, tag)?.and_then(|values| values.first().copied()))
    }

    fn size(&self, entry: &Entry) -> Result<usize, Failure> {
        match entry.kind {
            1 => Ok(1),
            SHORT => Ok(2),
            LONG | 13 => Ok(4),
            LONG8 | 18 => Ok(8),
            kind => refused(format!("tag {} has type {kind}", entry.tag)),
        }
    }

    /// Returns the values of `entry` as numbers of `size` bytes.
    fn of(&self, entry: &Entry, size: usize) -> Result<Vec<u64>, Failure> {
        let Entry { kind, count, field, .. } = *entry;
        let mut room = if self.big { 8 } else { 4 };
        if self.big && self.faults.has(Fault::BigTiffInline) {
            room = 4;
        }
        let whole = self.faults.has(Fault::WholeField) && !self.big_endian;
        if whole && kind == SHORT && count == 1 {
            return Ok(vec![self.number(field, 4)?]);
        }
        if count > self.data.len() {
            return refused("too many values");
        }
        let offset = if self.big { 8 } else { 4 };
        let at = match self.size(entry)? * count > room {
            true => self.number(field, offset)? as usize,
            false => field,
        };
        (0..count).map(|k| self.number(at.saturating_add(k * size), size)).collect()
    }

    /// Returns a side length. With `fault` the reader supports one type only.
    pub fn side(
        &self,
        directory: &Directory,
        tag: u16,
        fault: Fault,
    ) -> Result<Option<u64>, Failure> {
        match directory.entry(tag) {
            Some(entry) if self.faults.has(fault) => Ok(self.of(entry, 2)?.first().copied()),
            _ => self.value(directory, tag),
        }
    }

    /// Returns the offsets or byte counts of segments.
    pub fn places(&self, directory: &Directory, tag: u16) -> Result<Vec<u64>, Failure> {
        let Some(entry) = directory.entry(tag) else { return refused("no strips or tiles") };
        let offsets = tag == super::image::STRIP_OFFSETS || tag == super::image::TILE_OFFSETS;
        let strips = tag == super::image::STRIP_OFFSETS || tag == super::image::STRIP_BYTE_COUNTS;
        let as_long = entry.kind == SHORT
            && match (offsets, strips) {
                (true, _) => self.faults.has(Fault::OffsetsAsLong),
                (false, true) => self.faults.has(Fault::CountsAsLong),
                (false, false) => self.faults.has(Fault::TileCountsAsLong),
            };
        if as_long || (entry.kind == LONG8 && offsets && self.faults.has(Fault::Long8AsLong)) {
            return self.of(entry, 4);
        }
        let mut values = self.of(entry, self.size(entry)?)?;
        if entry.kind == LONG8
            && offsets
            && self.big_endian
            && self.faults.has(Fault::Long8HalvesSwapped)
        {
            values.iter_mut().for_each(|v| *v = v.rotate_left(32));
        }
        Ok(values)
    }
}
