//! Reads a [`Container`] from bytes (TIFF 6.0, section 2).
//!
//! No input causes a panic, or takes more memory than a small multiple of the input: every size is compared with the
//! file before anything is allocated for it.

use std::collections::HashSet;

use super::{ByteOrder, Container, Entry, FieldType, Format, Ifd, Span, Tag, Values};
use crate::error::{TiffError, counted};

/// The greatest length of a chain of directories.
pub const MAX_IFDS: usize = 1 << 16;

/// The number of bytes by which the values of one directory may exceed the whole file: entries may share a small block
/// (both resolutions do, in some files), but not a large one.
const SHARED_VALUES: u64 = 1 << 16;

/// Reads the structure of the TIFF file `bytes`.
///
/// # Errors
///
/// Returns an error if it is not a TIFF file, or if its header or its first directory, including the values, is
/// damaged.
pub fn read(bytes: &[u8]) -> Result<Container, TiffError> {
    let (order, format) = read_start(bytes)?;
    let at = match format {
        Format::Classic => 4,
        Format::Big => 8,
    };
    let first = uint(bytes, order, "the header", Span { at, len: format.offset_size() })?;
    if first < format.header_size() {
        let what = "the first directory".to_owned();
        return Err(TiffError::InHeader { what, value: first, at });
    }
    let ifd = read_ifd(bytes, order, format, first)?;
    let mut later_ifds = Vec::new();
    let broken_chain = follow_chain(bytes, order, format, &ifd, &mut later_ifds).err();
    Ok(Container { order, format, ifd, later_ifds, broken_chain })
}

/// Reads byte order and version.
fn read_start(bytes: &[u8]) -> Result<(ByteOrder, Format), TiffError> {
    let not_tiff = |why: String| Err(TiffError::NotTiff(why));
    let Some(mark) = bytes.get(..2) else {
        return not_tiff(format!("it has {}, a header has 8", counted(bytes.len() as u64, "byte")));
    };
    let Some(order) = ByteOrder::of_mark(mark) else {
        return not_tiff(format!(
            "it starts with the bytes {:02x} {:02x}, not with II or MM",
            mark[0], mark[1]
        ));
    };
    let version = uint(bytes, order, "the header", Span { at: 2, len: 2 })?;
    let format = [Format::Classic, Format::Big]
        .into_iter()
        .find(|format| u64::from(format.version()) == version);
    let Some(format) = format else {
        return not_tiff(format!("the version at offset 2 is {version}, not 42"));
    };
    if format == Format::Big {
        // BigTIFF, header: the size of an offset is 8, and then 0.
        let sizes = Span { at: 4, len: 4 };
        let sizes = inside(bytes, sizes, || "the header".to_owned())?;
        if (order.get(&sizes[..2]), order.get(&sizes[2..])) != (8, 0) {
            return not_tiff("version 43 without 8 and 0 at offset 4".to_owned());
        }
    }
    Ok((order, format))
}

/// Reads the directory at offset `at`, with its values.
///
/// # Errors
///
/// Returns an error if it or a block of its values is outside the file, or if it has no entries.
pub fn read_ifd(bytes: &[u8], order: ByteOrder, format: Format, at: u64) -> Result<Ifd, TiffError> {
    let (span, count) = ifd_span(bytes, order, format, at)?;
    let table = inside(bytes, span, || format!("a directory of {count} entries"))?;
    let (head, rest) = table.split_at(format.entry_count_size() as usize);
    let (rows, next) = rest.split_at(rest.len() - format.offset_size() as usize);
    let mut entries = Vec::with_capacity(rows.len() / format.entry_size() as usize);
    let mut shared = 0u64;
    for (k, row) in rows.chunks_exact(format.entry_size() as usize).enumerate() {
        let entry_at = at + head.len() as u64 + k as u64 * format.entry_size();
        let entry = read_entry(bytes, order, format, entry_at, row, |tag, size| {
            let has = bytes.len() as u64;
            shared = shared.saturating_add(size);
            match shared <= has.saturating_add(SHARED_VALUES) {
                true => Ok(()),
                false => Err(TiffError::SharedValues { ifd: at, tag, bytes: shared, has }),
            }
        })?;
        entries.push(entry);
    }
    Ok(Ifd { span, entries, next: order.get(next) })
}

/// Returns the span of the directory at `at`, which need not be inside the file, and its declared number of entries.
fn ifd_span(
    bytes: &[u8],
    order: ByteOrder,
    format: Format,
    at: u64,
) -> Result<(Span, u64), TiffError> {
    let head = Span { at, len: format.entry_count_size() };
    let count = uint(bytes, order, "a directory", head)?;
    if count == 0 {
        return Err(TiffError::EmptyIfd { at });
    }
    let needs = u128::from(count) * u128::from(format.entry_size())
        + u128::from(head.len + format.offset_size());
    let len = u64::try_from(needs).map_err(|_| TiffError::Outside {
        what: format!("a directory of {count} entries"),
        at,
        needs,
        has: bytes.len() as u64,
    })?;
    Ok((Span { at, len }, count))
}

/// Reads an entry from its bytes. `reserve` may refuse the values of a block before they are copied.
fn read_entry(
    bytes: &[u8],
    order: ByteOrder,
    format: Format,
    at: u64,
    row: &[u8],
    reserve: impl FnOnce(Tag, u64) -> Result<(), TiffError>,
) -> Result<Entry, TiffError> {
    let offset_size = format.offset_size() as usize;
    let tag = Tag(order.get(&row[..2]) as u16);
    let kind = FieldType::from_code(order.get(&row[2..4]) as u16);
    let count = order.get(&row[4..4 + offset_size]);
    let field = &row[4 + offset_size..];
    let Some(size) = kind.size() else {
        let values = Values::unknown(kind.code(), count, field);
        return Ok(Entry { tag, values, at, block: None });
    };
    let needs = u128::from(count) * u128::from(size);
    let (raw, block) = if needs <= field.len() as u128 {
        (&field[..needs as usize], None)
    } else {
        let block = order.get(field);
        let what = || format!("{tag} with {count} values of type {kind}");
        let has = bytes.len() as u64;
        let outside = || TiffError::Outside { what: what(), at: block, needs, has };
        let len = u64::try_from(needs).map_err(|_| outside())?;
        let raw = inside(bytes, Span { at: block, len }, what)?;
        reserve(tag, len)?;
        (raw, Some(block))
    };
    // The lines above ensure that the length is count * size.
    let values = Values::decode(kind, order, raw).ok_or(TiffError::WrongType {
        tag,
        at,
        kind,
        must: "a known type",
    })?;
    Ok(Entry { tag, values, at, block })
}

/// Collects the offsets of the directories after `first` in `later`. Their entries are counted, not
/// read.
///
/// # Errors
///
/// The damage at which the chain ends. The directories before it are intact.
fn follow_chain(
    bytes: &[u8],
    order: ByteOrder,
    format: Format,
    first: &Ifd,
    later: &mut Vec<u64>,
) -> Result<(), TiffError> {
    let mut seen = HashSet::from([first.span.at]);
    let (mut next, mut last) = (first.next, first.span);
    while next != 0 {
        if next < format.header_size() {
            let at = last.at + last.len - format.offset_size();
            let what = "the next directory".to_owned();
            return Err(TiffError::InHeader { what, value: next, at });
        }
        if !seen.insert(next) {
            return Err(TiffError::IfdLoop { at: next, after: seen.len() });
        }
        if seen.len() > MAX_IFDS {
            return Err(TiffError::TooManyIfds { most: MAX_IFDS });
        }
        let (span, count) = ifd_span(bytes, order, format, next)?;
        let table = inside(bytes, span, || format!("a directory of {count} entries"))?;
        later.push(next);
        next = order.get(&table[table.len() - format.offset_size() as usize..]);
        last = span;
    }
    Ok(())
}

/// Returns the bytes of `span`, or an error that names the part that is outside the file.
fn inside(bytes: &[u8], span: Span, what: impl FnOnce() -> String) -> Result<&[u8], TiffError> {
    span.of(bytes).ok_or_else(|| TiffError::Outside {
        what: what(),
        at: span.at,
        needs: span.len.into(),
        has: bytes.len() as u64,
    })
}

fn uint(bytes: &[u8], order: ByteOrder, what: &str, span: Span) -> Result<u64, TiffError> {
    Ok(order.get(inside(bytes, span, || what.to_owned())?))
}
