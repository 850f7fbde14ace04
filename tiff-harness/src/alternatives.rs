//! Chooses one of a few alternatives that have classes.
//!
//! The profile decides what is drawn: values that readers may refuse are drawn rarely or never. Any alternative can be
//! given, and the seed's own is kept.

use inverter::solve::{Choice, ChoiceError, ChoiceSource};
use rand::RngExt;
use smallvec::SmallVec;

use crate::container::{Class, Profile};

/// The wide profile draws a questionable value in one of this many draws. Many dimensions of a file have questionable
/// values, so if they were drawn more often, no file would be without one.
const QUESTIONABLE_ONCE_IN: u32 = 16;

/// The value of a seeded dimension that has no effect.
pub const NONE: &str = "none";
/// The kind of a seeded dimension whose seed decides everything.
pub const RANDOM: &str = "random";

/// One alternative: what is chosen, its name and its class.
pub type Alternative<'n, T> = (T, &'n str, Class);

/// Chooses one of `alternatives`, the first of which is the simplest. The dimension does not exist if only one of them
/// may be drawn and none is given or kept. Returns `None` if there are no alternatives.
///
/// # Errors
///
/// Returns an error if the given choice is not one of them.
pub fn choose<T: Clone>(
    source: &mut ChoiceSource,
    profile: Profile,
    dimension: &str,
    alternatives: &[Alternative<'_, T>],
) -> Result<Option<T>, ChoiceError> {
    let position = |value: &Choice| match value {
        Choice::Text(text) => alternatives.iter().position(|a| a.1 == text),
        _ => None,
    };
    let dimension = source.id(dimension);
    let mut drawn: SmallVec<[&Alternative<'_, T>; 4]> =
        alternatives.iter().filter(|a| profile.draws(a.2)).collect();
    if drawn.is_empty() {
        drawn = alternatives.iter().collect();
    }
    let Some(first) = drawn.first() else {
        return Ok(None);
    };
    let simplest = first.0.clone();
    let baseline = source.default_value(dimension).and_then(position);
    let kept = baseline.is_some_and(|k| alternatives[k].1 != first.1);
    if drawn.len() == 1 && !kept && !source.is_given(dimension) {
        return Ok(Some(simplest));
    }
    let simplest = Choice::from(first.1);
    let (questionable, sure): (Vec<&Alternative<'_, T>>, Vec<_>) =
        drawn.into_iter().partition(|a| a.2 == Class::Questionable);
    let fit = |value: &Choice| match position(value) {
        Some(k) => Ok(alternatives[k].0.clone()),
        None => {
            let names: Vec<&str> = alternatives.iter().map(|a| a.1).collect();
            Err(format!("it must be one of {}", names.join(", ")))
        }
    };
    let draw = |rng: &mut _| {
        let rare = sure.is_empty()
            || !questionable.is_empty() && RngExt::random_ratio(rng, 1, QUESTIONABLE_ONCE_IN);
        let from = if rare { &questionable } else { &sure };
        Choice::from(from[RngExt::random_range(rng, 0..from.len())].1)
    };
    source.choose(dimension, fit, || simplest, draw).map(Some)
}

/// Chooses one of `alternatives`, as [`choose`] does, and returns its index.
///
/// # Errors
///
/// Returns an error if the given choice is not one of them.
pub fn choose_index(
    source: &mut ChoiceSource,
    profile: Profile,
    dimension: &str,
    alternatives: &[(&str, Class)],
) -> Result<usize, ChoiceError> {
    let indexed: Vec<Alternative<'_, usize>> =
        alternatives.iter().enumerate().map(|(k, a)| (k, a.0, a.1)).collect();
    Ok(choose(source, profile, dimension, &indexed)?.unwrap_or(0))
}

/// Chooses `none`, or one of `kinds` with a random seed, written `KIND:NUMBER`. A file with a seed has the class
/// `class`. The class and the profile decide whether a seed is drawn half of the time, rarely, or only if it is given.
///
/// # Errors
///
/// Returns an error if the given choice is not one of these.
pub fn choose_seeded(
    source: &mut ChoiceSource,
    profile: Profile,
    dimension: &str,
    class: Class,
    none: &str,
    kinds: &[&str],
) -> Result<Option<(usize, u64)>, ChoiceError> {
    if kinds.is_empty() || !profile.draws(class) && !source.is_given(dimension) {
        return Ok(None);
    }
    let fit = |value: &Choice| {
        let text = if let Choice::Text(text) = value { text } else { "" };
        let found = text.split_once(':').and_then(|(kind, seed)| {
            Some((kinds.iter().position(|k| *k == kind)?, seed.parse::<u64>().ok()?))
        });
        match found {
            None if text == none => Ok(None),
            None => Err(format!("it must be {none}, or {} with a :NUMBER", kinds.join(", "))),
            found => Ok(found),
        }
    };
    let once_in = if class == Class::Questionable { QUESTIONABLE_ONCE_IN } else { 2 };
    let draw = |rng: &mut _| match RngExt::random_ratio(rng, 1, once_in) {
        true => {
            let kind = &kinds[RngExt::random_range(rng, 0..kinds.len())];
            Choice::Text(format!("{kind}:{}", RngExt::random::<u32>(rng)))
        }
        false => Choice::from(none),
    };
    source.choose(dimension, fit, || Choice::from(none), draw)
}
