//! T.4 coding (TIFF 6.0, section 11; compression 3).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::{ChoiceSource, Choices, Fill};
use rand::{Rng, RngExt};

use super::lines::{Modes, read_1d, read_2d, write_1d, write_2d};
use super::row::Rows;
use super::stream::{EOL, Reader, Writer};

/// `ccitt_t4(x.a, columns, options)`: decodes rows that each start with an end of line. `options` is `T4Options`. With
/// bit 0, rows may be two-dimensional, as a bit after the end of line indicates; with bit 2, each end of line ends at a
/// byte boundary. Bit 1, uncompressed mode, is refused.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `one-dimensional rows` | `every:2`, `every:4` | every second or fourth, from the first |
/// | | `first`, `all` | only the first; all |
/// | | `random:N` | the first, and others at random |
/// | `modes` | see [`T6`](super::T6) | the modes of two-dimensional rows |
/// | `fill` | `none` | before an end of line, only the zeros that bit 2 requires |
/// | | `byte` | one more byte of zeros after each row |
/// | | `random:N` | up to 24 more zeros after each row at random; whole bytes with bit 2 |
/// | `end` | `none` | nothing after the last row, like most TIFF writers |
/// | | `RTC` | six ends of line, as T.4 requires |
///
/// The first two dimensions exist only with bit 0. The standard's parameter K is 2 or 4; TIFF
/// requires only that the first row of each strip is one-dimensional. Fill before an end of line is
/// legal in T.4, with or without bit 2.
///
/// The decoder accepts any fill, aligned or not, and one-dimensional rows without an end of line before them.
pub struct T4;

const ROWS: &str = "one-dimensional rows";
const MODES: &str = "modes";
const FILL: &str = "fill";
const END: &str = "end";

/// The number of ends of line that end a page.
const RTC: usize = 6;

/// The rows that are one-dimensional.
#[derive(Clone, Copy)]
enum OneDimensional {
    Every(usize),
    First,
    All,
    Random(u64),
}

impl OneDimensional {
    const WORDS: [(&str, OneDimensional); 4] = [
        ("every:2", OneDimensional::Every(2)),
        ("every:4", OneDimensional::Every(4)),
        ("first", OneDimensional::First),
        ("all", OneDimensional::All),
    ];

    fn has(self, row: usize, rng: &mut impl Rng) -> bool {
        row == 0
            || match self {
                OneDimensional::Every(k) => row.is_multiple_of(k),
                OneDimensional::First => false,
                OneDimensional::All => true,
                OneDimensional::Random(_) => rng.random(),
            }
    }
}

/// The zeros after each row.
#[derive(Clone, Copy)]
enum Zeros {
    None,
    Byte,
    Random(u64),
}

impl Zeros {
    const WORDS: [(&str, Zeros); 2] = [("none", Zeros::None), ("byte", Zeros::Byte)];

    fn count(self, aligned: bool, rng: &mut impl Rng) -> u32 {
        match self {
            Zeros::None => 0,
            Zeros::Byte => 8,
            Zeros::Random(_) if rng.random_range(0..2) == 0 => 0,
            Zeros::Random(_) if aligned => 8 * rng.random_range(0..=3),
            Zeros::Random(_) => rng.random_range(0..=24),
        }
    }
}

/// The arguments, parsed.
#[derive(Clone, Copy)]
struct Coding {
    rows: Rows,
    two_dimensional: bool,
    aligned: bool,
}

impl Coding {
    fn parse(args: &[i128]) -> Result<Coding, PrimitiveError> {
        let &[columns, options] = args else { return Err("T.4 takes 2 arguments".into()) };
        if ![0, 1, 4, 5].contains(&options) {
            return Err(format!("T4Options of {options}; only 0, 1, 4 and 5 are supported").into());
        }
        Ok(Coding {
            rows: Rows::parse(columns)?,
            two_dimensional: options & 1 != 0,
            aligned: options & 4 != 0,
        })
    }

    /// Writes an end of line and a bit for whether a one-dimensional row follows.
    fn eol(self, one_dimensional: bool, out: &mut Writer) {
        if self.aligned {
            // Its 12 bits must end at a byte boundary.
            out.put(0, (12 - out.phase()) % 8);
        }
        out.put(EOL.0, EOL.1);
        if self.two_dimensional {
            out.put(one_dimensional.into(), 1);
        }
    }
}

/// The choices of the encoder.
#[derive(Clone, Copy)]
struct Policies {
    one_dimensional: OneDimensional,
    modes: Modes,
    zeros: Zeros,
    rtc: bool,
}

impl Policies {
    /// The values of the dimension `end`, from no RTC to one.
    const ENDS: [&str; 2] = ["none", "RTC"];

    fn choose(coding: Coding, source: &mut ChoiceSource) -> Result<Policies, EncodeError> {
        let mut policies = Policies {
            one_dimensional: OneDimensional::All,
            modes: Modes::Standard,
            zeros: source.policy(FILL, &Zeros::WORDS, Zeros::Random)?,
            rtc: source.named(END, &Self::ENDS)? == 1,
        };
        if coding.two_dimensional {
            let (words, random) = (&OneDimensional::WORDS, OneDimensional::Random);
            policies.one_dimensional = source.policy(ROWS, words, random)?;
            policies.modes = source.policy(MODES, &Modes::WORDS, Modes::Random)?;
        }
        Ok(policies)
    }

    fn write(self, data: &[u8], coding: Coding) -> Result<Vec<u8>, PrimitiveError> {
        let seeded = |seed| Fill::rng(seed);
        let mut rows_rng = seeded(match self.one_dimensional {
            OneDimensional::Random(seed) => seed,
            _ => 0,
        });
        let mut zeros_rng = seeded(if let Zeros::Random(seed) = self.zeros { seed } else { 0 });
        let mut modes_rng = self.modes.rng();
        let mut out = Writer::default();
        let mut above = Vec::new();
        let rows = coding.rows;
        for (k, changes) in rows.split(data)?.enumerate() {
            if k > 0 {
                out.put(0, self.zeros.count(coding.aligned, &mut zeros_rng));
            }
            let one_dimensional = self.one_dimensional.has(k, &mut rows_rng);
            coding.eol(one_dimensional, &mut out);
            match one_dimensional {
                true => write_1d(&changes, rows, &mut out),
                false => write_2d(&changes, &above, rows, self.modes, &mut modes_rng, &mut out),
            }
            above = changes;
        }
        for _ in 0..if self.rtc { RTC } else { 0 } {
            coding.eol(true, &mut out);
        }
        Ok(out.finish())
    }
}

impl Primitive for T4 {
    fn signature(&self) -> Signature<'_> {
        Signature::new("ccitt_t4").arguments(2).dimensions(&[ROWS, MODES, FILL, END])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let Coding { rows, two_dimensional, .. } = Coding::parse(args)?;
        let mut stored = Reader::new(stored);
        rows.join(most, |above, row| {
            if stored.is_over() {
                return Ok(None);
            }
            let eol = stored.take_eol();
            if !eol && two_dimensional {
                return Err(stored.wrong("no end of line"));
            }
            let one_dimensional = !two_dimensional || stored.peek(1) == 1;
            if two_dimensional {
                stored.skip(1)?;
            }
            // Two ends of line with nothing between them end the page.
            if stored.is_over() || eol && stored.take_eol() {
                return Ok(None);
            }
            match one_dimensional {
                true => read_1d(&mut stored, rows, !two_dimensional).map(Some),
                false if row == 0 => Err("the first row is two-dimensional".into()),
                false => read_2d(&mut stored, above, rows).map(Some),
            }
        })
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let coding = Coding::parse(args)?;
        let policies = Policies::choose(coding, source)?;
        of_length(policies.write(data, coding)?, lengths)
    }

    /// Only the standards' modes without fill are recognized.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let coding = Coding::parse(args).ok()?;
        let words = if coding.two_dimensional { OneDimensional::WORDS.len() } else { 1 };
        for (word, one_dimensional) in OneDimensional::WORDS.into_iter().rev().take(words) {
            for (end, rtc) in Policies::ENDS.into_iter().zip([false, true]) {
                let (modes, zeros) = (Modes::Standard, Zeros::None);
                let policies = Policies { one_dimensional, modes, zeros, rtc };
                if policies.write(data, coding).ok()? == stored {
                    let mut own = Choices::new();
                    own.set(FILL, "none");
                    own.set(END, end);
                    if coding.two_dimensional {
                        own.set(ROWS, word);
                        own.set(MODES, "standard");
                    }
                    return Some(own);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test;

    use super::*;

    fn encoded(data: &[u8], args: &[i128], given: &[(&str, &str)]) -> String {
        let mut choices = Choices::new();
        given.iter().for_each(|(name, value)| choices.set(name, *value));
        let mut source = ChoiceSource::replaying(choices);
        let stored = T4.encode(data, Encoding::any_length(args, &mut source)).unwrap();
        assert_eq!(T4.decode(&stored, args, data.len()).unwrap(), data);
        assert_eq!(T4.decode(&stored, args, usize::MAX).unwrap(), data, "the end is seen");
        stored.iter().map(|byte| format!("{byte:08b}")).collect()
    }

    const EOL: &str = "000000000001";

    #[test]
    fn one_dimensional() {
        // White 2, black 6; white 8.
        let data = [0b0011_1111, 0];
        let of = |options, given: &[(&str, &str)]| encoded(&data, &[8, options], given);
        assert_eq!(of(0, &[]), [EOL, "0111", "0010", EOL, "10011", "000"].concat());
        let aligned = ["0000", EOL, "0111", "0010", "0000", EOL, "10011", "000"].concat();
        assert_eq!(of(4, &[]), aligned);
        let fill = [EOL, "0111", "0010", "00000000", EOL, "10011", "000"].concat();
        assert_eq!(of(0, &[("fill", "byte")]), fill);
        let end = [EOL, "0111", "0010", EOL, "10011", &EOL.repeat(6), "0000000"].concat();
        assert!(end.starts_with(of(0, &[("end", "RTC")]).trim_end_matches('0')));
    }

    #[test]
    fn two_dimensional() {
        let data = [0b0011_1111; 3];
        let of = |options, given: &[(&str, &str)]| encoded(&data, &[8, options], given);
        let first = [EOL, "1", "0111", "0010"].concat();
        let again = [EOL, "0", "1", "1"].concat();
        let padded =
            |text: String| format!("{text:0<width$}", width = text.len().next_multiple_of(8));
        let every = padded([&*first, &again, &first].concat());
        assert_eq!(of(1, &[("one-dimensional rows", "every:2")]), every);
        let rows = ("one-dimensional rows", "first");
        assert_eq!(of(1, &[rows]), padded([&*first, &again, &again].concat()));
        let all = padded(first.repeat(3));
        assert_eq!(of(1, &[("one-dimensional rows", "all")]), all);
        let aligned = ["0000", &*first, "000", &*again, "0", &*again, "0", EOL, "1"].concat();
        let end = of(5, &[rows, ("end", "RTC")]);
        assert!(end.starts_with(&aligned), "{end}");
    }

    #[test]
    fn what_others_write_is_read() {
        let decode = |text: &str, options, most| {
            let mut out = Writer::default();
            text.bytes().filter(|b| *b != b' ').for_each(|b| out.put(u32::from(b == b'1'), 1));
            T4.decode(&out.finish(), &[8, options], most)
        };
        let first = "000000000001 0111 0010";
        assert_eq!(decode(&format!("{first} 000000000001 10011"), 4, 2).unwrap(), [0x3F, 0]);
        assert_eq!(decode(&format!("0000000{first} 0{first}"), 0, 2).unwrap(), [0x3F; 2]);
        assert_eq!(decode("0111 0010 10011", 0, 2).unwrap(), [0x3F, 0], "no ends of line");
        assert_eq!(decode(&format!("{first} 1111111"), 0, 1).unwrap(), [0x3F], "what follows");
        let why = |text, options| decode(text, options, 9).unwrap_err().to_string();
        assert_eq!(why("0111 0010", 1), "row 0: no end of line at bit 0 of byte 0");
        assert_eq!(why("000000000001 0 1", 1), "row 0: the first row is two-dimensional");
        let short = "000000000001 0111 000000000001 10011";
        assert_eq!(why(short, 0), "row 0: no run begins at bit 0 of byte 2");
    }

    #[test]
    fn what_is_not_taken_is_said() {
        let why = T4.decode(&[], &[8, 2], 1).unwrap_err().to_string();
        assert_eq!(why, "T4Options of 2; only 0, 1, 4 and 5 are supported");
        assert_eq!(T4.decode(&[], &[0, 1], 1).unwrap_err().to_string(), "rows of 0 pixels");
    }

    #[test]
    fn round_trips() {
        let args: [&[i128]; 6] = [&[8, 0], &[64, 0], &[32, 4], &[8, 1], &[64, 5], &[256, 1]];
        test::round_trips(&T4, &args, 300).unwrap();
    }
}
