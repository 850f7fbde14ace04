//! Choices that are one of a few words, or `random:N`.

use inverter::solve::{ChoiceError, ChoiceSource, Value};
use rand::RngExt;

/// The value of a dimension: one of `words`, of which the first is the simplest, or
/// `random:N`, from whose number `random` makes a value. Words and random ones are drawn
/// equally often.
///
/// # Errors
///
/// If another value was given.
pub fn choose<T: Copy>(
    source: &mut ChoiceSource,
    dimension: &str,
    words: &[(&str, T)],
    random: fn(u64) -> T,
) -> Result<T, ChoiceError> {
    let fit = |value: &Value| {
        let Value::Text(text) = value else { return None };
        let word = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        word.or_else(|| Some(random(text.strip_prefix("random:")?.parse().ok()?)))
    };
    let expected = || {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("it must be {} or random:NUMBER", words.join(", "))
    };
    let simplest = || Value::from(words.first().map_or("random:0", |(word, _)| word));
    source.choose(
        dimension,
        |value| fit(value).ok_or_else(expected),
        simplest,
        |rng| match words.get(rng.random_range(0..2 * words.len().max(1))) {
            Some((word, _)) => Value::from(*word),
            None => Value::Text(format!("random:{}", rng.random::<u32>())),
        },
    )
}
