//! Modified Huffman coding (TIFF 6.0, section 10; compression 2).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::Choices;

use super::lines::{read_1d, write_1d};
use super::row::Rows;
use super::stream::{Reader, Writer};
use crate::primitive::padding::Padding;

/// `ccitt_rle(x.a, columns)`: decodes rows that are coded by their runs. Each row starts at a byte.
///
/// | dimension | value | bits between a row and the next byte |
/// |---|---|---|
/// | `padding bits` | `zeros`, `ones` | all 0, all 1 |
/// | | `random:N` | random |
///
/// Readers ignore these bits (TIFF 6.0, section 10).
pub struct ModifiedHuffman;

/// The dimension.
const PADDING: &str = "padding bits";

fn write(data: &[u8], rows: Rows, padding: Padding) -> Result<Vec<u8>, PrimitiveError> {
    let mut filler = padding.bytes();
    let mut out = Writer::default();
    for changes in rows.split(data)? {
        write_1d(&changes, rows, &mut out);
        out.align(filler());
    }
    Ok(out.finish())
}

/// The rows given by the arguments.
fn rows(args: &[i128]) -> Result<Rows, PrimitiveError> {
    match args {
        [columns] => Rows::parse(*columns),
        _ => Err("the row width is missing".into()),
    }
}

impl Primitive for ModifiedHuffman {
    fn signature(&self) -> Signature<'_> {
        Signature::new("ccitt_rle").arguments(1).dimensions(&[PADDING])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let rows = rows(args)?;
        let mut stored = Reader::new(stored);
        rows.join(most, |_, _| {
            if stored.left() == 0 {
                return Ok(None);
            }
            let row = read_1d(&mut stored, rows, true)?;
            stored.align();
            Ok(Some(row))
        })
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let rows = rows(args)?;
        let padding = Padding::choose(source, PADDING)?;
        of_length(write(data, rows, padding)?, lengths)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let rows = rows(args).ok()?;
        let made = |padding: Padding| write(data, rows, padding).is_ok_and(|made| made == stored);
        let (word, _) = Padding::WORDS.into_iter().find(|(_, padding)| made(*padding))?;
        let mut own = Choices::new();
        own.set(PADDING, word);
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test;

    use inverter::solve::ChoiceSource;

    use super::*;

    fn encoded(data: &[u8], columns: i128, padding: &str) -> Result<Vec<u8>, EncodeError> {
        let mut given = Choices::new();
        given.set(PADDING, padding);
        let mut source = ChoiceSource::replaying(given);
        ModifiedHuffman.encode(data, Encoding::any_length(&[columns], &mut source))
    }

    #[test]
    fn rows_begin_at_bytes() {
        // White 2, black 3, white 5; white 0, black 10.
        let data = [0b0011_1000, 0, 0xFF, 0xC0];
        let zeros = [0b0111_1011, 0b0000_0000, 0b0011_0101, 0b0000_1000];
        assert_eq!(encoded(&data, 10, "zeros").unwrap(), zeros);
        let ones = [0b0111_1011, 0b0011_1111, 0b0011_0101, 0b0000_1001];
        assert_eq!(encoded(&data, 10, "ones").unwrap()[..1], ones[..1]);
    }

    #[test]
    fn what_is_no_row_is_said() {
        let why = |columns| encoded(&[1, 2, 3], columns, "zeros").unwrap_err().to_string();
        assert_eq!(why(16), "3 bytes are not a whole number of rows of 2 bytes");
        assert_eq!(why(0), "rows of 0 pixels");
        assert_eq!(why(1 << 32), "rows of 4294967296 pixels");
        let why = |stored: &[u8]| ModifiedHuffman.decode(stored, &[4], 2).unwrap_err().to_string();
        assert_eq!(why(&[0b1011_0000, 0]), "row 1: no run begins at bit 0 of byte 1");
    }

    #[test]
    fn round_trips() {
        test::round_trips(&ModifiedHuffman, &[&[8], &[16], &[64], &[256]], 300).unwrap();
    }
}
