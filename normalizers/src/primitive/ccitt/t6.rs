//! T.6 coding (TIFF 6.0, section 11; compression 4).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::Choices;

use super::lines::{Modes, read_2d, write_2d};
use super::row::Rows;
use super::stream::{EOL, Reader, Writer};

/// `ccitt_t6(x.a, columns, options)`: decodes rows that are coded by their differences from the row above; the first
/// row is coded relative to a white row. `options` is `T6Options`, which must be 0.
///
/// | dimension | value | mode of a row's next piece |
/// |---|---|---|
/// | `modes` | `standard` | pass, else vertical, else horizontal: the standard's procedure |
/// | | `single-pass` | the same, but no two pass modes in a row |
/// | | `no-pass` | the same without pass mode |
/// | | `horizontal` | always horizontal |
/// | | `random:N` | any possible mode, at random |
///
/// A note in the standards allows `single-pass`. The other values depart from the standards' encoding procedure, but
/// not from the meaning of codes, so every decoder can read them. Pass mode is used only if b2 is to the left of a1.
///
/// Streams are written with an end mark (EOFB) and padded with zeros, as writers should do. Streams without the mark
/// are decoded as well.
pub struct T6;

/// The dimension.
const MODES: &str = "modes";

fn write(data: &[u8], rows: Rows, modes: Modes) -> Result<Vec<u8>, PrimitiveError> {
    let mut out = Writer::default();
    let mut rng = modes.rng();
    let mut above = Vec::new();
    for changes in rows.split(data)? {
        write_2d(&changes, &above, rows, modes, &mut rng, &mut out);
        above = changes;
    }
    out.put(EOL.0, EOL.1);
    out.put(EOL.0, EOL.1);
    Ok(out.finish())
}

/// The rows given by the arguments.
fn rows(args: &[i128]) -> Result<Rows, PrimitiveError> {
    match args {
        [columns, 0] => Rows::parse(*columns),
        [_, options] => Err(format!("T6Options of {options}; only 0 is supported").into()),
        _ => Err("T.6 takes 2 arguments".into()),
    }
}

impl Primitive for T6 {
    fn signature(&self) -> Signature<'_> {
        Signature::new("ccitt_t6").arguments(2).dimensions(&[MODES])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let rows = rows(args)?;
        let mut stored = Reader::new(stored);
        rows.join(most, |above, _| {
            // An end of line does not begin a row; the end mark consists of two.
            if stored.is_over() || stored.peek(EOL.1) == EOL.0 {
                return Ok(None);
            }
            read_2d(&mut stored, above, rows).map(Some)
        })
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let rows = rows(args)?;
        let modes = source.policy(MODES, &Modes::WORDS, Modes::Random)?;
        of_length(write(data, rows, modes)?, lengths)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let rows = rows(args).ok()?;
        let made = |modes| write(data, rows, modes).is_ok_and(|made| made == stored);
        let (word, _) = Modes::WORDS.into_iter().find(|(_, modes)| made(*modes))?;
        let mut own = Choices::new();
        own.set(MODES, word);
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test;

    use inverter::solve::ChoiceSource;

    use super::*;

    fn encoded(data: &[u8], args: &[i128]) -> Result<Vec<u8>, EncodeError> {
        T6.encode(data, Encoding::any_length(args, &mut ChoiceSource::replaying(Choices::new())))
    }

    #[test]
    fn rows_and_the_end() {
        assert_eq!(encoded(&[], &[16, 0]).unwrap(), [0x00, 0x10, 0x01]);
        // V0; horizontal, white 2 and black 6; V0 three times.
        let data = [0, 0b0011_1111, 0b0011_1111];
        let stored = [0b1001_0111, 0b0010_1100, 0b0000_0000, 0b0100_0000, 0b0000_0100];
        assert_eq!(encoded(&data, &[8, 0]).unwrap(), stored);
        assert_eq!(T6.decode(&stored, &[8, 0], 3).unwrap(), data);
        assert_eq!(T6.decode(&stored, &[8, 0], 9).unwrap(), data, "the end comes first");
        assert_eq!(T6.decode(&stored[..2], &[8, 0], 9).unwrap(), data, "no mark");
        assert_eq!(T6.decode(&stored, &[8, 0], 2).unwrap(), data[..2]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let why = |args: &[i128]| encoded(&[1, 2, 3], args).unwrap_err().to_string();
        assert_eq!(why(&[9, 0]), "3 bytes are not a whole number of rows of 2 bytes");
        assert_eq!(why(&[8, 2]), "T6Options of 2; only 0 is supported");
        let cut = T6.decode(&[0b1001_0111, 0x20, 0x0F], &[8, 0], 9).unwrap_err().to_string();
        assert_eq!(cut, "row 2: no mode begins at bit 4 of byte 1");
    }

    #[test]
    fn round_trips() {
        test::round_trips(&T6, &[&[8, 0], &[32, 0], &[128, 0], &[256, 0]], 300).unwrap();
    }
}
