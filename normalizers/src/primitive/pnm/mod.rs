//! Reads and writes Netpbm's formats, whose numbers may be text.

mod model;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::padding::Padding;
use super::policy::{Policy, plainest};
use model::Pnm;
use write::Style;

/// `pnm_text(x.file)`: decodes a file of PBM, PGM, PPM or PAM, plain or raw, to
///
/// | bytes | |
/// |---|---|
/// | 0 | the digit of its magic number |
/// | 1 to 4, 5 to 8 | width and height, most significant byte first |
/// | 9 | samples of a pixel |
/// | 10 | the tuple type: 0 none, 1 `BLACKANDWHITE`, 2 `GRAYSCALE`, 3 `RGB`, 4 to 6 the same with `_ALPHA` |
/// | 11, 12 | the greatest sample, most significant byte first; 1 for PBM |
/// | 13 .. | samples, row by row: a byte each, or two if the greatest is above 255 |
///
/// Sources: the manual pages pbm(5), pgm(5), ppm(5) and pam(5). A file has one picture. Comments inside
/// numbers, which these pages allow, are neither read nor written.
///
/// | dimension | value | |
/// |---|---|---|
/// | `white space` | `usual`, `spaces`, `random:N` | the separators of a header's numbers |
/// | `comments` | `none`, `first`, `random:N` | none; one after the magic number; anywhere |
/// | `zeros` | `none`, `one`, `random:N` | leading zeros of numbers |
/// | `lines` | `rows`, `samples`, `random:N` | the places of line ends among plain samples |
/// | `order` | `usual`, `reversed`, `random:N` | the order of the lines of a PAM header |
/// | `row padding` | `zeros`, `ones`, `random:N` | the unused bits at the end of a row of raw PBM |
pub struct PnmText;

const SPACE: &str = "white space";
const COMMENTS: &str = "comments";
const ZEROS: &str = "zeros";
const LINES: &str = "lines";
const ORDER: &str = "order";
const PADDING: &str = "row padding";

impl Primitive for PnmText {
    fn signature(&self) -> Signature<'_> {
        Signature::new("pnm_text").dimensions(&[SPACE, COMMENTS, ZEROS, LINES, ORDER, PADDING])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let pnm = read::read(stored, most)?;
        Ok(pnm.to_bytes())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let pnm = Pnm::from_bytes(data)?;
        let mut style = Style {
            space: Policy::choose(source, SPACE, &write::SPACES)?,
            comments: Policy::choose(source, COMMENTS, &write::COMMENTS)?,
            zeros: Policy::choose(source, ZEROS, &write::ZEROS)?,
            ..Style::default()
        };
        if pnm.kind <= 3 {
            style.lines = Policy::choose(source, LINES, &write::LINES)?;
        }
        if pnm.kind == 7 {
            style.order = Policy::choose(source, ORDER, &write::ORDERS)?;
        }
        if pnm.kind == 4 && !pnm.width.is_multiple_of(8) {
            style.padding = Padding::choose(source, PADDING)?;
        }
        of_length(write::write(&pnm, &style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        Pnm::from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of the usual style, if the file has it.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;
    use inverter::solve::ChoiceSource;

    use super::*;

    fn decoded(file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        PnmText.decode(file, &[], 1000)
    }

    const BITS: [u8; 19] = [1, 0, 0, 0, 3, 0, 0, 0, 2, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1];

    #[test]
    fn numbers_are_read_as_the_manual_pages_say() {
        assert_eq!(decoded(b"P1 # two rows\n3\t002 101\n0 0 1\n").unwrap(), BITS);
        assert_eq!(decoded(b"P4\n3 2\n\xa0\x3f").unwrap()[1..], BITS[1..]);
        let deep = [5, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 200];
        assert_eq!(decoded(b"P5 1 1 256\n\x00\xc8").unwrap(), deep);
        assert_eq!(decoded(b"P2 1 1 256 200").unwrap()[9..], deep[9..]);
        let pam = b"P7\nHEIGHT 1\n#\nWIDTH  1\n\nMAXVAL 9\nDEPTH 2\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x01\x09";
        assert_eq!(decoded(pam).unwrap(), [7, 0, 0, 0, 1, 0, 0, 0, 1, 2, 5, 0, 9, 1, 9]);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for (file, why) in [
            (&b"P8 1 1\n"[..], "magic number"),
            (b"P5 1 1 0\n\0", "greatest sample"),
            (b"P5 1 1 65536\n\0", "greatest sample"),
            (b"P5 1 x", "no number"),
            (b"P5 1 1 255 \0\0", "data after the samples (length 1)"),
            (b"P5 2 1 255\n\0", "samples are missing"),
            (b"P5 1 1 9\n\x0a", "above 9"),
            (b"P2 1 1 9 10", "above 9"),
            (b"P1 1 1 2", "above 1"),
            (b"P5 9999999 9999999 255\n", "pixels"),
            (b"P7\nWIDTH 1\nENDHDR\n", "says no"),
        ] {
            let found = decoded(file).unwrap_err().to_string();
            assert!(found.contains(why), "{}: {found}", String::from_utf8_lossy(file));
        }
    }

    #[test]
    fn pictures_are_written_in_many_ways() {
        for (kind, depth, tuple, maxval) in [
            (1, 1, 0, 1),
            (2, 1, 0, 300),
            (3, 3, 0, 255),
            (4, 1, 0, 1),
            (5, 1, 0, 9),
            (7, 4, 6, 257),
        ] {
            let size = if maxval > 255 { 2 } else { 1 };
            let samples = (0..11 * 3 * u32::from(depth)).flat_map(|k| {
                let value = (k * k % (u32::from(maxval) + 1)) as u16;
                value.to_be_bytes()[2 - size..].to_vec()
            });
            let samples = samples.collect();
            let pnm = Pnm { kind, width: 11, height: 3, depth, tuple, maxval, samples };
            let data = pnm.to_bytes();
            let made = encodings(&PnmText, &[], &data, 200).unwrap();
            for text in made.iter().map(|stored| String::from_utf8_lossy(stored)) {
                assert!(kind > 3 || text.lines().all(|line| line.len() <= 70), "{text}");
            }
            assert!(made.len() > 100, "{kind}: {}", made.len());
            let mut source = ChoiceSource::replaying(Choices::new());
            let usual = PnmText.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
            assert!(PnmText.own_choices(&usual, &data, &[]).is_some());
        }
    }
}
