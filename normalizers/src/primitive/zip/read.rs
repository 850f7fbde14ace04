//! Reads an archive.

use inverter::primitive::PrimitiveError;

use super::super::deflate::raw;
use super::model::{self, *};

/// The fields of a record, read one after another.
struct Fields<'a> {
    what: &'static str,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The record at `at`, after its signature.
    fn at(
        file: &'a [u8],
        at: usize,
        signature: [u8; 4],
        what: &'static str,
    ) -> Result<Self, PrimitiveError> {
        let rest = file.get(at..).and_then(|rest| rest.strip_prefix(&signature));
        rest.map(|rest| Self { what, rest }).ok_or_else(|| format!("no {what} at {at}").into())
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], PrimitiveError> {
        let (bytes, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| format!("{} is cut off", self.what))?;
        self.rest = rest;
        Ok(bytes)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, PrimitiveError> {
        Ok(self.bytes(bytes)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    fn u16(&mut self) -> Result<u16, PrimitiveError> {
        Ok(self.number(2)? as u16)
    }

    fn u32(&mut self) -> Result<u32, PrimitiveError> {
        Ok(self.number(4)? as u32)
    }
}

/// The numbers in the ZIP64 field of `extra`, which replace those that are [`ELSEWHERE`].
fn wide(extra: &[u8], numbers: &mut [u64]) -> Result<(), PrimitiveError> {
    let mut fields = Fields { what: "an extra field", rest: extra };
    let (mut found, mut had) = (None, false);
    while !fields.rest.is_empty() {
        let (id, length) = (fields.u16()?, fields.u16()?);
        let data = fields.bytes(length.into())?;
        match id {
            ZIP64 if had => return Err("two ZIP64 fields".into()),
            ZIP64 => (found, had) = (Some(data), true),
            // Times and names that readers prefer to those of the header.
            0x000a | 0x000d | 0x5455 | 0x5855 | 0x7075 => {
                return Err(format!("an extra field {id:#06x}, with times or a name").into());
            }
            _ => {}
        }
    }
    let mut fields = Fields { what: "the ZIP64 field", rest: found.unwrap_or_default() };
    for number in numbers.iter_mut().filter(|n| **n == u64::from(ELSEWHERE)) {
        *number = fields.number(8)?;
    }
    match fields.rest {
        [] => Ok(()),
        _ => Err("the ZIP64 field has more than the header's fields need".into()),
    }
}

fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The count of entries, the size and the offset of the central directory, and its end.
fn directory(file: &[u8]) -> Result<(u64, usize, usize), PrimitiveError> {
    let last = file.len().checked_sub(END_SIZE).ok_or("the archive has no end record")?;
    let ends = |at: &usize| {
        file[*at..].starts_with(&END)
            && usize::from(u16::from_le_bytes([file[at + 20], file[at + 21]])) == last - at
    };
    let mut candidates = (last.saturating_sub(0xffff)..=last).filter(ends);
    let end = candidates.next_back().ok_or("the archive has no end record")?;
    if candidates.next_back().is_some() {
        return Err("the archive has two end records".into());
    }
    let mut fields = Fields::at(file, end, END, "end record")?;
    let disks = [fields.u16()?, fields.u16()?];
    let mut counts = [fields.number(2)?, fields.number(2)?];
    let mut numbers = [fields.number(4)?, fields.number(4)?];
    let mut behind = end;
    let locator = end.checked_sub(LOCATOR_SIZE).filter(|at| file[*at..].starts_with(&LOCATOR));
    if let Some(at) = locator {
        let mut fields = Fields::at(file, at, LOCATOR, "locator")?;
        let (disk, record, disks) = (fields.u32()?, fields.number(8)?, fields.u32()?);
        let mut fields = Fields::at(file, size(record), END64, "ZIP64 end record")?;
        let length = fields.number(8)?;
        fields.bytes(4)?;
        let more = [fields.u32()?, fields.u32()?];
        let wide = [fields.number(8)?, fields.number(8)?, fields.number(8)?, fields.number(8)?];
        if disk != 0 || disks != 1 || more != [0; 2] || length != END64_SIZE as u64 - 12 {
            return Err("a ZIP64 end record with more than numbers".into());
        }
        for (k, wide) in wide.into_iter().enumerate() {
            let (number, mark) = match k {
                0 | 1 => (&mut counts[k], 0xffff),
                _ => (&mut numbers[k - 2], u64::from(ELSEWHERE)),
            };
            if *number == mark {
                *number = wide;
            }
            if *number != wide {
                return Err("the end records differ".into());
            }
        }
        behind = size(record);
    }
    let [length, start] = numbers.map(size);
    if disks != [0; 2] || counts[0] != counts[1] || start.checked_add(length) != Some(behind) {
        return Err("the central directory is not before its end record".into());
    }
    Ok((counts[0], start, behind))
}

/// Returns the files, in the order of the central directory, as [`Entry::write`] writes them: at most `most` bytes,
/// counted from the directory before anything is decoded.
pub(super) fn read(file: &[u8], most: usize) -> Result<Vec<u8>, PrimitiveError> {
    let (count, start, end) = directory(file)?;
    let mut at = start;
    let (mut headers, mut needs) = (Vec::new(), 0_usize);
    for _ in 0..count {
        let mut fields = Fields::at(&file[..end], at, CENTRAL, "central header")?;
        let by = fields.u16()?;
        let common = fields.bytes(10)?;
        let (crc, stored, length) = (fields.u32()?, fields.number(4)?, fields.number(4)?);
        let lengths = [fields.u16()?, fields.u16()?, fields.u16()?].map(usize::from);
        let (disk, internal, external) = (fields.u16()?, fields.u16()?, fields.u32()?);
        let offset = fields.number(4)?;
        let name = fields.bytes(lengths[0])?;
        let mut numbers = [length, stored, offset];
        wide(fields.bytes(lengths[1])?, &mut numbers)?;
        if disk != 0 {
            return Err("an entry on another disk".into());
        }
        at += CENTRAL_SIZE + lengths.iter().sum::<usize>();
        let [length, stored, offset] = numbers.map(size);
        needs = needs.saturating_add(model::size(name.len(), length));
        if needs > most {
            return Err(PrimitiveError::of_size());
        }
        let field = |k: usize| u32::from(u16::from_le_bytes([common[k], common[k + 1]]));
        let date = field(8) << 16 | field(6);
        let host = (by >> 8) as u8;
        let entry = Entry { name, date, host, internal, external, content: &[] };
        headers.push((Header { common, crc, length, stored, name }, offset, entry));
    }
    if at != end {
        return Err("something is behind the central directory".into());
    }
    let (mut out, mut taken) = (Vec::with_capacity(needs.min(file.len())), Vec::new());
    for (header, offset, entry) in headers {
        let (content, behind) = header.content(&file[..start], offset)?;
        taken.push((offset, behind));
        Entry { content: &content, ..entry }.write(&mut out)?;
    }
    taken.sort_unstable();
    if taken.windows(2).any(|two| two[0].1 > two[1].0) {
        return Err("two entries overlap".into());
    }
    Ok(out)
}

/// The fields of a central header that the local header also has.
struct Header<'a> {
    /// The fields from the required version to the date.
    common: &'a [u8],
    crc: u32,
    length: usize,
    stored: usize,
    name: &'a [u8],
}

impl Header<'_> {
    /// The content of the entry whose local header is at `offset`, and the place after it.
    fn content(&self, file: &[u8], offset: usize) -> Result<(Vec<u8>, usize), PrimitiveError> {
        let shown = String::from_utf8_lossy(self.name);
        let differs = || format!("the headers of {shown} differ");
        let field = |k: usize| u16::from_le_bytes([self.common[k], self.common[k + 1]]);
        let (flags, method) = (field(2), field(4));
        if flags & !(STREAMED | UTF8 | EFFORT) != 0 || !matches!(method, STORED | DEFLATED) {
            return Err(format!("{shown} has the flags {flags:#x} and the method {method}").into());
        }
        let mut fields = Fields::at(file, offset, LOCAL, "local header")?;
        // The versions need not agree, because only one of the headers may need ZIP64.
        let common = fields.bytes(10)?;
        let (crc, stored, length) = (fields.u32()?, fields.number(4)?, fields.number(4)?);
        let lengths = [fields.u16()?, fields.u16()?].map(usize::from);
        let name = fields.bytes(lengths[0])?;
        let mut numbers = [length, stored];
        wide(fields.bytes(lengths[1])?, &mut numbers)?;
        let streamed = flags & STREAMED != 0;
        let wanted = [self.length as u64, self.stored as u64];
        let same =
            numbers == wanted && crc == self.crc || streamed && numbers == [0; 2] && crc == 0;
        if common[2..] != self.common[2..] || name != self.name || !same {
            return Err(differs().into());
        }
        let data = fields.bytes(self.stored)?;
        let content = match method {
            DEFLATED => raw::decode(data, self.length)?,
            _ if self.stored == self.length => data.to_vec(),
            _ => return Err(differs().into()),
        };
        if crc32fast::hash(&content) != self.crc {
            return Err(format!("the checksum of {shown} is wrong").into());
        }
        let behind = offset + LOCAL_SIZE + lengths.iter().sum::<usize>() + self.stored;
        let descriptor = match streamed {
            true => self.descriptor(fields.rest).ok_or_else(differs)?,
            false => 0,
        };
        Ok((content, behind + descriptor))
    }

    /// The length of the data descriptor, with or without a signature.
    fn descriptor(&self, rest: &[u8]) -> Option<usize> {
        let numbers = [self.crc, self.stored as u32, self.length as u32].map(u32::to_le_bytes);
        let [plain, signed] = [numbers.concat(), [&DESCRIPTOR[..], &numbers.concat()].concat()];
        [signed, plain].iter().find(|d| rest.starts_with(d)).map(Vec::len)
    }
}
