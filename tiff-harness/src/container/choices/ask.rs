//! One of a few alternatives that have classes, drawn as the profile says.

use inverter::solve::{Choice, ChoiceError, ChoiceSource};
use rand::RngExt;

use crate::container::{Class, Profile};

/// In the wide profile a questionable value is drawn once in so many times. A file has
/// many dimensions with one: were it more often, no file would be without.
const QUESTIONABLE_ONCE_IN: u32 = 16;

/// One way to do it: what it is, its name, its class.
pub(crate) type Way<'n, T> = (T, &'n str, Class);

/// One of `ways`; the first is simplest. Any can be given or kept. Where just one of them
/// may be drawn, and none is given or kept, it is no dimension.
///
/// # Errors
///
/// If something else is given.
pub(crate) fn ask<T: Clone>(
    source: &mut ChoiceSource,
    profile: Profile,
    dimension: &str,
    ways: &[Way<'_, T>],
) -> Result<Option<T>, ChoiceError> {
    let place = |value: &Choice| match value {
        Choice::Text(text) => ways.iter().position(|way| way.1 == text),
        _ => None,
    };
    let mut drawn: Vec<&Way<'_, T>> = ways.iter().filter(|way| profile.draws(way.2)).collect();
    if drawn.is_empty() {
        drawn = ways.iter().collect();
    }
    let Some(first) = drawn.first() else {
        return Ok(None);
    };
    let simplest = first.0.clone();
    let known = source.kept(dimension).and_then(place).is_some_and(|k| ways[k].1 != first.1);
    if drawn.len() == 1 && !known && !source.is_given(dimension) {
        return Ok(Some(simplest));
    }
    let simplest = Choice::from(first.1);
    let (odd, fine): (Vec<&Way<'_, T>>, Vec<_>) =
        drawn.into_iter().partition(|way| way.2 == Class::Questionable);
    let fit = |value: &Choice| match place(value) {
        Some(k) => Ok(ways[k].0.clone()),
        None => {
            let names: Vec<&str> = ways.iter().map(|way| way.1).collect();
            Err(format!("it must be one of {}", names.join(", ")))
        }
    };
    let draw = |rng: &mut _| {
        let rare = fine.is_empty()
            || !odd.is_empty() && RngExt::random_ratio(rng, 1, QUESTIONABLE_ONCE_IN);
        let from = if rare { &odd } else { &fine };
        Choice::from(from[RngExt::random_range(rng, 0..from.len())].1)
    };
    source.choose(dimension, fit, || simplest, draw).map(Some)
}

/// `none`, or one of `kinds` with a random seed, as `KIND:NUMBER`. Where it has a seed,
/// the file has the class `class`; by that and the profile, it is drawn half of the time,
/// seldom, or only if it is given.
///
/// # Errors
///
/// If something else is given.
pub(super) fn ask_seeded(
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

/// The value for nothing of the kind.
pub(super) const NONE: &str = "none";
/// The kind of what is drawn from a seed alone.
pub(super) const RANDOM: &str = "random";
