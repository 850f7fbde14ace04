//! Reads an archive.

use super::entry::{BLOCK, Entry};
use inverter::primitive::PrimitiveError;

/// Returns the regular files in an archive, in order.
pub(super) fn read(file: &[u8]) -> Result<Vec<Entry>, PrimitiveError> {
    if !file.len().is_multiple_of(BLOCK) {
        return Err(format!(
            "{} bytes are not a whole number of blocks of {BLOCK} bytes",
            file.len()
        )
        .into());
    }
    let mut rest = file;
    let (mut out, mut overrides) = (Vec::new(), Override::default());
    loop {
        let (header, after) = rest.split_at_checked(BLOCK).ok_or("the archive does not end")?;
        rest = after;
        if header.iter().all(|b| *b == 0) {
            break;
        }
        let sum = number(&header[148..156])?;
        let spaces =
            |(k, b): (usize, &u8)| u64::from(if (148..156).contains(&k) { b' ' } else { *b });
        if sum != header.iter().enumerate().map(spaces).sum::<u64>() {
            return Err("a header's checksum is wrong".into());
        }
        let size = match overrides.size {
            Some(size) if header[156] == b'0' || header[156] == 0 => size,
            _ => number(&header[124..136])?,
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let content = rest.get(..size).ok_or("a file is cut off")?;
        rest = rest.get(size.next_multiple_of(BLOCK)..).ok_or("a file is cut off")?;
        match header[156] {
            b'0' | 0 => {
                let mut entry = entry(header, content)?;
                std::mem::take(&mut overrides).apply(&mut entry)?;
                out.push(entry);
            }
            b'L' => overrides.name = Some(text(content).to_vec()),
            b'x' => overrides.records(content)?,
            kind => return Err(format!("an entry of type {:?}", char::from(kind)).into()),
        }
    }
    match rest.iter().all(|b| *b == 0) {
        true => Ok(out),
        false => Err("something follows the end of the archive".into()),
    }
}

/// The fields that extended headers set for the next entry.
#[derive(Default)]
struct Override {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    /// Owner, group, time of last change.
    numbers: [Option<u64>; 3],
}

impl Override {
    /// The records of an extended header: `length key=value`, each with its line end.
    fn records(&mut self, mut rest: &[u8]) -> Result<(), PrimitiveError> {
        while !rest.is_empty() {
            let bad = || "a record of an extended header is damaged".to_owned();
            let space = rest.iter().position(|b| *b == b' ').ok_or_else(bad)?;
            let length = decimal(&rest[..space])? as usize;
            let record = rest.get(space + 1..length).and_then(|r| r.strip_suffix(b"\n"));
            let record = record.ok_or_else(bad)?;
            rest = &rest[length..];
            let equals = record.iter().position(|b| *b == b'=').ok_or_else(bad)?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => self.name = Some(value.to_vec()),
                b"size" => self.size = Some(decimal(value)?),
                b"uid" => self.numbers[0] = Some(decimal(value)?),
                b"gid" => self.numbers[1] = Some(decimal(value)?),
                b"mtime" => {
                    // The number must be whole seconds, possibly with a fraction of zero.
                    let dot = value.iter().position(|b| *b == b'.').unwrap_or(value.len());
                    let fraction = value.get(dot + 1..).unwrap_or_default();
                    if fraction.iter().any(|b| *b != b'0') {
                        return Err("a time is no whole second".into());
                    }
                    self.numbers[2] = Some(decimal(&value[..dot])?);
                }
                b"comment" | b"atime" | b"ctime" => {}
                _ => {
                    return Err(format!(
                        "an extended header tells {}",
                        String::from_utf8_lossy(key)
                    )
                    .into());
                }
            }
        }
        Ok(())
    }

    fn apply(self, entry: &mut Entry) -> Result<(), PrimitiveError> {
        if let Some(name) = self.name {
            entry.name = name;
        }
        for (to, from) in entry.numbers[1..].iter_mut().zip(self.numbers) {
            if let Some(n) = from {
                *to = u32::try_from(n)
                    .map_err(|_| PrimitiveError::from(format!("{n} is too large")))?;
            }
        }
        Ok(())
    }
}

fn entry(header: &[u8], content: &[u8]) -> Result<Entry, PrimitiveError> {
    let mut name = text(&header[..100]).to_vec();
    let magic = &header[257..265];
    let prefix = text(&header[345..500]);
    match magic {
        b"ustar\x0000" if !prefix.is_empty() => name = [prefix, b"/", &name].concat(),
        b"ustar\x0000" | b"ustar  \0" | b"\0\0\0\0\0\0\0\0" => {}
        _ => return Err(format!("headers of the kind {:?}", String::from_utf8_lossy(magic)).into()),
    }
    if header[157] != 0
        || !text(&header[265..297]).is_empty()
        || !text(&header[297..329]).is_empty()
    {
        return Err("a header names a link, a user or a group".into());
    }
    let field = |at: usize, length: usize| {
        let n = number(&header[at..at + length])?;
        u32::try_from(n).map_err(|_| PrimitiveError::from(format!("{n} is too large")))
    };
    let numbers = [field(100, 8)?, field(108, 8)?, field(116, 8)?, field(136, 12)?];
    Ok(Entry { name, numbers, content: content.to_vec() })
}

/// Returns the bytes before the first NUL.
fn text(field: &[u8]) -> &[u8] {
    &field[..field.iter().position(|b| *b == 0).unwrap_or(field.len())]
}

/// Parses octal digits between spaces and NULs, or GNU's binary form.
fn number(field: &[u8]) -> Result<u64, PrimitiveError> {
    if field[0] == 0x80 {
        let bytes = &field[1..];
        let fits = bytes[..bytes.len().saturating_sub(8)].iter().all(|b| *b == 0);
        let add = |n: u64, b: &u8| n << 8 | u64::from(*b);
        return match fits {
            true => Ok(bytes.iter().fold(0, add)),
            false => Err("a number is too large".into()),
        };
    }
    let start = field.iter().take_while(|b| **b == b' ').count();
    let digits: Vec<u8> =
        field[start..].iter().copied().take_while(|b| (b'0'..=b'7').contains(b)).collect();
    let rest = &field[start + digits.len()..];
    if digits.is_empty() || rest.iter().any(|b| *b != 0 && *b != b' ') {
        return Err(format!("{:?} is no number", String::from_utf8_lossy(field)).into());
    }
    Ok(digits.iter().fold(0, |n, d| n << 3 | u64::from(d - b'0')))
}

fn decimal(digits: &[u8]) -> Result<u64, PrimitiveError> {
    let text = String::from_utf8_lossy(digits);
    text.parse().map_err(|_| format!("{text:?} is no number").into())
}
