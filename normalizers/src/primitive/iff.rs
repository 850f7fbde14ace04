//! Chunks of IFF (big-endian lengths) and RIFF (little-endian lengths): a name, a length, and data that is
//! padded to an even length.

use inverter::primitive::PrimitiveError;

/// Returns the name and the data of each chunk in `rest`; `length` reads a length.
///
/// # Errors
///
/// If a chunk is cut off, which ends the iteration.
pub(super) fn chunks(
    mut rest: &[u8],
    length: fn([u8; 4]) -> u32,
) -> impl Iterator<Item = Result<(&[u8], &[u8]), PrimitiveError>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((name, data, after)) = first(rest, length) else {
            rest = &[];
            return Some(Err("a chunk is cut off".into()));
        };
        rest = after;
        Some(Ok((name, data)))
    })
}

/// Returns the name and the data of the first chunk, and the bytes after it; `None` if it is cut off.
fn first(rest: &[u8], length: fn([u8; 4]) -> u32) -> Option<(&[u8], &[u8], &[u8])> {
    let (name, rest) = rest.split_at_checked(4)?;
    let (size, rest) = rest.split_first_chunk()?;
    let size = length(*size) as usize;
    Some((name, rest.get(..size)?, rest.get(size.next_multiple_of(2)..)?))
}

/// Appends a chunk; `length` writes its length.
pub(super) fn chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8], length: fn(u32) -> [u8; 4]) {
    out.extend(name);
    out.extend(length(data.len() as u32));
    out.extend(data);
    if !data.len().is_multiple_of(2) {
        out.push(0);
    }
}
