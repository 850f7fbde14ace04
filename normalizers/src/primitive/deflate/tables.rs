//! Computes the codes of a block, and writes those of a dynamic block (RFC 1951, section 3.2.7).

use std::sync::LazyLock;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::bits::Bits;
use super::huffman::{codes, lengths};

/// The symbol that ends a block.
pub(super) const END: usize = 256;
/// The number of symbols.
pub(super) const LITERALS: usize = 286;
pub(super) const DISTANCES: usize = 30;
/// The order in which the lengths of the code of lengths are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The style in which dynamic blocks make and store their codes.
pub(super) enum Style {
    /// The shortest form.
    Lean,
    /// Each length separately, without repeat codes.
    Plain,
    /// The lengths of all symbols, including unused ones.
    Full,
    Random(Box<ChaCha8Rng>),
}

/// A code: the bits of each symbol, and the number of bits.
pub(super) struct Code(Vec<(u16, u8)>);

impl Code {
    fn new(lengths: &[u8]) -> Self {
        Self(codes(lengths).into_iter().zip(lengths.iter().copied()).collect())
    }

    pub(super) fn put(&self, symbol: usize, out: &mut Bits) {
        let (bits, length) = self.0[symbol];
        out.put(bits.into(), length.into());
    }
}

/// The codes of a fixed block: of literals and lengths, and of distances (RFC 1951, section
/// 3.2.6).
pub(super) static FIXED: LazyLock<(Code, Code)> = LazyLock::new(|| {
    let length = |symbol| match symbol {
        0..144 => 8,
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    };
    (Code::new(&std::array::from_fn::<u8, 288, _>(length)), Code::new(&[5; 32]))
});

/// Codes for symbols of given frequencies, in the form in which a dynamic block starts with them.
///
/// All are complete, except a code of distances with at most one symbol: zlib refuses any other incomplete code.
pub(super) fn dynamic(
    literals: &[u32; LITERALS],
    distances: &[u32; DISTANCES],
    style: &mut Style,
    out: &mut Bits,
) -> (Code, Code) {
    let (mut literals, mut distances) = (literals.to_vec(), distances.to_vec());
    if let Style::Random(rng) = style {
        disturb(&mut literals, rng);
        disturb(&mut distances, rng);
    }
    at_least_two(&mut literals);
    let literals = lengths(&literals, 15);
    let distances = lengths(&distances, 15);
    let literal_count = written(&literals, 257, style);
    let distance_count = written(&distances, 1, style);
    let said = [&literals[..literal_count], &distances[..distance_count]].concat();
    let items = items(&said, style);
    let mut used = vec![0; ORDER.len()];
    items.iter().for_each(|item| used[item.symbol] += 1);
    if let Style::Random(rng) = style {
        disturb(&mut used, rng);
    }
    at_least_two(&mut used);
    let used = lengths(&used, 7);
    let code = Code::new(&used);
    let ordered = ORDER.map(|symbol| used[symbol]);
    let count = written(&ordered, 4, style);
    out.put(literal_count as u32 - 257, 5);
    out.put(distance_count as u32 - 1, 5);
    out.put(count as u32 - 4, 4);
    ordered[..count].iter().for_each(|length| out.put((*length).into(), 3));
    for item in items {
        code.put(item.symbol, out);
        out.put(item.extra, item.bits);
    }
    (Code::new(&literals), Code::new(&distances))
}

/// Ensures that at least two symbols have nonzero frequency, because a code for a single symbol is incomplete.
fn at_least_two(frequencies: &mut [u32]) {
    for symbol in 0..2 {
        if frequencies.iter().filter(|f| **f > 0).count() < 2 {
            frequencies[symbol] = frequencies[symbol].max(1);
        }
    }
}

/// Makes a code that is not optimal, by changing frequencies or adding unused symbols.
fn disturb(frequencies: &mut [u32], rng: &mut ChaCha8Rng) {
    if rng.random_ratio(1, 2) {
        for frequency in frequencies.iter_mut().filter(|f| **f > 0) {
            *frequency = 1 << rng.random_range(0..20);
        }
    }
    if rng.random_ratio(1, 4) {
        let share = 1 << rng.random_range(0..7);
        for frequency in frequencies.iter_mut().filter(|f| **f == 0) {
            *frequency = u32::from(rng.random_ratio(1, share));
        }
    }
}

/// Returns how many of `lengths` are written: at least `least`.
fn written(lengths: &[u8], least: usize, style: &mut Style) -> usize {
    let needed = lengths.iter().rposition(|l| *l > 0).map_or(least, |last| least.max(last + 1));
    match style {
        Style::Lean | Style::Plain => needed,
        Style::Full => lengths.len(),
        Style::Random(rng) => match rng.random_ratio(1, 2) {
            true => rng.random_range(needed..=lengths.len()),
            false => needed,
        },
    }
}

/// A length, or a number of equal lengths.
struct Item {
    symbol: usize,
    extra: u32,
    bits: u32,
}

/// Returns the symbols that encode `lengths`. Runs continue from literals to distances.
fn items(lengths: &[u8], style: &mut Style) -> Vec<Item> {
    let mut out = Vec::with_capacity(lengths.len());
    let mut at = 0;
    while at < lengths.len() {
        let length = lengths[at];
        let run = lengths[at..].iter().take_while(|l| **l == length).count();
        let again = at > 0 && lengths[at - 1] == length;
        // The symbol, its extra bits, and the minimum and maximum number of lengths that it represents.
        let mut repeat = match (length, run) {
            (0, 11..) => Some((18, 7, 11, 138)),
            (0, 3..) => Some((17, 3, 3, 10)),
            (1.., 3..) if again => Some((16, 2, 3, 6)),
            _ => None,
        };
        match style {
            Style::Plain => repeat = None,
            Style::Random(rng) => match rng.random_range(0..8) {
                0 => repeat = None,
                1 if run >= 3 && again => repeat = Some((16, 2, 3, 6)),
                2 if run >= 3 && length == 0 => repeat = Some((17, 3, 3, 10)),
                _ => {}
            },
            Style::Lean | Style::Full => {}
        }
        let Some((symbol, bits, least, most)) = repeat else {
            out.push(Item { symbol: length.into(), extra: 0, bits: 0 });
            at += 1;
            continue;
        };
        let mut count = run.min(most);
        if let Style::Random(rng) = style
            && rng.random_ratio(1, 4)
        {
            count = rng.random_range(least..=count);
        }
        out.push(Item { symbol, extra: (count - least) as u32, bits });
        at += count;
    }
    out
}
