//! Habits: what an encoder does all along, as one small value of a dimension.

use std::ops::RangeInclusive;

use inverter::solve::{ChoiceError, ChoiceSource, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One of a few words, or `random:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// The word of this place in the list.
    Word(usize),
    /// The number in `random:N`.
    Random(u64),
}

impl Habit {
    /// The habit that `value` names; `words` are those that there are.
    pub(super) fn parse(value: &Value, words: &[&str]) -> Option<Habit> {
        let Value::Text(text) = value else { return None };
        let word = words.iter().position(|word| word == text).map(Habit::Word);
        word.or_else(|| seed(text, "random:").map(Habit::Random))
    }

    /// Asks for a habit; the first word is simplest. Drawn half of the time as a word.
    pub(super) fn choose(
        source: &mut ChoiceSource,
        dimension: &str,
        words: &[&str],
    ) -> Result<Habit, ChoiceError> {
        source.choose(
            dimension,
            |value| {
                Habit::parse(value, words)
                    .ok_or_else(|| format!("it must be {} or random:NUMBER", words.join(", ")))
            },
            || Value::from(words[0]),
            |rng| match rng.random_range(0..2 * words.len()) {
                k if k < words.len() => Value::from(words[k]),
                _ => random(rng),
            },
        )
    }

    /// The generator of `random:N`; `None` for a word.
    pub(super) fn rng(self) -> Option<ChaCha8Rng> {
        match self {
            Habit::Word(_) => None,
            Habit::Random(seed) => Some(ChaCha8Rng::seed_from_u64(seed)),
        }
    }
}

/// The number behind `prefix`.
pub(super) fn seed(text: &str, prefix: &str) -> Option<u64> {
    text.strip_prefix(prefix)?.parse().ok()
}

/// `random:N` with an `N` of `rng`.
pub(super) fn random(rng: &mut impl RngExt) -> Value {
    Value::Text(format!("random:{}", rng.random::<u32>()))
}

/// Asks for a number of `range`, each as likely as the others.
pub(super) fn number(
    source: &mut ChoiceSource,
    dimension: &str,
    range: RangeInclusive<i128>,
    simplest: i128,
) -> Result<i128, ChoiceError> {
    source.choose(
        dimension,
        |value| match value {
            Value::Int(n) if range.contains(n) => Ok(*n),
            _ => Err(format!("it must be {} to {}", range.start(), range.end())),
        },
        || Value::Int(simplest),
        |rng| Value::Int(rng.random_range(range.clone())),
    )
}

/// `data` in pieces: whole, or cut at random places. None is empty, but for data that is.
pub(super) fn pieces(data: &[u8], habit: Habit) -> impl Iterator<Item = &[u8]> {
    let mut rng = habit.rng();
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
