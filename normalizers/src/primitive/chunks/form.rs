//! The forms of a chunk: its length, its name, its content, and the bytes before and after the content.

use inverter::primitive::PrimitiveError;

/// The name of a chunk.
pub(in crate::primitive) type Name = [u8; 4];

/// The layout of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::primitive) enum Form {
    /// A name, a big-endian length, and content that is padded to an even length (EA IFF 85).
    Iff,
    /// Like `Iff`, with a little-endian length (Multimedia Programming Interface and Data Specifications 1.0).
    Riff,
    /// A big-endian length, a name, content, and the checksum of name and content (PNG, section 5.3).
    Png,
    /// A big-endian length that includes itself, a name, an optional length of 64 bits, content (ISO/IEC
    /// 14496-12, section 4.2).
    Box,
}

/// The form of the length of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// 32 bits.
    Short,
    /// 64 bits, after the name; the first 32 bits are 1.
    Long,
    /// 0: the box ends with the data.
    Open,
}

/// The number of bytes of a chunk before its content, and the number of bytes after it.
const HEAD: usize = 8;
const SUM: usize = 4;

fn cut() -> PrimitiveError {
    "a chunk is cut off".into()
}

impl Form {
    /// Removes the first chunk from `rest`, which is not empty; returns its name and content.
    ///
    /// # Errors
    ///
    /// Returns an error if it is truncated, its checksum is wrong, or its length is less than that of its head.
    pub(in crate::primitive) fn next<'a>(
        self,
        rest: &mut &'a [u8],
    ) -> Result<(&'a Name, &'a [u8]), PrimitiveError> {
        let (name, data, after) = match self {
            Form::Iff => padded(rest, u32::from_be_bytes).ok_or_else(cut)?,
            Form::Riff => padded(rest, u32::from_le_bytes).ok_or_else(cut)?,
            Form::Png => summed(rest)?,
            Form::Box => boxed(rest)?,
        };
        *rest = after;
        Ok((name, data))
    }

    /// Returns the name and the content of each chunk in `rest`; an error ends the iteration.
    pub(in crate::primitive) fn chunks(
        self,
        mut rest: &[u8],
    ) -> impl Iterator<Item = Result<(&Name, &[u8]), PrimitiveError>> {
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let next = self.next(&mut rest);
            if next.is_err() {
                rest = &[];
            }
            Some(next)
        })
    }

    /// Appends a chunk, with a zero as its padding and the shortest length.
    pub(in crate::primitive) fn write(self, out: &mut Vec<u8>, name: &Name, data: &[u8]) {
        self.write_as(out, name, data, Length::Short, 0);
    }

    /// Appends a chunk; `pad` is its padding, if it has any.
    pub(super) fn write_as(
        self,
        out: &mut Vec<u8>,
        name: &Name,
        data: &[u8],
        length: Length,
        pad: u8,
    ) {
        // An array has at most 2^28 elements.
        let count = data.len() as u32;
        let start = out.len();
        match self {
            Form::Iff => out.extend([*name, count.to_be_bytes()].concat()),
            Form::Riff => out.extend([*name, count.to_le_bytes()].concat()),
            Form::Png => out.extend([count.to_be_bytes(), *name].concat()),
            Form::Box => {
                let first = match length {
                    Length::Short => count + HEAD as u32,
                    Length::Long => 1,
                    Length::Open => 0,
                };
                out.extend([first.to_be_bytes(), *name].concat());
                if length == Length::Long {
                    out.extend((u64::from(count) + 16).to_be_bytes());
                }
            }
        }
        out.extend(data);
        match self {
            Form::Iff | Form::Riff if self.pads(data) => out.push(pad),
            Form::Png => {
                let sum = crc32fast::hash(&out[start + 4..]);
                out.extend(sum.to_be_bytes());
            }
            _ => {}
        }
    }

    /// Returns true if this content is padded.
    pub(super) fn pads(self, data: &[u8]) -> bool {
        matches!(self, Form::Iff | Form::Riff) && !data.len().is_multiple_of(2)
    }

    /// Returns true if a reader that does not know the name ignores the chunk: in PNG, if the first letter of
    /// the name is lowercase (section 5.4).
    pub(super) fn ignorable(self, name: &Name) -> bool {
        self != Form::Png || name[0] & 0x20 != 0
    }

    /// The names of chunks that readers ignore: names that the standard reserves for this purpose, and unused names.
    pub(super) fn ignored(self) -> &'static [&'static Name] {
        match self {
            Form::Iff => &[b"ANNO", b"rpfz"],
            Form::Riff => &[b"JUNK", b"rpfz"],
            Form::Png => &[b"rpFz", b"zzZz"],
            Form::Box => &[b"free", b"skip", b"rpfz"],
        }
    }

    /// Writes a length that precedes decoded contents, in the form's byte order.
    pub(super) fn number(self, n: u32) -> [u8; 4] {
        if self == Form::Riff { n.to_le_bytes() } else { n.to_be_bytes() }
    }

    /// Reads what [`Form::number`] writes.
    pub(super) fn length(self, digits: [u8; 4]) -> usize {
        let read = if self == Form::Riff { u32::from_le_bytes } else { u32::from_be_bytes };
        read(digits) as usize
    }
}

/// The name, the content, and the bytes after the chunk.
type Parts<'a> = (&'a Name, &'a [u8], &'a [u8]);

fn padded(rest: &[u8], length: fn([u8; 4]) -> u32) -> Option<Parts<'_>> {
    let (name, rest) = rest.split_first_chunk()?;
    let (size, rest) = rest.split_first_chunk()?;
    let size = length(*size) as usize;
    Some((name, rest.get(..size)?, rest.get(size.next_multiple_of(2)..)?))
}

fn summed(rest: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let (length, after) = rest.split_first_chunk().ok_or_else(cut)?;
    let named = u32::from_be_bytes(*length) as usize + HEAD - SUM;
    let (named, after) = after.split_at_checked(named).ok_or_else(cut)?;
    let (sum, after) = after.split_first_chunk().ok_or_else(cut)?;
    let (name, data) = named.split_first_chunk().ok_or_else(cut)?;
    match crc32fast::hash(named) == u32::from_be_bytes(*sum) {
        true => Ok((name, data, after)),
        false => Err(format!("the checksum of {} is wrong", String::from_utf8_lossy(name)).into()),
    }
}

fn boxed(rest: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let (size, after) = rest.split_first_chunk().ok_or_else(cut)?;
    let (name, after) = after.split_first_chunk().ok_or_else(cut)?;
    let (size, head, after) = match u32::from_be_bytes(*size) {
        0 => return Ok((name, after, &[])),
        1 => {
            let (long, after) = after.split_first_chunk().ok_or_else(cut)?;
            (u64::from_be_bytes(*long), 16, after)
        }
        short => (short.into(), 8, after),
    };
    let shown = String::from_utf8_lossy(name);
    let content =
        size.checked_sub(head).ok_or_else(|| format!("{shown} is shorter than its head"))?;
    let content = usize::try_from(content).map_err(|_| cut())?;
    let (data, after) = after.split_at_checked(content).ok_or_else(cut)?;
    Ok((name, data, after))
}

#[cfg(test)]
mod tests {
    use super::{Form, Length};

    #[test]
    fn chunks_are_written_as_the_standards_show() {
        let written = |form: Form, length| {
            let mut out = Vec::new();
            form.write_as(&mut out, b"abcd", b"xyz", length, 7);
            out
        };
        assert_eq!(written(Form::Iff, Length::Short), b"abcd\0\0\0\x03xyz\x07");
        assert_eq!(written(Form::Riff, Length::Short), b"abcd\x03\0\0\0xyz\x07");
        assert_eq!(written(Form::Box, Length::Short), b"\0\0\0\x0babcdxyz");
        assert_eq!(written(Form::Box, Length::Long), b"\0\0\0\x01abcd\0\0\0\0\0\0\0\x13xyz");
        assert_eq!(written(Form::Box, Length::Open), b"\0\0\0\0abcdxyz");
        // The last chunk of every PNG file.
        let mut end = Vec::new();
        Form::Png.write(&mut end, b"IEND", b"");
        assert_eq!(end, b"\0\0\0\0IEND\xae\x42\x60\x82");
    }

    #[test]
    fn what_is_written_is_read() {
        for form in [Form::Iff, Form::Riff, Form::Png, Form::Box] {
            let mut out = Vec::new();
            form.write(&mut out, b"one ", b"xyz");
            form.write_as(&mut out, b"two ", b"", Length::Long, 0);
            form.write_as(&mut out, b"last", b"four", Length::Open, 0);
            let read: Vec<_> = form.chunks(&out).map(Result::unwrap).collect();
            assert_eq!(read, [(b"one ", &b"xyz"[..]), (b"two ", b""), (b"last", b"four")]);
            assert!(form.chunks(&out[..out.len() - 1]).any(|c| c.is_err()) || form == Form::Box);
        }
    }

    #[test]
    fn lengths_beyond_the_end_are_refused() {
        for (form, bad) in [
            (Form::Iff, &b"abcd\xff\xff\xff\xffxy"[..]),
            (Form::Riff, b"abcd\x01\0\0\0x"),
            (Form::Png, b"\xff\xff\xff\xffabcdxyzzy"),
            (Form::Box, b"\0\0\0\x01abcd\xff\xff\xff\xff\xff\xff\xff\xff"),
            (Form::Box, b"\0\0\0\x07abcd"),
        ] {
            assert!(form.chunks(bad).next().unwrap().is_err(), "{form:?}");
        }
    }
}
