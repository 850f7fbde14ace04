//! Strings that are found by their places in a table, as in ELF.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

use super::policy::{Policy, plainest};

/// `string_table(x.a, count)`: decodes `count` places of four bytes, least significant byte first, and the string table
/// after them, and returns the strings at these places, each followed by a NUL.
///
/// Source: System V Application Binary Interface, chapter 4, "String Table". The first and the last byte of a table are
/// NUL. A string may begin inside another one, occur several times, or be unused.
///
/// | dimension | value | |
/// |---|---|---|
/// | `order` | `given`, `reversed`, `random:N` | the order of strings in the table |
/// | `sharing` | `suffixes` | a string that ends another one is not written again |
/// | | `equal` | equal strings are written once |
/// | | `none` | each string is written |
/// | | `random:N` | some strings that end another one are not written again |
/// | `unused` | `none`, `random:N` | strings that no place names, between and after the others |
pub struct StringTable;

const ORDER: &str = "order";
const SHARING: &str = "sharing";
const UNUSED: &str = "unused";

/// The number of bytes of a place.
const PLACE: usize = 4;

fn count(args: &[i128]) -> Result<usize, PrimitiveError> {
    let &[count] = args else { return Err("a string table takes 1 argument".into()) };
    usize::try_from(count).map_err(|_| format!("{count} is no number of strings").into())
}

/// The strings of the decoded form.
fn strings(data: &[u8], count: usize) -> Result<Vec<&[u8]>, PrimitiveError> {
    let ended = data.split_inclusive(|b| *b == 0).map(|s| s.strip_suffix(b"\0"));
    let all: Option<Vec<&[u8]>> = ended.collect();
    let all = all.ok_or("the last string has no end")?;
    match all.len() == count {
        true => Ok(all),
        false => Err(format!("{} strings in place of {count}", all.len()).into()),
    }
}

/// For each string, the string of which it is a suffix: itself, or one that is not a suffix of another.
fn hosts(strings: &[&[u8]], sharing: Policy) -> Vec<usize> {
    let mut rng = sharing.rng();
    let mut longest: Vec<usize> = (0..strings.len()).collect();
    longest.sort_by_key(|k| std::cmp::Reverse(strings[*k].len()));
    let mut hosts: Vec<usize> = (0..strings.len()).collect();
    let mut roots: Vec<usize> = Vec::new();
    for k in longest {
        let fits = |root: &usize| match sharing {
            Policy::Word(2) => false,
            Policy::Word(1) => strings[*root] == strings[k],
            _ => strings[*root].ends_with(strings[k]),
        };
        let fit: Vec<usize> = roots.iter().copied().filter(fits).collect();
        let host = match &mut rng {
            Some(rng) => match rng.random() {
                true => fit.choose(rng),
                false => None,
            },
            None => fit.first(),
        };
        match host {
            Some(host) => hosts[k] = *host,
            None => roots.push(k),
        }
    }
    hosts
}

/// Writes the places and the table.
fn write(strings: &[&[u8]], order: Policy, sharing: Policy, unused: Policy) -> Vec<u8> {
    let hosts = hosts(strings, sharing);
    let mut written: Vec<usize> =
        (0..strings.len()).filter(|k| hosts[*k] == *k && !strings[*k].is_empty()).collect();
    match (order.rng(), order) {
        (Some(mut rng), _) => written.shuffle(&mut rng),
        (None, Policy::Word(1)) => written.reverse(),
        (None, _) => {}
    }
    let mut unused = unused.rng();
    let mut more = |table: &mut Vec<u8>| {
        let Some(rng) = &mut unused else { return };
        if rng.random_bool(0.3) {
            let length = rng.random_range(0..12);
            table.extend((0..length).map(|_| rng.random_range(b'!'..=b'~')));
            table.push(0);
        }
    };
    let mut table = vec![0];
    let mut places = vec![0; strings.len()];
    for k in written {
        more(&mut table);
        places[k] = table.len();
        table.extend(strings[k]);
        table.push(0);
    }
    more(&mut table);
    let place = |k: usize| match strings[k].is_empty() {
        true => 0,
        false => places[hosts[k]] + strings[hosts[k]].len() - strings[k].len(),
    };
    let places = (0..strings.len()).flat_map(|k| (place(k) as u32).to_le_bytes());
    places.chain(table.iter().copied()).collect()
}

impl Primitive for StringTable {
    fn signature(&self) -> Signature<'_> {
        Signature::new("string_table").arguments(1).dimensions(&[ORDER, SHARING, UNUSED])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let places = count(args)?.saturating_mul(PLACE);
        let (places, table) =
            stored.split_at_checked(places).ok_or("there are fewer places than strings")?;
        if table.first() != Some(&0) || table.last() != Some(&0) {
            return Err("the string table does not begin and end with a NUL".into());
        }
        let mut out = Vec::new();
        for place in places.chunks_exact(PLACE) {
            let at = place.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
            let rest = table
                .get(at..)
                .filter(|rest| !rest.is_empty())
                .ok_or_else(|| format!("place {at} is behind the string table"))?;
            out.extend(rest.split_inclusive(|b| *b == 0).next().unwrap_or_default());
            if out.len() > most {
                return Err(PrimitiveError::of_size());
            }
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let strings = strings(data, count(args)?)?;
        let order = Policy::choose(source, ORDER, &["given", "reversed"])?;
        let sharing = Policy::choose(source, SHARING, &["suffixes", "equal", "none"])?;
        let unused = Policy::choose(source, UNUSED, &["none"])?;
        of_length(write(&strings, order, sharing, unused), lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let fits = count(args).and_then(|count| strings(data, count).map(drop));
        fits.map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the plainest choices, if the table was written with them.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;
    use inverter::solve::ChoiceSource;

    use super::*;

    const NAMES: &[u8] = b"\0.text\0.rela.text\0.data\0.text\0";

    #[test]
    fn tables_are_written_in_many_ways() {
        assert!(encodings(&StringTable, &[5], NAMES, 200).unwrap().len() > 100);
        let mut source = ChoiceSource::replaying(Choices::new());
        let plain = StringTable.encode(NAMES, Encoding::any_length(&[5], &mut source)).unwrap();
        let places = [0u32, 6, 1, 12, 6].map(u32::to_le_bytes).concat();
        assert_eq!(plain, [&places[..], b"\0.rela.text\0.data\0"].concat());
        assert!(StringTable.own_choices(&plain, NAMES, &[5]).is_some());
    }

    #[test]
    fn words_are_obeyed() {
        let names: Vec<&[u8]> = vec![b"", b"ab", b"b", b"ab"];
        let table = |order: usize, sharing: usize| {
            let [order, sharing, unused] = [order, sharing, 0].map(Policy::Word);
            write(&names, order, sharing, unused)[16..].to_vec()
        };
        assert_eq!(table(0, 0), b"\0ab\0");
        assert_eq!(table(0, 1), b"\0ab\0b\0");
        assert_eq!(table(0, 2), b"\0ab\0b\0ab\0");
        assert_eq!(table(1, 1), b"\0b\0ab\0");
    }

    #[test]
    fn other_tables_are_refused() {
        for (stored, why) in [
            (&b"\x01\0\0"[..], "fewer places"),
            (b"\x01\0\0\0", "begin and end"),
            (b"\x01\0\0\0\0a", "begin and end"),
            (b"\x03\0\0\0\0a\0", "behind the string table"),
        ] {
            let found = StringTable.decode(stored, &[1], 99).unwrap_err().to_string();
            assert!(found.contains(why), "{why}: {found}");
        }
        assert!(StringTable.accepts(b"a\0b", &[2]).is_err());
        assert!(StringTable.accepts(b"a\0", &[2]).is_err());
    }
}
