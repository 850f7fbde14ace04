//! Parses chunks of any format: IFF, RIFF, those of PNG, and the boxes of MP4.

mod form;
mod pattern;
mod write;

pub(super) use form::Form;
use pattern::Pattern;
pub(super) use write::cut;
use write::{LENGTHS, ORDER, OTHERS, PADDING, PIECES, Style};

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::policy::plainest;

/// `iff_chunks(x.a, start, item, ..)`, and `riff_chunks`, `crc_chunks` and `mp4_boxes` with the same
/// arguments: return the contents of the chunks of an array.
///
/// The first `start` bytes are not chunks, and are returned unchanged. The items describe the chunks after them, in
/// order:
///
/// | item | chunks |
/// |---|---|
/// | `b"fmt "` | one of this name |
/// | `b"PLTE?"` | one of this name, with content, or none |
/// | `b"IDAT+"` | one or more of this name in a row: pieces of one content |
/// | `b"*"` | any number of others, whose names are not listed. In the form of PNG only ancillary ones |
/// | `b"shuffled"` | the items after it, up to `b"ordered"` or the end, are in any order, and others anywhere among them if `b"*"` is one of them |
/// | `b"end"` | of boxes: the last one may state no length, and extends to the end |
///
/// The result consists of the first `start` bytes; then, for each listed chunk but the last, the length of its content
/// in four bytes (0 if it is absent), in the byte order of the form's lengths; then the contents, in the order of the
/// list. Nothing may follow the last chunk. A chunk must be padded even if it is the last.
///
/// | dimension | value | |
/// |---|---|---|
/// | `chunk order` | `listed`, `reversed`, `random:N` | of chunks that are shuffled, if there are several |
/// | `other chunks` | `none`, `random:N` | up to two, wherever a `*` allows them: names that the standard reserves for what is to be ignored, and unknown ones |
/// | `pieces` | `one`, `bytes`, `random:N` | of a content that may be cut: one; a byte in each; cut anywhere, some of them empty |
/// | `chunk padding` | `zeros`, `ones`, `random:N` | the bytes after contents of an odd length, in IFF and RIFF |
/// | `box lengths` | `short`, `long` | of boxes: 32 or 64 bits |
/// | | `open`, `random:N` | the last box states none, if it need not; any |
pub struct Chunks {
    name: &'static str,
    form: Form,
}

impl Chunks {
    /// `iff_chunks`: big-endian lengths, contents padded to an even length.
    pub const IFF: Chunks = Chunks { name: "iff_chunks", form: Form::Iff };
    /// `riff_chunks`: the same with little-endian lengths.
    pub const RIFF: Chunks = Chunks { name: "riff_chunks", form: Form::Riff };
    /// `crc_chunks`: the length before the name, and a checksum after the content, as in PNG.
    pub const CRC: Chunks = Chunks { name: "crc_chunks", form: Form::Png };
    /// `mp4_boxes`: lengths that include the box's head.
    pub const BOXES: Chunks = Chunks { name: "mp4_boxes", form: Form::Box };

    fn pattern(&self, args: &[i128]) -> Result<(usize, Pattern), PrimitiveError> {
        let [start, items @ ..] = args else { return Err("the start is missing".into()) };
        let Ok(start) = usize::try_from(*start) else {
            return Err(format!("chunks cannot start at {start}").into());
        };
        Ok((start, Pattern::parse(self.form, items)?))
    }

    /// Splits decoded data into the bytes before the chunks and the contents of the listed ones.
    fn contents<'a>(
        &self,
        data: &'a [u8],
        start: usize,
        pattern: &Pattern,
    ) -> Result<(&'a [u8], Vec<&'a [u8]>), PrimitiveError> {
        let count = pattern.listed.len();
        let short = || {
            let (found, least) = (data.len(), start.saturating_add(4 * (count - 1)));
            format!("{found} bytes; at least {least} stand for {count} chunks")
        };
        let (front, rest) = data.split_at_checked(start).ok_or_else(short)?;
        let (lengths, mut rest) = rest.split_at_checked(4 * (count - 1)).ok_or_else(short)?;
        let mut contents = Vec::with_capacity(count);
        for (digits, listed) in lengths.as_chunks().0.iter().zip(&pattern.listed) {
            let length = self.form.length(*digits);
            let (content, after) = rest.split_at_checked(length).ok_or_else(|| {
                let name = listed.name.escape_ascii();
                format!("{name} has a length of {length}, and {} bytes are left", rest.len())
            })?;
            contents.push(content);
            rest = after;
        }
        contents.push(rest);
        Ok((front, contents))
    }
}

impl Primitive for Chunks {
    fn signature(&self) -> Signature<'_> {
        let dimensions: &[&str] = match self.form {
            Form::Iff | Form::Riff => &[ORDER, OTHERS, PIECES, PADDING],
            Form::Png => &[ORDER, OTHERS, PIECES],
            Form::Box => &[ORDER, OTHERS, PIECES, LENGTHS],
        };
        Signature::new(self.name).arguments(2).with_more().dimensions(dimensions)
    }

    fn decode(&self, stored: &[u8], args: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let (start, pattern) = self.pattern(args)?;
        let ends = || format!("{} bytes; chunks start at {start}", stored.len());
        let (front, rest) = stored.split_at_checked(start).ok_or_else(ends)?;
        let contents = pattern.read(self.form, rest)?;
        let mut out = front.to_vec();
        for content in &contents[..contents.len() - 1] {
            out.extend(self.form.number(content.len() as u32));
        }
        out.extend(contents.concat());
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let (start, pattern) = self.pattern(args)?;
        let (front, contents) = self.contents(data, start, &pattern)?;
        let style = Style::choose(self.form, &pattern, &contents, source)?;
        let chunks = write::chunks(self.form, &pattern, &contents, &style);
        let mut out = front.to_vec();
        write::write(self.form, &pattern, &chunks, source, &mut out)?;
        of_length(out, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let checked = || {
            let (start, pattern) = self.pattern(args)?;
            self.contents(data, start, &pattern).map(drop)
        };
        checked().map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only for the plainest form.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests;
