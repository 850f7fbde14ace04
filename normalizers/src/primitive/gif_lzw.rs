//! GIF's variant of LZW (GIF89a, appendix F).
//!
//! The first bit of a code is the least significant one. Codes start one bit wider than the *code size*: codes below
//! `2^size` represent an index, and the next two are Clear and EOI. Codes become one bit wider when the reader's table
//! has filled all codes of a width, up to 12 bits. A full table stays unchanged until Clear (deferred Clear codes).

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices};
use rand::RngExt;
use weezl::decode::Configuration;
use weezl::{BitOrder, LzwStatus};

use super::lzw::table::Table;
use super::padding::Padding;
use super::policy::{Policy, one_in, seed};

/// `gif_lzw(x.a, size)`: indices below `2^size`, for a code size from 2 to 8.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `clear` | `full` | Clear when the table is full |
/// | | `never` | Clear at the start alone |
/// | | `every:N` | Clear after every `N` codes |
/// | | `random:N` | Clear at random places |
/// | `matches` | `longest` | each code is the longest matching string of the table |
/// | | `literals` | each code is a single index |
/// | | `random:N` | each code is any matching string of the table, by any of its codes |
/// | `spare bits` | `zeros`, `ones`, `random:N` | the bits of the last byte after EOI |
pub struct GifLzw;

/// The names of the dimensions.
const DIMENSIONS: [&str; 3] = ["clear", "matches", "spare bits"];
/// The number of codes.
const CODES: usize = 1 << 12;

/// The value of `clear`.
#[derive(Clone, Copy)]
enum Clear {
    /// After this number of codes.
    Every(usize),
    /// Never again.
    Never,
    /// At random places.
    Random(u64),
}

/// The place of the special codes.
#[derive(Clone, Copy)]
struct Size(u32);

impl Size {
    fn of(args: &[i128]) -> Result<Self, PrimitiveError> {
        match args {
            [size @ 2..=8] => Ok(Self(*size as u32)),
            [size] => Err(format!("the code size is {size}, and must be 2 to 8").into()),
            _ => Err("gif_lzw takes the code size".into()),
        }
    }

    /// Empties the table.
    fn clear(self) -> u16 {
        1 << self.0
    }

    /// Ends the stream.
    fn end(self) -> u16 {
        self.clear() + 1
    }

    /// The first entry that is added to the table.
    fn first(self) -> usize {
        usize::from(self.clear()) + 2
    }

    /// The number of codes after Clear that fill the table.
    fn full(self) -> usize {
        CODES - self.first()
    }
}

impl Clear {
    fn parse(value: &Choice, size: Size) -> Result<Clear, String> {
        let expected =
            || "it must be full, never, every:NUMBER (at least 1) or random:NUMBER".to_owned();
        let Choice::Text(text) = value else { return Err(expected()) };
        match text.as_str() {
            "full" => Ok(Clear::Every(size.full())),
            "never" => Ok(Clear::Never),
            _ => {
                let every = seed(text, "every:").and_then(|n| usize::try_from(n).ok());
                let every = every.filter(|n| *n >= 1).map(Clear::Every);
                let random = || seed(text, "random:").map(Clear::Random);
                every.or_else(random).ok_or_else(expected)
            }
        }
    }

    fn choose(source: &mut ChoiceSource, size: Size) -> Result<Clear, ChoiceError> {
        source.choose(
            "clear",
            |value| Clear::parse(value, size),
            || Choice::from("full"),
            |rng| match rng.random_range(0..8) {
                0 | 1 => Choice::from("full"),
                2 | 3 => Choice::from("never"),
                // Tests around the places where codes get wider.
                4 => {
                    let width = rng.random_range(size.0 + 1..=12);
                    let wider = (1usize << width) - size.first() + 2;
                    Choice::Text(format!("every:{}", wider - rng.random_range(0..=3)))
                }
                5 => Choice::Text(format!("every:{}", rng.random_range(1..=size.full()))),
                _ => Choice::Text(format!("random:{}", rng.random::<u32>())),
            },
        )
    }
}

/// A stream that is being written.
struct Codes {
    size: Size,
    out: Vec<u8>,
    /// Bits that do not fill a byte yet, the first one least significant.
    pending: u32,
    bits: u32,
    since_clear: usize,
}

impl Codes {
    /// The width of the next code. It follows the reader's table, which is one entry behind the writer's.
    fn width(&self) -> u32 {
        let next = self.size.first() + self.since_clear.saturating_sub(1);
        (usize::BITS - next.leading_zeros()).clamp(self.size.0 + 1, 12)
    }

    fn put(&mut self, code: u16) {
        let width = self.width();
        self.pending |= u32::from(code) << self.bits;
        self.bits += width;
        while self.bits >= 8 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.bits -= 8;
        }
        self.since_clear = if code == self.size.clear() { 0 } else { self.since_clear + 1 };
    }

    /// Returns the bytes; the unused bits of the last one are those of `spare`.
    fn finish(mut self, spare: u8) -> Vec<u8> {
        if self.bits > 0 {
            self.out.push(self.pending as u8 | spare << self.bits);
        }
        self.out
    }
}

/// The choices of the encoder.
struct Policies {
    clear: Clear,
    matches: Policy,
    spare: Padding,
}

impl Policies {
    fn choose(source: &mut ChoiceSource, size: Size) -> Result<Self, ChoiceError> {
        Ok(Self {
            clear: Clear::choose(source, size)?,
            matches: Policy::choose(source, "matches", &["longest", "literals"])?,
            spare: Padding::choose(source, "spare bits")?,
        })
    }

    /// The stream of `data`.
    fn write(&self, data: &[u8], size: Size) -> Vec<u8> {
        let mut codes = Codes { size, out: Vec::new(), pending: 0, bits: 0, since_clear: 0 };
        let mut table = Table::new(size.first());
        let mut rng = self.matches.rng();
        let mut places = match self.clear {
            Clear::Random(seed) => Policy::Random(seed).rng().map(|mut rng| {
                let rarity = one_in(1 << rng.random_range(1..=11));
                (rng, rarity)
            }),
            _ => None,
        };
        codes.put(size.clear());
        let mut rest = data;
        while let Some(&first) = rest.first() {
            let (code, length) = match self.matches {
                Policy::Word(1) => (first.into(), 1),
                _ => table.pick(first, &rest[1..], rng.as_mut()),
            };
            codes.put(code);
            rest = &rest[length..];
            let Some(next) = rest.first() else { break };
            let clear = match (self.clear, &mut places) {
                (Clear::Every(every), _) => codes.since_clear >= every,
                (_, Some((rng, rarity))) => rng.sample(*rarity),
                _ => false,
            };
            if clear {
                codes.put(size.clear());
                table.clear();
            } else if !table.is_full() {
                table.add(code, *next);
            }
        }
        codes.put(size.end());
        codes.finish(self.spare.bytes()())
    }
}

impl Primitive for GifLzw {
    fn signature(&self) -> Signature<'_> {
        Signature::new("gif_lzw").arguments(1).dimensions(&DIMENSIONS)
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let size = Size::of(args)?;
        let mut decoder = Configuration::new(BitOrder::Lsb, size.0 as u8).build();
        let mut out = Vec::new();
        let mut at = 0;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let result = decoder.decode_bytes(&stored[at..], &mut buffer);
            out.extend_from_slice(&buffer[..result.consumed_out]);
            at += result.consumed_in;
            match result.status {
                _ if out.len() > most => return Err(PrimitiveError::of_size()),
                Ok(LzwStatus::Ok) => {}
                Ok(LzwStatus::Done) if at == stored.len() => return Ok(out),
                Ok(LzwStatus::Done) => return Err("bytes follow the code of the end".into()),
                Ok(LzwStatus::NoProgress) => return Err("there is no code of the end".into()),
                Err(_) => {
                    return Err(
                        format!("a code at about byte {at} has no entry in the table").into()
                    );
                }
            }
        }
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let size = Size::of(args)?;
        of_length(Policies::choose(source, size)?.write(data, size), lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let unfit = |why: PrimitiveError| Unfit { argument: Some(0), why };
        let size = Size::of(args).map_err(unfit)?;
        match data.iter().find(|index| u16::from(**index) >= size.clear()) {
            Some(index) => {
                let why = format!("index {index} needs a greater code size than {}", size.0);
                Err(unfit(why.into()))
            }
            None => Ok(()),
        }
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let size = Size::of(args).ok()?;
        // Writers differ on when a table is full.
        let every = (0..3).map(|less| format!("every:{}", size.full() - less));
        for clear in ["full", "never"].map(str::to_owned).into_iter().chain(every) {
            for (matches, word) in ["longest", "literals"].into_iter().enumerate() {
                let policies = Policies {
                    clear: Clear::parse(&Choice::Text(clear.clone()), size).ok()?,
                    matches: Policy::Word(matches),
                    spare: Padding::Zeros,
                };
                if policies.write(data, size) == stored {
                    let words = [clear.as_str(), word, "zeros"];
                    let pairs = DIMENSIONS.iter().zip(words);
                    return Some(pairs.map(|(d, w)| ((*d).to_owned(), w.into())).collect());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::*;

    fn encoded(data: &[u8], size: i128, clear: &str, matches: &str) -> Vec<u8> {
        let mut given = Choices::new();
        given.set("clear", clear);
        given.set("matches", matches);
        let mut source = ChoiceSource::replaying(given);
        GifLzw.encode(data, Encoding::any_length(&[size], &mut source)).unwrap()
    }

    #[test]
    fn the_first_codes_are_those_of_the_standard() {
        // Clear, 1, 6, 6, 2 in three bits, the first code least significant; EOI in four bits, because the table has
        // reached entry 8 by then.
        let stored = encoded(&[1, 2, 3, 3], 2, "full", "literals");
        let bits = |width: [u32; 6], codes: [u64; 6]| {
            let mut all = 0u64;
            let mut at = 0;
            for (w, c) in width.into_iter().zip(codes) {
                all |= c << at;
                at += w;
            }
            all.to_le_bytes()[..(at as usize).div_ceil(8)].to_vec()
        };
        assert_eq!(stored, bits([3, 3, 3, 3, 4, 4], [4, 1, 2, 3, 3, 5]));
    }

    #[test]
    fn codes_get_wider_and_tables_stay_full() {
        let data: Vec<u8> = (0..30_000u32).map(|k| (k * k / 7 % 251) as u8).collect();
        for clear in ["full", "never", "every:1", "every:255", "every:3838", "random:5"] {
            for matches in ["longest", "literals", "random:9"] {
                let stored = encoded(&data, 8, clear, matches);
                let read = GifLzw.decode(&stored, &[8], data.len()).unwrap();
                assert!(read == data, "{clear} {matches}");
            }
        }
        let own = GifLzw.own_choices(&encoded(&data, 8, "never", "longest"), &data, &[8]).unwrap();
        assert_eq!(own.get("clear"), Some(&Choice::from("never")));
    }

    #[test]
    fn streams_are_made_in_many_ways() {
        let data: Vec<u8> = (0..200u8).map(|k| k % 7 % 4).collect();
        for size in 2..=8 {
            let made = encodings(&GifLzw, &[size], &data, 100).unwrap();
            assert!(made.len() > 60, "{size}: {}", made.len());
        }
        assert!(GifLzw.accepts(&[4], &[2]).is_err());
        assert!(GifLzw.decode(&[0x04], &[2], 9).is_err());
    }
}
