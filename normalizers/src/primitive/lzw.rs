//! TIFF's variant of LZW (TIFF 6.0, section 13).
//!
//! Codes have 9 to 12 bits, the first bit being the most significant. 0 to 255 represent a byte, 256 (Clear) empties
//! the table, and 257 (EOI) ends the stream; the first code is Clear. Each code adds an entry to the table: the
//! previous string followed by the first byte of its own string. Codes become one bit wider as soon as the writer's
//! table has entry 511, 1023 or 2047, which is one code sooner than in GIF.

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices};
use rand::RngExt;
use rand::distr::Bernoulli;
use rand_chacha::ChaCha8Rng;
use weezl::decode::Configuration;
use weezl::{BitOrder, LzwStatus};

use super::padding::Padding;
use super::policy::{Policy, one_in, seed};

mod codes;
pub(super) mod table;

use codes::{CLEAR, Codes, EOI, FIRST, FULL};
use table::Table;

/// The bytes that are decoded at a time.
const CHUNK: usize = 1 << 16;

/// `lzw(x.a)`.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `clear` | `full` | Clear when the table is full: after entry 4094 |
/// | | `every:N` | Clear after every `N` codes, 1 to 3837; libtiff's is 3836 |
/// | | `single:N` | Clear at random places, never twice in a row |
/// | | `random:N` | Clear at random places, also twice in a row: never drawn, because the decoder of section 13 takes the code after Clear for data |
/// | `matches` | `longest` | each code is the longest matching string of the table |
/// | | `literals` | each code is a single byte |
/// | | `random:N` | each code is any matching string of the table, by any of its codes |
/// | `spare bits` | `zeros`, `ones` | the bits of the last byte after EOI |
/// | | `random:N` | random bits |
/// | `end` | `EOI` | nothing follows EOI |
/// | | `random:N` | 1 to 4 random bytes follow, which readers must ignore |
///
/// If the stream must be longer, zeros follow. A stream that ends without EOI is decoded to its end, but never written,
/// because section 13 requires EOI.
pub struct Lzw;

/// The names of the dimensions.
const DIMENSIONS: [&str; 4] = ["clear", "matches", "spare bits", "end"];

/// The value of `clear`.
#[derive(Clone, Copy)]
enum Clear {
    /// After this many codes.
    Every(usize),
    /// At random places, but never twice in a row.
    Single(u64),
    /// At random places, also twice in a row.
    Random(u64),
}

impl Clear {
    fn parse(value: &Choice) -> Result<Clear, String> {
        let expected = || {
            format!("it must be full, every:NUMBER (1 to {FULL}), single:NUMBER or random:NUMBER")
        };
        let Choice::Text(text) = value else { return Err(expected()) };
        if text == "full" {
            return Ok(Clear::Every(FULL));
        }
        if let Some(every) = seed(text, "every:") {
            let every = usize::try_from(every).ok().filter(|n| (1..=FULL).contains(n));
            return every.map(Clear::Every).ok_or_else(expected);
        }
        let single = seed(text, "single:").map(Clear::Single);
        single.or_else(|| seed(text, "random:").map(Clear::Random)).ok_or_else(expected)
    }

    fn choose(source: &mut ChoiceSource) -> Result<Clear, ChoiceError> {
        source.choose(
            "clear",
            Clear::parse,
            || Choice::from("full"),
            |rng| match rng.random_range(0..8) {
                0 | 1 => Choice::from("full"),
                // Tests around the switches of width, which occur after 254, 766 and 1790 codes.
                2 => {
                    let switch = [254, 766, 1790, FULL - 2][rng.random_range(0..4)] - 2;
                    Choice::Text(format!("every:{}", switch + rng.random_range(0..=4)))
                }
                3 => Choice::Text(format!("every:{}", rng.random_range(1..=FULL))),
                _ => Choice::Text(format!("single:{}", rng.random::<u32>())),
            },
        )
    }
}

/// The places of Clear.
struct Clears {
    every: usize,
    /// The generator, and whether a code is followed by Clear.
    random: Option<(ChaCha8Rng, Bernoulli)>,
    /// True if Clear may be written twice in a row.
    doubled: bool,
}

impl Clears {
    fn new(clear: Clear) -> Self {
        match clear {
            Clear::Every(every) => Self { every, random: None, doubled: false },
            Clear::Single(seed) | Clear::Random(seed) => {
                let random = Policy::Random(seed).rng().map(|mut rng| {
                    let rarity = one_in(1 << rng.random_range(1..=11));
                    (rng, rarity)
                });
                let doubled = matches!(clear, Clear::Random(_));
                Self { every: FULL, random, doubled }
            }
        }
    }

    /// Returns how many times Clear is written after `since` codes without one.
    fn due(&mut self, since: usize) -> usize {
        let forced = usize::from(since >= self.every);
        let Some((rng, rarity)) = &mut self.random else { return forced };
        let drawn = usize::from(rng.sample(*rarity));
        match forced.max(drawn) {
            0 => 0,
            _ if !self.doubled => usize::from(since > 0),
            _ => 1 + usize::from(rng.random_ratio(1, 4)),
        }
    }
}

/// The choices of the encoder.
struct Policies {
    clear: Clear,
    matches: Policy,
    spare: Padding,
    end: Policy,
}

impl Policies {
    fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        Ok(Self {
            clear: Clear::choose(source)?,
            matches: Policy::choose(source, "matches", &["longest", "literals"])?,
            spare: Padding::choose(source, "spare bits")?,
            end: Policy::choose(source, "end", &["EOI"])?,
        })
    }

    /// The stream of `data`.
    fn write(&self, data: &[u8]) -> Vec<u8> {
        let mut codes = Codes::default();
        let mut table = Table::new(FIRST);
        let mut clears = Clears::new(self.clear);
        let mut rng = self.matches.rng();
        codes.put(CLEAR);
        let mut rest = data;
        loop {
            for _ in 0..clears.due(codes.since_clear()) {
                codes.put(CLEAR);
                table.clear();
            }
            let Some(&first) = rest.first() else { break };
            let (code, length) = match self.matches {
                Policy::Word(1) => (first.into(), 1),
                _ => table.pick(first, &rest[1..], rng.as_mut()),
            };
            codes.put(code);
            rest = &rest[length..];
            if let Some(next) = rest.first() {
                // There is room: Clear is written in time.
                table.add(code, *next);
            }
        }
        codes.put(EOI);
        let mut stored = codes.finish(self.spare.bytes()());
        if let Some(mut rng) = self.end.rng() {
            stored.extend((0..rng.random_range(1..=4)).map(|_| rng.random::<u8>()));
        }
        stored
    }
}

impl Primitive for Lzw {
    fn signature(&self) -> Signature<'_> {
        Signature::new("lzw").dimensions(&DIMENSIONS)
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let configuration = Configuration::with_tiff_size_switch(BitOrder::Msb, 8);
        let mut decoder = configuration.with_yield_on_full_buffer(true).build();
        let mut out = Vec::new();
        let (mut at, mut length) = (0, 0);
        while length < most {
            // The decoder stops at each Clear; unfilled output remains for its next turn.
            if length == out.len() {
                out.resize(length + (most - length).min(CHUNK), 0);
            }
            let result = decoder.decode_bytes(&stored[at..], &mut out[length..]);
            length += result.consumed_out;
            at += result.consumed_in;
            match result.status {
                _ if length >= most => {}
                Ok(LzwStatus::Ok) => {}
                Ok(LzwStatus::Done | LzwStatus::NoProgress) => break,
                Err(_) => {
                    return Err(format!(
                        "a code at about byte {at} has no entry in the table; {length} bytes \
                         before it"
                    )
                    .into());
                }
            }
        }
        out.truncate(length);
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let mut stored = Policies::choose(source)?.write(data);
        stored.resize(stored.len().max(*lengths.start()), 0);
        of_length(stored, lengths)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        for clear in ["full", "every:3836"] {
            for matches in [0, 1] {
                let policies = Policies {
                    clear: Clear::parse(&clear.into()).ok()?,
                    matches: Policy::Word(matches),
                    spare: Padding::Zeros,
                    end: Policy::Word(0),
                };
                if policies.write(data) == stored {
                    let words = [clear, ["longest", "literals"][matches], "zeros", "EOI"];
                    let pairs = DIMENSIONS.iter().zip(words);
                    return Some(pairs.map(|(d, w)| ((*d).to_owned(), w.into())).collect());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
