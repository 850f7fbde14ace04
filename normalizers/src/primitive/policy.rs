//! Policies: rules that an encoder follows throughout a stream, each a small value of a dimension. They replace a list
//! of decisions, which would be as long as the data.

use std::ops::RangeInclusive;

use inverter::primitive::{Encoding, Primitive};
use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices};
use rand::distr::Bernoulli;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One of a few words, or `random:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// The word at this position in the list.
    Word(usize),
    /// The number in `random:N`.
    Random(u64),
}

impl Policy {
    /// Chooses a policy; the first word is the simplest. Half of the draws are words.
    pub(super) fn choose(
        source: &mut ChoiceSource,
        dimension: &str,
        words: &[&str],
    ) -> Result<Policy, ChoiceError> {
        let words: Vec<(&str, Policy)> =
            words.iter().enumerate().map(|(k, word)| (*word, Policy::Word(k))).collect();
        source.policy(dimension, &words, Policy::Random)
    }

    /// The generator of `random:N`; `None` for a word.
    pub(super) fn rng(self) -> Option<ChaCha8Rng> {
        match self {
            Policy::Word(_) => None,
            Policy::Random(seed) => Some(ChaCha8Rng::seed_from_u64(seed)),
        }
    }
}

/// Returns the simplest choices of all dimensions, if an encoder makes `stored` from `data` with them.
pub(super) fn plainest(
    primitive: &impl Primitive,
    stored: &[u8],
    data: &[u8],
    args: &[i128],
) -> Option<Choices> {
    let mut source = ChoiceSource::replaying(Choices::new());
    let plain = primitive.encode(data, Encoding::any_length(args, &mut source)).ok()?;
    (plain == stored).then(|| source.into_recorded())
}

/// Returns a distribution that is true with probability `1 / n`, or never if `n` is 0.
pub(super) fn one_in(n: u32) -> Bernoulli {
    Bernoulli::from_ratio(u32::from(n > 0), n.max(1)).unwrap_or_else(|e| unreachable!("{e}"))
}

/// Parses the number after `prefix`.
pub(super) fn seed(text: &str, prefix: &str) -> Option<u64> {
    text.strip_prefix(prefix)?.parse().ok()
}

/// Chooses a number of `range`; all have the same probability.
pub(super) fn number(
    source: &mut ChoiceSource,
    dimension: &str,
    range: RangeInclusive<i128>,
    simplest: i128,
) -> Result<i128, ChoiceError> {
    source.choose(
        dimension,
        |value| match value {
            Choice::Int(n) if range.contains(n) => Ok(*n),
            _ => Err(format!("it must be {} to {}", range.start(), range.end())),
        },
        || Choice::Int(simplest),
        |rng| Choice::Int(rng.random_range(range.clone())),
    )
}

/// Cuts `data` into pieces: one, or several that end at random places. No piece is empty unless
/// `data` is.
pub(super) fn pieces(data: &[u8], policy: Policy) -> impl Iterator<Item = &[u8]> {
    let mut rng = policy.rng();
    let largest = rng.as_mut().map(|rng| 1usize << rng.random_range(8..=16));
    let mut rest = Some(data);
    std::iter::from_fn(move || {
        let left = rest.take()?;
        let size = match (&mut rng, largest) {
            (Some(rng), Some(largest)) => rng.random_range(1..=largest),
            _ => left.len(),
        };
        let (piece, behind) = left.split_at(size.min(left.len()));
        rest = Some(behind).filter(|behind| !behind.is_empty());
        Some(piece)
    })
}
