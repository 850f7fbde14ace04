//! Relates causes of one fault whose pictures are wrong in different ways.
//!
//! Strips in another order shift a part of the picture, and strips of one row in reversed order mirror it: this is one
//! fault with the same dimensions but two kinds of difference. Two causes with the same dimensions may also be two
//! faults, such as one for few rows and one for many. Therefore the files between the two are tried, which have some
//! values of one and some of the other. If one of them is read correctly, the causes are unrelated. If all are wrong,
//! the values only select the appearance of the fault.

use equivalents::reduce::is_order;
use inverter::solve::{Choice, Choices};

use super::enumerate_values::ObservedValues;
use super::test_oracle::{ReduceError, TestOracle};
use super::without::fitted;
use crate::oracle::{DifferenceKind, Outcome, Signature};
use crate::records::{Cause, Depth, Purpose};

/// The maximum number of pairs of causes that are compared for one client.
const MAX_PAIRS: usize = 12;

/// The number of parts into which the interval between two numbers is divided.
const PARTS: i128 = 4;

/// Finds pairs of causes of the same fault, and records in each cause the kind of difference of the other.
///
/// # Errors
///
/// Returns [`ReduceError`]. Causes that were compared before keep what was recorded.
pub fn relate(
    oracle: TestOracle<'_>,
    causes: &mut [Cause],
    values: &ObservedValues,
) -> Result<(), ReduceError> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for place in 0..causes.len() {
        let others = (0..place).filter(|other| may_be_one(&causes[*other], &causes[place]));
        pairs.extend(others.map(|other| (other, place)));
    }
    for (one, other) in pairs.into_iter().take(MAX_PAIRS) {
        if are_one(oracle, &causes[one], &causes[other], values)? {
            for (place, from) in [(one, other), (other, one)] {
                let kind = causes[from].difference;
                causes[place].appearances.extend(kind);
            }
        }
    }
    Ok(())
}

/// Returns true if two causes are wrong pictures with the same dimensions, and with kinds that do not follow from the
/// layout of the file.
fn may_be_one(one: &Cause, other: &Cause) -> bool {
    let is_reduced = |c: &Cause| c.depth == Depth::Minimal && !c.choices.is_empty();
    is_reduced(one)
        && is_reduced(other)
        && is_wrong(one.signature())
        && is_wrong(other.signature())
        && one.dimensions == other.dimensions
        && !one.signature().varies_to(other.signature())
}

/// Returns true for wrong pixels of a kind other than wrong low bits, which are a separate fault.
fn is_wrong(signature: Signature) -> bool {
    signature.outcome == Outcome::Wrong && signature.difference != Some(DifferenceKind::LowBits)
}

/// Returns true if the files between two causes are wrong, and none is read correctly.
fn are_one(
    oracle: TestOracle<'_>,
    one: &Cause,
    other: &Cause,
    values: &ObservedValues,
) -> Result<bool, ReduceError> {
    let (one, other) = (&one.choices, &other.choices);
    let differing: Vec<&str> =
        one.iter().filter(|(d, v)| other.get(d) != Some(*v)).map(|(d, _)| d).collect();
    // Each code has its own meaning, and so has each word.
    let is_amount = |dimension: &&str| match one.get(dimension) {
        Some(Choice::Int(_)) => !values.are_codes(oracle.subject, dimension),
        Some(Choice::List(_)) => true,
        _ => false,
    };
    if !differing.iter().all(is_amount) {
        return Ok(false);
    }
    let sets = between(oracle, one, other, &differing);
    let mut shown = sets.is_empty();
    for set in sets {
        let Some(trial) = oracle.test(&set, Purpose::Compare)? else { continue };
        let signature = trial.judgment.signature();
        match signature.outcome {
            Outcome::Wrong if is_wrong(signature) => shown = true,
            Outcome::Same | Outcome::Wrong => return Ok(false),
            // With a wrong layout there may be too few bytes to read anything.
            _ => {}
        }
    }
    Ok(shown)
}

/// Returns the sets between `one` and `other`: each with one value of the other. If they differ in one value, the sets
/// with a value between the two.
fn between(
    oracle: TestOracle<'_>,
    one: &Choices,
    other: &Choices,
    differing: &[&str],
) -> Vec<Choices> {
    let replaced = |set: &Choices, dimension: &str, value: Choice| {
        let mut set = set.clone();
        set.set(dimension, value);
        // A list has a different length if there are more strips.
        fitted(oracle.subject, &set).into_iter().next()
    };
    let each = |to: &Choices, from: &Choices| -> Vec<Choices> {
        let taken = |dimension: &&str| replaced(to, dimension, from.get(dimension)?.clone());
        differing.iter().filter_map(taken).collect()
    };
    match differing {
        [dimension] => match (one.get(dimension), other.get(dimension)) {
            (Some(a), Some(b)) => middle(a, b)
                .into_iter()
                .filter_map(|value| replaced(one, dimension, value))
                .collect(),
            _ => Vec::new(),
        },
        _ => [each(one, other), each(other, one)].concat(),
    }
}

/// Returns values between two values of one dimension.
fn middle(one: &Choice, other: &Choice) -> Vec<Choice> {
    match (one, other) {
        (Choice::Int(a), Choice::Int(b)) => {
            let mut numbers: Vec<i128> = (1..PARTS).map(|k| a + (b - a) * k / PARTS).collect();
            numbers.retain(|n| n != a && n != b);
            numbers.dedup();
            numbers.into_iter().map(Choice::Int).collect()
        }
        (Choice::List(a), Choice::List(b)) if a.len() == b.len() => {
            let half = a.len() / 2;
            let mixed: Vec<i128> = match is_order(a) && is_order(b) {
                true => (0..half).rev().chain(half..a.len()).map(|place| place as i128).collect(),
                false => a[..half].iter().chain(&b[half..]).copied().collect(),
            };
            let is_new =
                mixed != *a && mixed != *b && !mixed.iter().copied().eq(0..a.len() as i128);
            is_new.then_some(Choice::List(mixed)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_are_neither_of_the_two() {
        let numbers = |a, b| {
            let all = middle(&Choice::Int(a), &Choice::Int(b));
            all.iter().map(Choice::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(numbers(1, 29), "8 15 22");
        assert_eq!(numbers(29, 1), "22 15 8");
        assert_eq!(numbers(1, 3), "2");
        assert_eq!(numbers(1, 2), "");
    }

    #[test]
    fn an_order_between_is_another_order() {
        let list = |items: &[i128]| Choice::List(items.to_vec());
        let orders = middle(&list(&[1, 0, 2, 3, 4]), &list(&[4, 3, 2, 1, 0]));
        assert_eq!(orders, []);
        let orders = middle(&list(&[0, 1, 2, 4, 3]), &list(&[4, 3, 2, 1, 0]));
        assert_eq!(orders, [list(&[1, 0, 2, 3, 4])]);
        assert_eq!(middle(&list(&[7, 0, 0, 0]), &list(&[0, 0, 0, 9])), [list(&[7, 0, 0, 9])]);
        assert_eq!(middle(&list(&[1, 0]), &list(&[1, 0, 2])), []);
    }
}
