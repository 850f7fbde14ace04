//! Choices that could vary but do not: a number that is the same in all draws of a canonical value, although the
//! inverse can make a representation with another number.

use std::collections::BTreeSet;

use inverter::solve::{Choice, ChoiceSource, Choices};

/// The minimum number of draws of one value after which a number that never changed is suspected.
const DRAWS: usize = 50;
/// The number of draws that confirm it: a number that changes in one of fifty draws is missed in two of a hundred
/// cases.
const CONFIRMING: u64 = 200;
/// The maximum number of elements of one dimension that are tried.
const ELEMENTS: usize = 4;
/// The seed of draws that are not samples.
const OTHER_SEED: u64 = 0x7661_7279;

/// A number that never varies, although it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
    /// The element, for a dimension that is a list.
    pub element: Option<usize>,
    /// Its value in all draws.
    pub value: i128,
    /// Another value that it has in some representation.
    pub other: i128,
    /// The number of draws.
    pub draws: usize,
}

/// Returns the dimensions of one canonical value of which some number never varies, each with one such number. `made` are the
/// choices of the different representations that `draws` draws made; `draw` makes another, and returns false if it cannot.
pub fn stuck(
    draw: &dyn Fn(&mut ChoiceSource) -> bool,
    made: &[&Choices],
    draws: usize,
    over: &dyn Fn() -> bool,
) -> Vec<(String, Stuck)> {
    let Some(first) = made.first().filter(|_| draws >= DRAWS) else { return Vec::new() };
    let mut suspected: Vec<(String, usize, Stuck)> = Vec::new();
    for (name, choice) in first.iter() {
        let constant = constant(made, name, numbers(choice));
        for at in constant.iter().copied().step_by(constant.len().div_ceil(ELEMENTS).max(1)) {
            if over() {
                return Vec::new();
            }
            if let Some(other) = another(draw, name, choice, at) {
                let element = matches!(choice, Choice::List(_)).then_some(at);
                let stuck = Stuck { element, value: numbers(choice)[at], other, draws };
                suspected.push((name.to_owned(), at, stuck));
                break;
            }
        }
    }
    for k in 0..CONFIRMING {
        if suspected.is_empty() || over() {
            return Vec::new();
        }
        let mut source = ChoiceSource::seeded(OTHER_SEED, k);
        if draw(&mut source) {
            let own =
                |name: &str, at: usize| numbers(source.recorded().get(name)?).get(at).copied();
            suspected.retain_mut(|(name, at, stuck)| {
                let own = own(name, *at);
                stuck.draws += usize::from(own.is_some());
                own.is_none_or(|own| own == stuck.value)
            });
        }
    }
    suspected.into_iter().map(|(name, _, stuck)| (name, stuck)).collect()
}

/// Returns the numbers that are drawn for a dimension.
fn numbers(choice: &Choice) -> &[i128] {
    match choice {
        Choice::Int(n) => std::slice::from_ref(n),
        Choice::List(items) => items,
        Choice::Text(_) => &[],
    }
}

/// Returns the positions of the numbers of a dimension that are the same in all representations; `own` is the value in
/// one of them.
fn constant(made: &[&Choices], name: &str, own: &[i128]) -> Vec<usize> {
    let all = made.iter().map(|choices| choices.get(name).map(numbers));
    // Lists of several lengths have no elements to compare.
    let all = all.map(|other| other.filter(|other| other.len() == own.len()));
    let Some(all) = all.collect::<Option<Vec<_>>>() else { return Vec::new() };
    (0..own.len()).filter(|k| all.iter().all(|other| other[*k] == own[*k])).collect()
}

/// Returns another value of a number for which the inverse makes a representation, with all other dimensions free.
fn another(
    draw: &dyn Fn(&mut ChoiceSource) -> bool,
    name: &str,
    choice: &Choice,
    at: usize,
) -> Option<i128> {
    let value = numbers(choice)[at];
    let near = [value - 1, value + 1, 0, 1, 2, value + 2];
    let others: BTreeSet<i128> = near.into_iter().filter(|n| *n != value).collect();
    others.into_iter().find(|other| {
        let mut changed = choice.clone();
        match &mut changed {
            Choice::List(items) => items[at] = *other,
            _ => changed = Choice::Int(*other),
        }
        let mut given = Choices::new();
        given.set(name, changed);
        let mut source = ChoiceSource::seeded(OTHER_SEED, 0).with_given(given);
        draw(&mut source)
            && source.recorded().get(name).and_then(|c| numbers(c).get(at)) == Some(other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::IntervalSet;

    /// Draws a list of two bytes. The first is `first` unless it is given, and is at most `most`.
    fn draw(source: &mut ChoiceSource, first: i128, most: i128) -> bool {
        let free = IntervalSet::range(0, 255);
        let allowed = match source.given("list") {
            Some(Choice::List(given)) if (0..=most).contains(&given[0]) => given[0],
            Some(_) => return false,
            None => first,
        };
        let first = IntervalSet::range(allowed, allowed);
        source.integers("list", &[first, free].map(inverter::solve::Domain::of)).is_ok()
    }

    fn found(first: impl Fn(u64) -> i128, most: i128) -> Vec<(String, Stuck)> {
        let made: Vec<Choices> = (0..60)
            .map(|k| {
                let mut source = ChoiceSource::seeded(1, k);
                assert!(draw(&mut source, first(k), most));
                source.into_recorded()
            })
            .collect();
        let turn = std::cell::Cell::new(60);
        let draw = |source: &mut ChoiceSource| {
            turn.set(turn.get() + 1);
            draw(source, first(turn.get()), most)
        };
        stuck(&draw, &made.iter().collect::<Vec<_>>(), 60, &|| false)
    }

    #[test]
    fn an_element_that_could_vary_and_does_not_is_found() {
        let expected = Stuck { element: Some(0), value: 7, other: 0, draws: 260 };
        assert_eq!(found(|_| 7, 255), [("list".to_owned(), expected)]);
    }

    #[test]
    fn an_element_that_varies_or_cannot_is_not() {
        assert_eq!(found(|k| i128::from(k % 2), 255), []);
        assert_eq!(found(|_| 0, 0), []);
    }

    #[test]
    fn an_element_that_varies_in_few_draws_only_is_not() {
        assert_eq!(found(|k| i128::from(k > 200), 255), []);
    }
}
