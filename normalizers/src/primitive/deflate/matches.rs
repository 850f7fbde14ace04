//! Splits data into tokens: literals, and copies of earlier data (RFC 1951, section 3.2.5).

use rand::RngExt;
use rand::distr::Bernoulli;
use rand_chacha::ChaCha8Rng;

use super::super::policy::one_in;

/// The minimum and maximum number of bytes of a copy.
pub(super) const SHORTEST: usize = 3;
pub(super) const LONGEST: usize = 258;
/// The greatest distance of a copy, in bytes.
const FARTHEST: usize = 1 << 15;
/// The maximum number of bits of a hash of three bytes.
const HASH_BITS: u32 = 14;
/// The number of places with the same three bytes that are compared.
const PATIENCE: usize = 32;

/// A literal, or a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Literal(u8),
    /// `length` is 3 to 258, `distance` 1 to 32768.
    Copy {
        length: u16,
        distance: u16,
    },
}

impl Token {
    /// The number of bytes that it represents.
    pub(super) fn length(self) -> usize {
        match self {
            Token::Literal(_) => 1,
            Token::Copy { length, .. } => length.into(),
        }
    }
}

/// The strategy of the search for copies.
pub(super) enum Finder {
    /// There is no search.
    None,
    /// Takes the longest of a few copies.
    Greedy,
    /// Takes any copy, with any length, or a literal although a copy is possible.
    Random(Box<Odds>),
}

/// The probabilities of unusual copies.
pub(super) struct Odds {
    rng: ChaCha8Rng,
    /// The probability of a literal although a copy is possible.
    literal: Bernoulli,
    /// The probability of a copy that is shorter than possible.
    short: Bernoulli,
    /// The probability that a random distance is tried without a search for a matching one.
    blind: Bernoulli,
}

impl Odds {
    pub(super) fn new(mut rng: ChaCha8Rng) -> Self {
        let mut one_in = || one_in(1 << rng.random_range(1..=6));
        let (literal, short, blind) = (one_in(), one_in(), one_in());
        Self { rng, literal, short, blind }
    }
}

/// Splits `data` into tokens, with no distance above `window`.
pub(super) fn tokens(data: &[u8], mut finder: Finder, window: usize) -> Vec<Token> {
    if matches!(finder, Finder::None) {
        return data.iter().map(|byte| Token::Literal(*byte)).collect();
    }
    let mut places = Places::new(data, window);
    let mut out = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let found = match &mut finder {
            Finder::None => None,
            Finder::Greedy => places.longest(at),
            Finder::Random(odds) => places.any(at, odds),
        };
        let token = match found {
            // Both numbers fit, because `Places` looks no further than a copy may reach.
            Some((length, distance)) => {
                Token::Copy { length: length as u16, distance: distance as u16 }
            }
            None => Token::Literal(data[at]),
        };
        out.push(token);
        for _ in 0..token.length() {
            places.add(at);
            at += 1;
        }
    }
    out
}

/// The places at which each sequence of three bytes occurs.
struct Places<'d> {
    data: &'d [u8],
    window: usize,
    /// The shift that reduces 32 bits to the hash.
    shift: u32,
    /// The last place of each hash of bytes, plus one; 0 for none.
    last: Vec<u32>,
    /// The previous place with the same hash, plus one, for as many of the last places as the array has elements, a
    /// power of two: all, or [`FARTHEST`].
    before: Vec<u32>,
}

impl<'d> Places<'d> {
    fn new(data: &'d [u8], window: usize) -> Self {
        let window = window.min(FARTHEST);
        // Many strips are short, so allocate only the space that they need.
        let room = data.len().next_power_of_two().clamp(1 << 8, FARTHEST);
        let hashes = room.min(1 << HASH_BITS);
        let shift = 32 - hashes.ilog2();
        Self { data, window, shift, last: vec![0; hashes], before: vec![0; room] }
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.data.get(at..)?.first_chunk::<SHORTEST>()?;
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        Some((word.wrapping_mul(0x9E37_79B1) >> self.shift) as usize)
    }

    fn add(&mut self, at: usize) {
        if let Some(hash) = self.hash(at) {
            let mask = self.before.len() - 1;
            // At worst, places beyond 32 bits are no longer found.
            self.before[at & mask] = std::mem::replace(&mut self.last[hash], at as u32 + 1);
        }
    }

    /// Distances that may fit at `at`, ascending.
    fn distances(&self, at: usize) -> impl Iterator<Item = usize> {
        let within = move |place: usize| place > 0 && at + 1 - place <= self.window;
        let first = self.hash(at).map_or(0, |hash| self.last[hash] as usize);
        let mask = self.before.len() - 1;
        let before = move |place: &usize| Some(self.before[place.checked_sub(1)? & mask] as usize);
        std::iter::successors(Some(first), before)
            .take_while(move |place| within(*place))
            .map(move |place| at + 1 - place)
            .take(PATIENCE)
    }

    /// Returns the longest copy from this distance; `None` if there is none.
    fn reach(&self, at: usize, distance: usize) -> Option<(usize, usize)> {
        let (here, there) = (&self.data[at..], &self.data[at - distance..]);
        let most = here.len().min(LONGEST);
        let (here, there) = (&here[..most], &there[..most]);
        let words = here.as_chunks::<8>().0.iter().zip(there.as_chunks::<8>().0);
        let same = 8 * words.take_while(|(a, b)| a == b).count();
        let rest = here[same..].iter().zip(&there[same..]);
        let same = same + rest.take_while(|(a, b)| a == b).count();
        (same >= SHORTEST).then_some((same, distance))
    }

    fn longest(&self, at: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for distance in self.distances(at) {
            // A longer copy continues where the best one ends.
            let end = at + best.map_or(0, |b| b.0);
            let Some(next) = self.data.get(end) else { break };
            if *next != self.data[end - distance] {
                continue;
            }
            let found = self.reach(at, distance);
            if found.map(|f| f.0) > best.map(|b| b.0) {
                best = found;
            }
            if best.is_some_and(|b| b.0 == LONGEST) {
                break;
            }
        }
        best
    }

    fn any(&self, at: usize, odds: &mut Odds) -> Option<(usize, usize)> {
        let rng = &mut odds.rng;
        if rng.sample(odds.literal) {
            return None;
        }
        let farthest = at.min(self.window);
        let blind = match rng.random_range(0..3) {
            _ if farthest == 0 || !rng.sample(odds.blind) => None,
            0 => self.reach(at, 1),
            1 => self.reach(at, farthest),
            _ => self.reach(at, rng.random_range(1..=farthest)),
        };
        let steps = rng.random_range(0..PATIENCE);
        let seen = || self.distances(at).take(steps + 1).last();
        let (length, distance) = blind.or_else(|| self.reach(at, seen()?))?;
        match rng.sample(odds.short) {
            true => Some((rng.random_range(SHORTEST..=length), distance)),
            false => Some((length, distance)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_found() {
        let copy = |length, distance| Token::Copy { length, distance };
        let literal = |b: &u8| Token::Literal(*b);
        let greedy = |data: &[u8], window| tokens(data, Finder::Greedy, window);
        assert_eq!(greedy(&[5; 10], 256), [literal(&5), copy(9, 1)]);
        let parts = [&b"abcd"[..], b"-abc", b"-abcd"].concat();
        let mut expected: Vec<Token> = b"abcd-".iter().map(literal).collect();
        expected.extend([copy(3, 5), copy(4, 4), literal(&b'd')]);
        assert_eq!(greedy(&parts, 256), expected);
        assert_eq!(tokens(&[5; 3], Finder::None, 256), [literal(&5); 3]);
    }

    #[test]
    fn the_window_is_kept_and_reached() {
        for window in [256, 1 << 15] {
            for (apart, expected) in [(window, true), (window + 1, false)] {
                let mut data = b"xyz".to_vec();
                data.resize(apart, 0);
                data.extend(b"xyz");
                let copy = Token::Copy { length: 3, distance: window as u16 };
                let tokens = tokens(&data, Finder::Greedy, window);
                assert_eq!(tokens.last() == Some(&copy), expected, "{apart} of {window}");
            }
        }
    }
}
