//! Reads and writes the entries of tar archives.

mod entry;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::{ChoiceSource, Choices};

use super::padding::Padding;
use super::policy::Policy;
use entry::{from_bytes, to_bytes};
use write::Style;

/// `tar_entries(x.file)`: decodes an archive to its regular files, one after another, each as
///
/// | bytes | |
/// |---|---|
/// | 2 | the length of its name |
/// | 4 each | mode, owner, group, and time of last change in seconds |
/// | 4 | the length of its content |
/// | | its name, then its content |
///
/// with numbers most significant byte first. Sources: POSIX.1-2017, pax, "ustar Interchange Format"
/// and "pax Interchange Format", and the manual of GNU tar, "Basic Tar Format". Anything but
/// regular files is refused, as are names of users and groups, which not all headers have.
///
/// | dimension | value | |
/// |---|---|---|
/// | `headers` | `ustar`, `gnu`, `v7`, `pax` | the headers of all entries that they can represent, else `pax`; with `pax`, every entry has an extended header |
/// | | `random:N` | random headers for each entry |
/// | `numbers` | `zeros`, `spaces`, `short`, `base-256` | octal digits with leading zeros and a NUL behind; with spaces before and behind; without padding before; binary (in GNU headers) |
/// | | `random:N` | a random form for each number |
/// | `prefix` | `needed`, `first` | the place where ustar splits names: as late as possible, and only if too long; at the first slash |
/// | `type` | `0`, `NUL` | the type of a regular file in headers |
/// | `padding` | `zeros`, `ones`, `random:N` | the bytes that pad a file to whole blocks |
/// | `end` | `two`, `record`, `one` | blocks of zeros at the end: two; up to a record of twenty; one |
pub struct TarEntries;

const HEADERS: &str = "headers";
const NUMBERS: &str = "numbers";
const PREFIX: &str = "prefix";
const TYPE: &str = "type";
const PADDING: &str = "padding";
const END: &str = "end";

impl Primitive for TarEntries {
    fn signature(&self) -> Signature<'_> {
        Signature::new("tar_entries").dimensions(&[HEADERS, NUMBERS, PREFIX, TYPE, PADDING, END])
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let out = to_bytes(&read::read(stored)?)?;
        from_bytes(&out).map(|_| out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let entries = from_bytes(data)?;
        let style = Style {
            headers: Policy::choose(source, HEADERS, &write::KINDS)?,
            numbers: Policy::choose(source, NUMBERS, &write::NUMBERS)?,
            split_first: source.named(PREFIX, &["needed", "first"])? == 1,
            nul: source.named(TYPE, &["0", "NUL"])? == 1,
            padding: Padding::choose(source, PADDING)?,
            end: source.named(END, &["two", "record", "one"])?,
        };
        of_length(write::write(&entries, style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only if all headers are of one kind.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        for kind in write::KINDS {
            for number in write::NUMBERS {
                for end in ["two", "record", "one"] {
                    let mut own = Choices::new();
                    for (dimension, value) in [(HEADERS, kind), (NUMBERS, number), (END, end)] {
                        own.set(dimension, value);
                    }
                    let mut source = ChoiceSource::replaying(own);
                    let made = self.encode(data, Encoding::any_length(args, &mut source)).ok()?;
                    if made == stored {
                        return Some(source.into_recorded());
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::entry::{BLOCK, Entry};
    use super::*;

    fn entries() -> Vec<Entry> {
        let entry = |name: &str, size: usize| Entry {
            name: name.as_bytes().to_vec(),
            numbers: [0o644, 1000, 0, 951_782_400],
            content: vec![7; size],
        };
        let long = format!("{}/{}", "d".repeat(90), "f".repeat(60));
        vec![entry("a", 0), entry("b/c", 512), entry(&long, 3), entry(&"n".repeat(200), 600)]
    }

    #[test]
    fn archives_are_made_in_many_ways() {
        let data = to_bytes(&entries()).unwrap();
        assert_eq!(from_bytes(&data).unwrap(), entries());
        let made = encodings(&TarEntries, &[], &data, 300).unwrap();
        assert!(made.iter().all(|stored| stored.len() % BLOCK == 0));
        assert!(made.len() > 200, "{}", made.len());
        assert!(TarEntries.accepts(&data[1..], &[]).is_err());
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        let data = to_bytes(&entries()[..1]).unwrap();
        let mut source = ChoiceSource::replaying(Choices::new());
        let good = TarEntries.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
        let with = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] = byte;
            TarEntries.decode(&bad, &[], 0).unwrap_err().to_string()
        };
        assert!(with(0, b'z').contains("checksum"));
        assert!(with(148, b'z').contains("no number"));
        assert!(
            TarEntries
                .decode(&good[..512], &[], 0)
                .unwrap_err()
                .to_string()
                .contains("does not end")
        );
        assert!(
            TarEntries.decode(&good[..700], &[], 0).unwrap_err().to_string().contains("blocks")
        );
    }
}
