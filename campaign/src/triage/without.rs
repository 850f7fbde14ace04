//! Sets of choices without one of them.
//!
//! Choices depend on one another: a list has an item for each strip, and their number follows from the orientation and
//! the rows per strip. The rest of a set may therefore have no variant merely because of the length of a list, or the
//! maximum value of a number. This module adjusts the values of the other choices, so a choice is needed only if no
//! adjusted set fails.

use equivalents::reduce::{is_order, of_length};
use inverter::solve::{Choice, Choices};

use equivalents::subject::Subject;

/// The maximum number of smaller numbers that are tried in place of one that does not fit, and the maximum number of
/// fitting ones.
const SMALLER: i128 = 8;
const FITTING: usize = 4;

/// Returns the sets that consist of `choices` without `dimension` and have a variant: the rest unchanged, or otherwise
/// with values that fit, the most similar first. Empty if no choice is left.
pub fn without(subject: &dyn Subject, choices: &Choices, dimension: &str) -> Vec<Choices> {
    let mut rest = choices.clone();
    rest.remove(dimension);
    if rest.is_empty() {
        return Vec::new();
    }
    let mut sets = match subject.replay(&rest) {
        Ok(_) => vec![rest.clone()],
        Err(_) => fitted(subject, &rest),
    };
    sets.extend(rescaled(subject, choices, &rest).iter().flat_map(|set| fitted(subject, set)));
    sets
}

/// Returns sets with the choices of `rest`, unchanged or with values that fit.
pub fn fitted(subject: &dyn Subject, rest: &Choices) -> Vec<Choices> {
    // Lists depend on numbers, and not the other way round.
    let in_order = numbers(rest).chain(lists(rest));
    let mut sets = vec![Choices::new()];
    for (name, value) in in_order {
        sets = sets.iter().flat_map(|set| extended(subject, set, name, value)).collect();
    }
    sets
}

/// Returns `rest` with one number changed in proportion, if its lists have another length than those of `choices`: with
/// half as many rows per strip, a picture of half the height has the same number of strips.
fn rescaled(subject: &dyn Subject, choices: &Choices, rest: &Choices) -> Vec<Choices> {
    let without_lists = |set: &Choices| subject.replay(&numbers(set).map(owned).collect()).ok();
    let (Some(whole), Some(part)) = (without_lists(choices), without_lists(rest)) else {
        return Vec::new();
    };
    let lengths =
        lists(&whole.choices).filter_map(|(name, value)| match (value, part.choices.get(name)) {
            (Choice::List(before), Some(Choice::List(now))) => Some((before.len(), now.len())),
            _ => None,
        });
    let Some((before, now)) = lengths.into_iter().find(|(before, now)| before != now && *now > 0)
    else {
        return Vec::new();
    };
    let changed = |(name, value): (&str, &Choice)| {
        let Choice::Int(n) = value else { return None };
        let scaled = Choice::Int((n * now as i128 / before as i128).max(1));
        // Each code is a separate class.
        let is_amount = subject.value_class(name, &scaled) == subject.value_class(name, value);
        let mut set = rest.clone();
        set.set(name, scaled.clone());
        (is_amount && scaled != *value).then_some(set)
    };
    numbers(rest).filter_map(changed).collect()
}

/// The choices that are not lists.
fn numbers(choices: &Choices) -> impl Iterator<Item = (&'static str, &Choice)> {
    choices.iter().filter(|(_, value)| !matches!(value, Choice::List(_)))
}

/// The choices that are lists.
fn lists(choices: &Choices) -> impl Iterator<Item = (&'static str, &Choice)> {
    choices.iter().filter(|(_, value)| matches!(value, Choice::List(_)))
}

fn owned((name, value): (&str, &Choice)) -> (String, Choice) {
    (name.to_owned(), value.clone())
}

/// Returns `set` with `value` for a dimension or, if that has no variant, with values that fit.
fn extended(subject: &dyn Subject, set: &Choices, name: &str, value: &Choice) -> Vec<Choices> {
    let with = |value: Choice| {
        let mut set = set.clone();
        set.set(name, value);
        subject.replay(&set).is_ok().then_some(set)
    };
    if let Some(set) = with(value.clone()) {
        return vec![set];
    }
    match value {
        Choice::Int(n) => {
            let smaller = (1..=SMALLER).map(|less| n - less).filter(|n| *n > 0);
            smaller.filter_map(|n| with(Choice::Int(n))).take(FITTING).collect()
        }
        Choice::List(items) => {
            let default = subject.replay(set).ok().and_then(|v| v.choices.get(name).cloned());
            let Some(Choice::List(default)) = default else { return Vec::new() };
            let fitted = [resized(items, default.len()), of_length(items, default.len())];
            let other = fitted.into_iter().flatten().filter(|list| *list != default);
            other.filter_map(|list| with(Choice::List(list))).collect()
        }
        Choice::Text(_) => Vec::new(),
    }
}

/// Returns a list of another length that begins like `items`; for an order, one with the same relative order.
fn resized(items: &[i128], length: usize) -> Option<Vec<i128>> {
    let (last, most) = (*items.last()?, length as i128);
    Some(match is_order(items) {
        true => {
            let kept = items.iter().copied().filter(|place| *place < most);
            kept.chain(items.len() as i128..most).collect()
        }
        false => {
            let kept = items.iter().copied().chain(std::iter::repeat(last));
            kept.take(length).collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use tiff_harness::Seed;

    use super::*;

    #[test]
    fn lists_keep_their_beginning_and_orders_their_order() {
        assert_eq!(resized(&[3, 1, 0, 2], 3), Some(vec![1, 0, 2]));
        assert_eq!(resized(&[1, 0], 4), Some(vec![1, 0, 2, 3]));
        assert_eq!(resized(&[0, 7, 9], 2), Some(vec![0, 7]));
        assert_eq!(resized(&[0, 7], 4), Some(vec![0, 7, 7, 7]));
        assert_eq!(resized(&[], 4), None);
    }

    #[test]
    fn rows_are_fewer_where_there_are_fewer_strips() {
        let gray = include_bytes!("../../../corpus/seeds/gray.tif").to_vec();
        let seed = Seed::open(gray).unwrap();
        let height = seed.picture().height();
        assert!(seed.picture().width() > height + height / 2, "a turned one has more strips");
        let choices = Choices::from_iter([
            ("orientation", Choice::Int(5)),
            ("rows_per_strip", Choice::Int(12)),
        ]);
        let rows: Vec<_> = without(&seed, &choices, "orientation")
            .iter()
            .map(|set| set.get("rows_per_strip").cloned())
            .collect();
        assert_eq!(rows, [Some(Choice::Int(12)), Some(Choice::Int(6))]);
    }

    /// The picture has 5 columns and 4 rows, so a turned picture has another number of strips.
    #[test]
    fn a_list_fits_the_strips_that_are_left_without_an_orientation() {
        let seed = Seed::open(include_bytes!("../../../corpus/seeds/tiny.tif").to_vec()).unwrap();
        let choices: Choices = [
            ("orientation", Choice::Int(5)),
            ("rows_per_strip", Choice::Int(1)),
            ("segment order", Choice::List(vec![1, 0, 2, 3, 4])),
        ]
        .into_iter()
        .collect();
        assert!(seed.replay(&choices).is_ok());
        let sets = without(&seed, &choices, "orientation");
        let orders: Vec<_> = sets.iter().map(|set| set.get("segment order")).collect();
        let order = |places: &[i128]| Choice::List(places.to_vec());
        assert_eq!(orders, [Some(&order(&[1, 0, 2, 3])), Some(&order(&[3, 2, 1, 0]))], "{sets:?}");
        assert!(sets.iter().all(|set| set.len() == 2 && seed.replay(set).is_ok()));
        // Nothing has to be adjusted.
        let sets = without(&seed, &choices, "segment order");
        assert_eq!(sets.len(), 1);
        assert_eq!(sets[0].len(), 2);
        // With one strip there is no other order.
        assert!(without(&seed, &choices, "rows_per_strip").is_empty());
    }
}
