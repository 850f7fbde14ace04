//! Writes tokens in blocks (RFC 1951, section 3.2.3).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::super::padding::Padding;
use super::super::policy::Policy;
use super::bits::Bits;
use super::matches::{LONGEST, SHORTEST, Token};
use super::tables::{Code, DISTANCES, END, FIXED, LITERALS, Style, dynamic};

/// The maximum number of bytes of a stored block.
const MOST_STORED: usize = (1 << 16) - 1;

/// The maximum number of blocks that are cut at random. Each may have its own codes, and more of them would test
/// nothing new.
const MOST_BLOCKS: usize = 16;

/// The coding of a block. The values are those of BTYPE.
#[derive(Clone, Copy)]
enum Coding {
    Stored = 0,
    Fixed = 1,
    Dynamic = 2,
}

/// The words of `coding`, in the order of [`CODINGS`].
pub(super) const CODING_WORDS: [&str; 3] = ["dynamic", "fixed", "stored"];
const CODINGS: [Coding; 3] = [Coding::Dynamic, Coding::Fixed, Coding::Stored];

/// The writer of a stream, with its choices.
pub(super) struct Writer {
    pub(super) bits: Bits,
    /// The ends of blocks: random places, or `None` if the only block ends with the data.
    cuts: Option<(ChaCha8Rng, u32)>,
    /// The number of blocks that may still be cut before one takes the rest.
    room: usize,
    coding: Policy,
    /// The generator for a random `coding`.
    codings: Option<ChaCha8Rng>,
    style: Style,
    /// The unused bits before the next byte boundary.
    spare: Box<dyn FnMut() -> u8>,
}

impl Writer {
    /// A writer with the policies of the dimensions `blocks`, `coding`, `tables` and `spare bits`, which appends to
    /// existing output.
    pub(super) fn new(
        bits: Bits,
        blocks: Policy,
        coding: Policy,
        tables: Policy,
        spare: Padding,
    ) -> Self {
        let cuts = blocks.rng().map(|mut rng| {
            let largest = rng.random_range(6..=15);
            (rng, largest)
        });
        let style = match (tables, tables.rng()) {
            (_, Some(rng)) => Style::Random(Box::new(rng)),
            (Policy::Word(1), _) => Style::Plain,
            (Policy::Word(2), _) => Style::Full,
            _ => Style::Lean,
        };
        let spare = Box::new(spare.bytes());
        Self { bits, cuts, room: MOST_BLOCKS, coding, codings: coding.rng(), style, spare }
    }

    /// Writes the blocks of `data`, whose tokens are `tokens`, and fills the last byte.
    pub(super) fn write(&mut self, mut data: &[u8], mut tokens: &[Token]) {
        loop {
            let (count, empty) = self.cut(tokens.len());
            if empty {
                self.stored(&[], false);
            }
            let (block, rest) = tokens.split_at(count);
            let length = block.iter().map(|token| token.length()).sum();
            let (bytes, behind) = data.split_at(length);
            // Often the last block is separate and empty.
            let last = rest.is_empty() && !self.one_more();
            self.block(bytes, block, last);
            if last {
                break;
            }
            (data, tokens) = (behind, rest);
        }
        self.align();
    }

    /// Returns how many of the next `left` tokens are in the next block; true if an empty stored block precedes it.
    fn cut(&mut self, left: usize) -> (usize, bool) {
        let Some((rng, largest)) = &mut self.cuts else { return (left, false) };
        if self.room == 0 {
            return (left, false);
        }
        self.room -= 1;
        let size = match rng.random_range(0..8) {
            0 => 0,
            _ => {
                let most = 1usize << rng.random_range(0..=*largest);
                rng.random_range(0..=most)
            }
        };
        (size.min(left), rng.random_range(0..8) == 0)
    }

    fn one_more(&mut self) -> bool {
        self.cuts.as_mut().is_some_and(|(rng, _)| rng.random_ratio(1, 4))
    }

    fn coding(&mut self) -> Coding {
        match (&mut self.codings, self.coding) {
            (Some(rng), _) => CODINGS[rng.random_range(0..CODINGS.len())],
            (None, Policy::Word(word)) => CODINGS[word],
            (None, Policy::Random(_)) => Coding::Dynamic,
        }
    }

    fn align(&mut self) {
        self.bits.align((self.spare)());
    }

    fn start(&mut self, coding: Coding, last: bool) {
        self.bits.put(u32::from(last) | (coding as u32) << 1, 3);
    }

    fn stored(&mut self, data: &[u8], last: bool) {
        self.start(Coding::Stored, last);
        self.align();
        // The numbers fit 16 bits because the caller divides the data.
        let length = data.len() as u32 & 0xFFFF;
        self.bits.put(length | (!length << 16), 32);
        self.bits.out.extend_from_slice(data);
    }

    fn block(&mut self, data: &[u8], tokens: &[Token], last: bool) {
        let coding = self.coding();
        let own;
        let (literals, distances) = match coding {
            Coding::Stored => {
                let whole = data.len().saturating_sub(1) / MOST_STORED * MOST_STORED;
                let (most, end) = data.split_at(whole);
                most.chunks(MOST_STORED).for_each(|data| self.stored(data, false));
                return self.stored(end, last);
            }
            Coding::Fixed => {
                self.start(coding, last);
                &*FIXED
            }
            Coding::Dynamic => {
                self.start(coding, last);
                let (literals, distances) = frequencies(tokens);
                own = dynamic(&literals, &distances, &mut self.style, &mut self.bits);
                &own
            }
        };
        tokens.iter().for_each(|token| put(*token, literals, distances, &mut self.bits));
        literals.put(END, &mut self.bits);
    }
}

/// A symbol with extra bits.
struct Symbol {
    symbol: usize,
    extra: u32,
    bits: u32,
}

/// A length of a copy (RFC 1951, section 3.2.5).
fn length_symbol(length: u16) -> Symbol {
    match usize::from(length) {
        LONGEST => Symbol { symbol: 285, extra: 0, bits: 0 },
        length => {
            let (symbol, extra, bits) = spread(length - SHORTEST, 4);
            Symbol { symbol: 257 + symbol, extra, bits }
        }
    }
}

/// A distance of a copy.
fn distance_symbol(distance: u16) -> Symbol {
    let (symbol, extra, bits) = spread(usize::from(distance) - 1, 2);
    Symbol { symbol, extra, bits }
}

/// Returns the symbol of `value`, its extra bits and their number. Each power of two is divided into `parts` symbols,
/// where `parts` is itself a power of two.
fn spread(value: usize, parts: usize) -> (usize, u32, u32) {
    if value < 2 * parts {
        return (value, 0, 0);
    }
    let bits = (value / parts).ilog2();
    let symbol = bits as usize * parts + (value >> bits);
    (symbol, (value & ((1 << bits) - 1)) as u32, bits)
}

fn put(token: Token, literals: &Code, distances: &Code, out: &mut Bits) {
    match token {
        Token::Literal(byte) => literals.put(byte.into(), out),
        Token::Copy { length, distance } => {
            let symbol = length_symbol(length);
            literals.put(symbol.symbol, out);
            out.put(symbol.extra, symbol.bits);
            let symbol = distance_symbol(distance);
            distances.put(symbol.symbol, out);
            out.put(symbol.extra, symbol.bits);
        }
    }
}

/// The number of occurrences of each symbol in a block of `tokens`.
fn frequencies(tokens: &[Token]) -> ([u32; LITERALS], [u32; DISTANCES]) {
    let (mut literals, mut distances) = ([0; LITERALS], [0; DISTANCES]);
    let add = |count: &mut u32| *count = count.saturating_add(1);
    add(&mut literals[END]);
    for token in tokens {
        match *token {
            Token::Literal(byte) => add(&mut literals[usize::from(byte)]),
            Token::Copy { length, distance } => {
                add(&mut literals[length_symbol(length).symbol]);
                add(&mut distances[distance_symbol(distance).symbol]);
            }
        }
    }
    (literals, distances)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of the tables of section 3.2.5.
    #[test]
    fn symbols_of_lengths_and_distances() {
        let length = |n| {
            let s = length_symbol(n);
            (s.symbol, s.bits, s.extra)
        };
        assert_eq!(length(3), (257, 0, 0));
        assert_eq!(length(10), (264, 0, 0));
        assert_eq!(length(11), (265, 1, 0));
        assert_eq!(length(18), (268, 1, 1));
        assert_eq!(length(130), (280, 4, 15));
        assert_eq!(length(131), (281, 5, 0));
        assert_eq!(length(257), (284, 5, 30));
        assert_eq!(length(258), (285, 0, 0));
        let distance = |n| {
            let s = distance_symbol(n);
            (s.symbol, s.bits, s.extra)
        };
        assert_eq!(distance(1), (0, 0, 0));
        assert_eq!(distance(4), (3, 0, 0));
        assert_eq!(distance(5), (4, 1, 0));
        assert_eq!(distance(192), (14, 6, 63));
        assert_eq!(distance(193), (15, 6, 0));
        assert_eq!(distance(32768), (29, 13, 8191));
    }
}
