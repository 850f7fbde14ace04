//! Reads and writes tables of dBASE.

mod model;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::policy::{Policy, plainest};
use model::Table;
use write::Style;

/// `dbf_table(x.file)`: decodes a table of dBASE III without memos to
///
/// | bytes | |
/// |---|---|
/// | 0 | the number of fields |
/// | 1 .. | for each field the length of its name, the name, its type (`C`, `N`, `L`, `D`), and its decimals |
/// | 4 bytes | the number of records that are not deleted, least significant byte first |
/// | .. | for each record and field the length of the value, and its text |
///
/// Texts have no trailing blanks and numbers no leading blanks; truth values are `T`, `F` or empty, and dates have
/// eight digits or are empty.
///
/// Source: the file structure of dBASE III PLUS tables (Ashton-Tate, and "Xbase File Format Description"). The header's
/// length determines where records begin, and the fields determine the length of a record. An end mark follows the last
/// record.
///
/// | dimension | value | |
/// |---|---|---|
/// | `widths` | `least`, `random:N` | as the longest value needs, or up to 20 more; numbers have at most 18 |
/// | `truth` | `T`, `Y`, `random:N` | `T` and `F`, `Y` and `N`, or any of these in either case |
/// | `header` | `least`, `two`, `random:N` | nothing, one zero, or up to 300 zeros after the mark that ends the fields |
/// | `deleted` | `none`, `random:N` | records that are marked as deleted, anywhere |
/// | `date` | `2000`, `random:N` | the date of the last update |
/// | `reserved` | `zeros`, `random:N` | the bytes for use by several users, and the addresses of fields in memory |
/// | `language` | `none`, `random:N` | a code page in which all values here have the same bytes |
pub struct DbfTable;

const WIDTHS: &str = "widths";
const TRUTH: &str = "truth";
const HEADER: &str = "header";
const DELETED: &str = "deleted";
const DATE: &str = "date";
const RESERVED: &str = "reserved";
const LANGUAGE: &str = "language";

impl Primitive for DbfTable {
    fn signature(&self) -> Signature<'_> {
        Signature::new("dbf_table")
            .dimensions(&[WIDTHS, TRUTH, HEADER, DELETED, DATE, RESERVED, LANGUAGE])
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        read::read(stored).map(|table| table.to_bytes())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let table = Table::from_bytes(data)?;
        let truth = if table.fields.iter().any(|f| f.kind == b'L') {
            Policy::choose(source, TRUTH, &["T", "Y"])?
        } else {
            Policy::Word(0)
        };
        let style = Style {
            widths: Policy::choose(source, WIDTHS, &["least"])?,
            truth,
            header: Policy::choose(source, HEADER, &["least", "two"])?,
            deleted: Policy::choose(source, DELETED, &["none"])?,
            date: Policy::choose(source, DATE, &["2000"])?,
            reserved: Policy::choose(source, RESERVED, &["zeros"])?,
            language: Policy::choose(source, LANGUAGE, &["none"])?,
        };
        of_length(write::write(&table, &style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        Table::from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of the plainest style, if the file has it.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;
    use inverter::solve::ChoiceSource;

    use super::*;

    const TABLE: &[u8] =
        b"\x04\x02IDN\x00\x01PN\x02\x04NAMEC\x00\x02OKL\x00\x02\0\0\0\x0242\x053.50\x00";

    fn table() -> Vec<u8> {
        let mut data = b"\x03\x02IDN\0\x04NAMEC\0\x02OKL\0\x02\0\0\0".to_vec();
        for value in ["42", "ab c", "T", "-7", "", ""] {
            data.push(value.len() as u8);
            data.extend(value.bytes());
        }
        data
    }

    #[test]
    fn tables_are_written_in_many_ways() {
        let data = table();
        assert!(encodings(&DbfTable, &[], &data, 100).unwrap().len() > 90);
        let mut source = ChoiceSource::replaying(Choices::new());
        let plain = DbfTable.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
        assert!(DbfTable.own_choices(&plain, &data, &[]).is_some());
        // Two digits, four characters and one truth value, after the mark of each record.
        assert_eq!(plain[8..12], [32 + 3 * 32 + 1, 0, 8, 0]);
        assert!(plain.ends_with(b" 42ab cT -7    ?\x1a"), "{plain:?}");
        assert!(DbfTable.accepts(TABLE, &[]).is_err());
    }

    #[test]
    fn other_files_are_refused() {
        let data = table();
        let mut source = ChoiceSource::replaying(Choices::new());
        let plain = DbfTable.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
        let with = |at: usize, value: u8| {
            let mut file = plain.clone();
            file[at] = value;
            DbfTable.decode(&file, &[], 999).unwrap_err().to_string()
        };
        let last = plain.len() - 1;
        for (at, value, why) in [
            (0, 0x83, "version"),
            (4, 3, "records"),
            (10, 9, "a record has"),
            (32 + 11, b'M', "type"),
            (32 + 96, b'x', "mark behind the fields"),
            (129, b'+', "deleted"),
            (130, b'x', "no number"),
            (136, b'x', "truth"),
            (last, 0, "end mark"),
        ] {
            let found = with(at, value);
            assert!(found.contains(why), "{why}: {found}");
        }
    }
}
