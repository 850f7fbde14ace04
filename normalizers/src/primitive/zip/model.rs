//! The files of an archive, and the bytes to which [`ZipEntries`](super::ZipEntries) decodes it; facts about records
//! that the reader and the writer share.

use std::collections::BTreeSet;

use inverter::primitive::PrimitiveError;

/// Signatures, least significant byte first.
pub(super) const LOCAL: [u8; 4] = *b"PK\x03\x04";
pub(super) const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
pub(super) const CENTRAL: [u8; 4] = *b"PK\x01\x02";
pub(super) const END: [u8; 4] = *b"PK\x05\x06";
pub(super) const END64: [u8; 4] = *b"PK\x06\x06";
pub(super) const LOCATOR: [u8; 4] = *b"PK\x06\x07";

/// The number of bytes of records before their parts of variable length.
pub(super) const LOCAL_SIZE: usize = 30;
pub(super) const CENTRAL_SIZE: usize = 46;
pub(super) const END_SIZE: usize = 22;
pub(super) const END64_SIZE: usize = 56;
pub(super) const LOCATOR_SIZE: usize = 20;

/// General purpose bits (APPNOTE, 4.4.4).
pub(super) const STREAMED: u16 = 1 << 3;
pub(super) const UTF8: u16 = 1 << 11;
/// Two bits for the effort of Deflate.
pub(super) const EFFORT: u16 = 3 << 1;

/// Methods of compression (APPNOTE, 4.4.5).
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// The extra field with 64-bit numbers (APPNOTE, 4.5.3).
pub(super) const ZIP64: u16 = 1;
/// Marks a number that is in the ZIP64 field.
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// The bytes of an entry before its name.
const FIXED: usize = 17;

/// A file. Names are ASCII, which is the same with and without the bit for UTF-8.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    /// The date and the time of its last change, of 16 bits each, in the format of MS-DOS.
    pub(super) date: u32,
    /// The system to which its attributes belong.
    pub(super) host: u8,
    pub(super) internal: u16,
    pub(super) external: u32,
    pub(super) content: &'a [u8],
}

impl Entry<'_> {
    /// Appends the entry as bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> Result<(), PrimitiveError> {
        let name = u16::try_from(self.name.len()).map_err(|_| "a name is too long".to_owned())?;
        let size =
            u32::try_from(self.content.len()).map_err(|_| "a file is too long".to_owned())?;
        out.extend(name.to_be_bytes());
        out.extend(self.date.to_be_bytes());
        out.push(self.host);
        out.extend(self.internal.to_be_bytes());
        out.extend(self.external.to_be_bytes());
        out.extend(size.to_be_bytes());
        out.extend(self.name);
        out.extend(self.content);
        Ok(())
    }
}

/// The number of bytes of an entry with a name and a content of these lengths.
pub(super) fn size(name: usize, content: usize) -> usize {
    FIXED.saturating_add(name).saturating_add(content)
}

/// The entries of such bytes.
pub(super) fn from_bytes(mut rest: &[u8]) -> Result<Vec<Entry<'_>>, PrimitiveError> {
    let (mut out, mut names) = (Vec::new(), BTreeSet::new());
    while !rest.is_empty() {
        let short = || format!("{} bytes are too few for an entry", rest.len());
        let (fixed, after) = rest.split_at_checked(FIXED).ok_or_else(short)?;
        let number = |at: usize, bytes: usize| {
            fixed[at..at + bytes].iter().fold(0, |n, b| n << 8 | u32::from(*b))
        };
        let (name, after) = after.split_at_checked(number(0, 2) as usize).ok_or_else(short)?;
        let (content, after) = after.split_at_checked(number(13, 4) as usize).ok_or_else(short)?;
        rest = after;
        if !names.insert(name) {
            return Err(format!("two files are called {}", String::from_utf8_lossy(name)).into());
        }
        out.push(Entry {
            name: check_name(name)?,
            date: number(2, 4),
            host: fixed[6],
            internal: number(7, 2) as u16,
            external: number(9, 4),
            content,
        });
    }
    match out.len() {
        0..0xffff => Ok(out),
        count => Err(format!("{count} files are too many").into()),
    }
}

/// Names of files that every reader takes as they are.
fn check_name(name: &[u8]) -> Result<&[u8], PrimitiveError> {
    let plain = name.iter().all(|b| (b' '..=b'~').contains(b) && *b != b'\\');
    let relative = name.split(|b| *b == b'/').all(|part| !matches!(part, b"" | b"." | b".."));
    match plain && relative {
        true => Ok(name),
        false => Err(format!("{} names no file", String::from_utf8_lossy(name)).into()),
    }
}
