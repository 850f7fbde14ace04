//! Choices that could vary and do not: a number that is the same in all draws of a canonical value, although the inverse
//! makes a representation in which it is another.

use std::collections::BTreeSet;

use inverter::solve::{Choice, ChoiceSource, Choices};

/// The least draws of one value from which a number that never changed is suspected.
const DRAWS: usize = 50;
/// The draws that confirm it: a number that changes in one of sixty draws is seen in all but three of a hundred cases.
const CONFIRMING: u64 = 200;
/// The most elements of one dimension that are tried.
const ELEMENTS: usize = 4;
/// The seed of draws that are no samples.
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
    let mut suspected: Vec<(String, Stuck)> = Vec::new();
    for (name, choice) in first.iter() {
        for element in spread_out(&constant(made, name, choice)) {
            let Some(value) = number(choice, element) else { continue };
            if over() {
                return Vec::new();
            }
            if let Some(other) = another(draw, name, choice, element, value) {
                suspected.push((name.to_owned(), Stuck { element, value, other, draws }));
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
            let recorded = source.recorded();
            suspected.retain_mut(|(name, s)| {
                s.draws += 1;
                recorded
                    .get(&**name)
                    .is_none_or(|c| number(c, s.element).is_none_or(|n| n == s.value))
            });
        }
    }
    suspected
}

/// Returns the numbers of a dimension that are the same in all representations, which all have it.
fn constant(made: &[&Choices], name: &str, choice: &Choice) -> Vec<Option<usize>> {
    let numbers: Vec<Option<usize>> = match choice {
        Choice::Int(_) => vec![None],
        Choice::List(items) => (0..items.len()).map(Some).collect(),
        Choice::Text(_) => Vec::new(),
    };
    let len = |choice: &Choice| match choice {
        Choice::List(items) => Some(items.len()),
        _ => None,
    };
    let all: Option<Vec<&Choice>> = made.iter().map(|choices| choices.get(name)).collect();
    let Some(all) = all.filter(|all| all.iter().all(|c| len(c) == len(choice))) else {
        return Vec::new();
    };
    let same = |at: &Option<usize>| all.iter().all(|c| number(c, *at) == number(choice, *at));
    numbers.into_iter().filter(same).collect()
}

/// Returns some of them, from the first to the last.
fn spread_out(all: &[Option<usize>]) -> Vec<Option<usize>> {
    let last = all.len().saturating_sub(1);
    let at: BTreeSet<usize> = (0..ELEMENTS).map(|k| k * last / (ELEMENTS - 1)).collect();
    at.into_iter().filter_map(|k| all.get(k).copied()).collect()
}

fn number(choice: &Choice, element: Option<usize>) -> Option<i128> {
    match (choice, element) {
        (Choice::Int(n), None) => Some(*n),
        (Choice::List(items), Some(k)) => items.get(k).copied(),
        _ => None,
    }
}

/// Returns another value with which the inverse makes a representation, all other dimensions free.
fn another(
    draw: &dyn Fn(&mut ChoiceSource) -> bool,
    name: &str,
    choice: &Choice,
    element: Option<usize>,
    value: i128,
) -> Option<i128> {
    let near = [value - 1, value + 1, 0, 1, 2, value + 2];
    let others: BTreeSet<i128> = near.into_iter().filter(|n| *n != value).collect();
    others.into_iter().find(|other| {
        let changed = match (choice, element) {
            (Choice::List(items), Some(k)) => {
                let mut items = items.clone();
                items[k] = *other;
                Choice::List(items)
            }
            _ => Choice::Int(*other),
        };
        let mut given = Choices::new();
        given.set(name, changed);
        let mut source = ChoiceSource::seeded(OTHER_SEED, 0).with_given(given);
        draw(&mut source)
            && source.recorded().get(name).and_then(|c| number(c, element)) == Some(*other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::IntervalSet;

    /// Draws a list of two bytes, of which the first is `first` unless it is given, and may be up to `most`.
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
