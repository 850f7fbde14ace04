//! An entry of an archive, and the bytes to which [`TarEntries`](super::TarEntries) decodes it.

use inverter::primitive::PrimitiveError;

/// The number of bytes of a block.
pub(super) const BLOCK: usize = 512;
/// The number of bytes of an entry before its name.
const FIXED: usize = 22;

/// A regular file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    /// Mode, owner, group, time of last change.
    pub(super) numbers: [u32; 4],
    pub(super) content: Vec<u8>,
}

/// The entries as bytes.
pub(super) fn to_bytes(entries: &[Entry]) -> Result<Vec<u8>, PrimitiveError> {
    let mut out = Vec::new();
    for entry in entries {
        let name = u16::try_from(entry.name.len()).map_err(|_| "a name is too long".to_owned())?;
        let size =
            u32::try_from(entry.content.len()).map_err(|_| "a file is too long".to_owned())?;
        out.extend(name.to_be_bytes());
        entry.numbers.iter().for_each(|n| out.extend(n.to_be_bytes()));
        out.extend(size.to_be_bytes());
        out.extend(&entry.name);
        out.extend(&entry.content);
    }
    Ok(out)
}

/// The entries that such bytes contain.
pub(super) fn from_bytes(mut rest: &[u8]) -> Result<Vec<Entry>, PrimitiveError> {
    let mut out = Vec::new();
    while !rest.is_empty() {
        let short = || format!("{} bytes are too few for an entry", rest.len());
        let (fixed, after) = rest.split_at_checked(FIXED).ok_or_else(short)?;
        let number = |at: usize| {
            u32::from_be_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]])
        };
        let name = usize::from(u16::from_be_bytes([fixed[0], fixed[1]]));
        let (name, after) = after.split_at_checked(name).ok_or_else(short)?;
        let (content, after) = after.split_at_checked(number(18) as usize).ok_or_else(short)?;
        rest = after;
        let bad = name.is_empty() || name.contains(&0) || name.ends_with(b"/");
        if bad || name.contains(&b'\n') || number(2) > 0o7777 {
            return Err("an entry's name or mode is none of a regular file".into());
        }
        out.push(Entry {
            name: name.to_vec(),
            numbers: [number(2), number(6), number(10), number(14)],
            content: content.to_vec(),
        });
    }
    Ok(out)
}
