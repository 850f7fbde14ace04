//! Choices that could vary and hardly do: a number that has one value, or next to one, in all draws of a canonical value,
//! although the inverse makes representations in which it has others.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::{Choice, ChoiceSource, Choices};

/// The least draws of one value from which a number that hardly changed is suspected.
const DRAWS: usize = 50;
/// The number of draws that confirm it: a number that changes in one of fifty draws is missed in two of a hundred
/// cases.
const CONFIRMING: u64 = 200;
/// The maximum number of elements of one dimension that are tried.
const ELEMENTS: usize = 4;
/// The most values of a number that are few.
const FEW: usize = 3;
/// The share of draws from which a value is nearly the only one.
const NEARLY_ALL: f64 = 0.95;
/// The number of values beside those that were drawn from which few values are too few.
const OTHERS: usize = 8;
/// The seed of draws that are no samples.
const OTHER_SEED: u64 = 0x7661_7279;

/// A number that hardly varies, although it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
    /// The element, for a dimension that is a list.
    pub element: Option<usize>,
    /// Its most frequent value.
    pub value: i128,
    /// The number of draws in which it has this value.
    pub times: usize,
    /// The number of its values in all draws.
    pub values: usize,
    /// Another value, which no draw has, that it has in some representation.
    pub other: i128,
    /// The number of draws.
    pub draws: usize,
}

/// The values of a number in draws, with the number of draws that have each.
#[derive(Debug, Clone, Default)]
struct Seen {
    counts: BTreeMap<i128, usize>,
    draws: usize,
}

impl Seen {
    fn add(&mut self, value: i128, times: usize) {
        *self.counts.entry(value).or_default() += times;
        self.draws += times;
    }

    /// The most frequent value, the least of several, and the number of draws that have it.
    fn most(&self) -> (i128, usize) {
        let most = self.counts.iter().max_by_key(|(value, times)| (**times, -**value));
        most.map_or((0, 0), |(value, times)| (*value, *times))
    }

    /// True if draws hardly vary it.
    fn hardly_varies(&self) -> bool {
        self.counts.len() <= FEW || self.most().1 as f64 >= NEARLY_ALL * self.draws as f64
    }
}

/// A number under suspicion.
struct Suspect {
    name: String,
    at: usize,
    is_list: bool,
    seen: Seen,
    others: Vec<i128>,
}

impl Suspect {
    /// True if it hardly varies although it may: another value is enough if it never changed.
    fn is_stuck(&self) -> bool {
        let others = self.others.iter().filter(|n| !self.seen.counts.contains_key(n)).count();
        self.seen.hardly_varies() && (others >= OTHERS || others > 0 && self.seen.counts.len() == 1)
    }

    fn into_stuck(self) -> Option<(String, Stuck)> {
        let (value, times) = self.seen.most();
        let Seen { counts, draws } = self.seen;
        let other = self.others.into_iter().find(|n| !counts.contains_key(n))?;
        let element = self.is_list.then_some(self.at);
        Some((self.name, Stuck { element, value, times, values: counts.len(), other, draws }))
    }
}

/// Returns the dimensions of one canonical value of which some number hardly varies, each with one such number. `made` are
/// the choices of the different representations, each with the number of draws that made it; `draw` makes another, and returns
/// false if it cannot.
pub fn stuck(
    draw: &dyn Fn(&mut ChoiceSource) -> bool,
    made: &[(&Choices, usize)],
    over: &dyn Fn() -> bool,
) -> Vec<(String, Stuck)> {
    let Some((first, _)) = made.first() else { return Vec::new() };
    let mut suspects: Vec<Suspect> = Vec::new();
    for (name, choice) in first.iter() {
        let seen = seen(made, name).unwrap_or_default();
        let hardly = |seen: &Seen| seen.draws >= DRAWS && seen.hardly_varies();
        let few: Vec<usize> = (0..seen.len()).filter(|at| hardly(&seen[*at])).collect();
        for at in few.iter().copied().step_by(few.len().div_ceil(ELEMENTS).max(1)) {
            if over() {
                return Vec::new();
            }
            let others = others(draw, (name, choice, at), &seen[at]);
            let is_list = matches!(choice, Choice::List(_));
            let (name, seen) = (name.to_owned(), seen[at].clone());
            let suspect = Suspect { name, at, is_list, seen, others };
            if suspect.is_stuck() {
                suspects.push(suspect);
                break;
            }
        }
    }
    for k in 0..CONFIRMING {
        if suspects.is_empty() || over() {
            return Vec::new();
        }
        let mut source = ChoiceSource::seeded(OTHER_SEED, k);
        if draw(&mut source) {
            suspects.retain_mut(|suspect| {
                let own = source.recorded().get(&suspect.name).map(numbers);
                if let Some(value) = own.and_then(|own| own.get(suspect.at)) {
                    suspect.seen.add(*value, 1);
                }
                suspect.is_stuck()
            });
        }
    }
    suspects.into_iter().filter_map(Suspect::into_stuck).collect()
}

/// Returns the least number of values that an element of each dimension that is a list has in the draws.
pub fn fewest(made: &[(&Choices, usize)]) -> Vec<(String, usize)> {
    let Some((first, _)) = made.first() else { return Vec::new() };
    let lists = first.iter().filter(|(_, choice)| matches!(choice, Choice::List(_)));
    let fewest = lists.filter_map(|(name, _)| {
        let least = seen(made, name)?.iter().map(|seen| seen.counts.len()).min()?;
        Some((name.to_owned(), least))
    });
    fewest.collect()
}

/// Returns the numbers that are drawn for a dimension.
fn numbers(choice: &Choice) -> &[i128] {
    match choice {
        Choice::Int(n) => std::slice::from_ref(n),
        Choice::List(items) => items,
        Choice::Text(_) => &[],
    }
}

/// Returns the values of each number of a dimension; `None` if its lists have several lengths, and no elements to compare.
fn seen(made: &[(&Choices, usize)], name: &str) -> Option<Vec<Seen>> {
    let mut out: Vec<Seen> = Vec::new();
    for (choices, times) in made {
        let Some(own) = choices.get(name).map(numbers) else { continue };
        out.resize_with(if out.is_empty() { own.len() } else { out.len() }, Seen::default);
        if out.len() != own.len() {
            return None;
        }
        out.iter_mut().zip(own).for_each(|(seen, value)| seen.add(*value, *times));
    }
    Some(out)
}

/// Returns values of a number, none of them drawn, with which the inverse makes a representation, all other dimensions
/// free: as many as decide whether it is stuck.
fn others(
    draw: &dyn Fn(&mut ChoiceSource) -> bool,
    (name, choice, at): (&str, &Choice, usize),
    seen: &Seen,
) -> Vec<i128> {
    /// The bits of a number that are changed one by one.
    const BITS: u32 = 24;
    let value = numbers(choice)[at];
    let near = [value - 1, value + 1, 0, 1, 2, value + 2];
    let bits = (0..BITS).map(|bit| value ^ (1 << bit));
    let tried: BTreeSet<i128> =
        near.into_iter().chain(bits).filter(|n| !seen.counts.contains_key(n)).collect();
    let least = if seen.counts.len() == 1 { 1 } else { OTHERS };
    let mut left = tried.len();
    let mut out = Vec::new();
    for other in tried {
        if out.len() >= OTHERS || out.len() + left < least {
            break;
        }
        left -= 1;
        let mut changed = choice.clone();
        match &mut changed {
            Choice::List(items) => items[at] = other,
            _ => changed = Choice::Int(other),
        }
        let mut given = Choices::new();
        given.set(name, changed);
        let mut source = ChoiceSource::seeded(OTHER_SEED, 0).with_given(given);
        let own = |source: &ChoiceSource| {
            source.recorded().get(name).and_then(|c| numbers(c).get(at).copied())
        };
        if draw(&mut source) && own(&source) == Some(other) {
            out.push(other);
        }
    }
    out
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
        stuck(&draw, &made.iter().map(|made| (made, 1)).collect::<Vec<_>>(), &|| false)
    }

    #[test]
    fn an_element_that_could_vary_and_does_not_is_found() {
        let (times, values) = (260, 1);
        let expected = Stuck { element: Some(0), value: 7, times, values, other: 0, draws: 260 };
        assert_eq!(found(|_| 7, 255), [("list".to_owned(), expected)]);
    }

    #[test]
    fn two_values_of_many_are_too_few_and_two_of_two_are_not() {
        let two = found(|k| i128::from(k % 2) * 200, 255);
        let expected =
            Stuck { element: Some(0), value: 0, times: 130, values: 2, other: 1, draws: 260 };
        assert_eq!(two, [("list".to_owned(), expected)]);
        assert_eq!(found(|k| i128::from(k % 2), 1), []);
    }

    #[test]
    fn one_value_in_nearly_all_draws_is_too_few() {
        let rare = found(|k| if k % 50 == 1 { i128::from(k) } else { 9 }, 512);
        let values: Vec<_> = rare.iter().map(|(_, stuck)| (stuck.value, stuck.values)).collect();
        assert_eq!(values, [(9, 7)]);
    }

    #[test]
    fn an_element_that_varies_or_cannot_is_not() {
        assert_eq!(found(|k| i128::from(k % 5), 255), []);
        assert_eq!(found(|_| 0, 0), []);
    }

    #[test]
    fn an_element_that_varies_in_few_draws_only_is_not() {
        assert_eq!(found(|k| i128::from(k > 200), 255), []);
    }
}
