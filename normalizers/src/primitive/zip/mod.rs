//! Reads and writes ZIP archives.

mod model;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::deflate::raw::{DIMENSIONS, Raw};
use super::policy::{Policy, number, plainest};
use model::from_bytes;
use write::Style;

/// `zip_entries(x.file)`: decodes an archive to its files, in the order of the central directory, each as
///
/// | bytes | |
/// |---|---|
/// | 2 | the length of its name |
/// | 4 | the date and the time of its last change, as MS-DOS has them |
/// | 1, 2, 4 | the system that made it, its internal and its external attributes |
/// | 4 | the length of its content |
/// | | its name, then its content |
///
/// with numbers most significant byte first. Source: APPNOTE.TXT 6.3.10 (PKWARE). Names are relative, without
/// backslashes, of ASCII. Directories, encryption, several disks, methods other than Stored and Deflate, and extra
/// fields with times or names are refused.
///
/// | dimension | value | |
/// |---|---|---|
/// | `methods` | `deflated`, `stored`, `random:N` | the method of each file that is not empty |
/// | `matches`, `blocks`, `coding`, `tables`, `spare bits` | | as those of `deflate` |
/// | `order` | `directory`, `reversed`, `random:N` | the order of the files, while that of the directory is fixed |
/// | `prefix` | `none`, `random:N` | up to 300 bytes before the first file, which offsets count |
/// | `descriptors` | `none`, `signed`, `unsigned`, `random:N` | checksum and sizes after the data in place of the local header, with or without a signature |
/// | `zip64` | `none` | no entry has 64-bit sizes |
/// | | `local`, `central`, `both` | all entries have them, in the local header unless there is a data descriptor, and in the central one |
/// | | `random:N` | some, and in the central header any of the three numbers |
/// | `zip64 end` | `none`, `present`, `marked` | a ZIP64 end record beside an end record with all numbers; one that takes their place |
/// | `extra` | `none`, `random:N` | extra fields of unregistered identifiers, others in the local and in the central header |
/// | `comments` | `none`, `random:N` | comments of files |
/// | `comment` | `none`, `random:N` | the comment of the archive, of up to 300 bytes |
/// | `version` | `least`, `2.0` | the version that is needed; the same, but at least 2.0 |
/// | `effort` | 0 to 3 | the bits for the effort of Deflate |
/// | `utf-8` | 0, 1 | the bit for names in UTF-8, which does not matter for ASCII |
/// | `made by` | `2.0`, `3.0`, `6.3` | the version of the writer |
pub struct ZipEntries;

const METHODS: &str = "methods";
const ORDER: &str = "order";
const PREFIX: &str = "prefix";
const DESCRIPTORS: &str = "descriptors";
const WIDE: &str = "zip64";
const WIDE_END: &str = "zip64 end";
const EXTRA: &str = "extra";
const COMMENTS: &str = "comments";
const COMMENT: &str = "comment";
const VERSION: &str = "version";
const EFFORT: &str = "effort";
const UTF8: &str = "utf-8";
const BY: &str = "made by";

const ALL: [&str; 18] = [
    METHODS,
    DIMENSIONS[0],
    DIMENSIONS[1],
    DIMENSIONS[2],
    DIMENSIONS[3],
    DIMENSIONS[4],
    ORDER,
    PREFIX,
    DESCRIPTORS,
    WIDE,
    WIDE_END,
    EXTRA,
    COMMENTS,
    COMMENT,
    VERSION,
    EFFORT,
    UTF8,
    BY,
];

impl Primitive for ZipEntries {
    fn signature(&self) -> Signature<'_> {
        Signature::new("zip_entries").dimensions(&ALL)
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let out = read::read(stored, most)?;
        from_bytes(&out)?;
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let entries = from_bytes(data)?;
        let style = Style {
            methods: Policy::choose(source, METHODS, &write::METHODS)?,
            deflate: Raw::choose(source)?,
            order: Policy::choose(source, ORDER, &write::ORDERS)?,
            prefix: Policy::choose(source, PREFIX, &["none"])?,
            descriptors: Policy::choose(source, DESCRIPTORS, &write::DESCRIPTORS)?,
            zip64: Policy::choose(source, WIDE, &write::ZIP64S)?,
            end: source.named(WIDE_END, &write::ENDS)?,
            extra: Policy::choose(source, EXTRA, &["none"])?,
            comments: Policy::choose(source, COMMENTS, &["none"])?,
            comment: Policy::choose(source, COMMENT, &["none"])?,
            version: source.named(VERSION, &["least", "2.0"])? == 1,
            effort: number(source, EFFORT, 0..=3, 0)? as u16,
            utf8: number(source, UTF8, 0..=1, 0)? == 1,
            by: [20, 30, 63][source.named(BY, &["2.0", "3.0", "6.3"])?],
        };
        of_length(write::write(&entries, &style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of the plainest archive, if this is it.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests;
