//! Turns values and choices into words, for the terminal, the report and `results.jsonl`.

use std::collections::HashSet;

use inverter::solve::{Choice, Choices};

use super::boundary::Boundary;
use equivalents::subject::Subject;

/// Formats a value for people: a number with its class; a word or a list only by its class, because its details are
/// mostly random.
pub fn label(subject: &dyn Subject, dimension: &str, value: &Choice) -> String {
    let class = subject.value_class(dimension, value);
    match value {
        Choice::Int(n) if class.is_empty() || class == n.to_string() => n.to_string(),
        Choice::Int(n) => format!("{n} ({class})"),
        Choice::Text(_) | Choice::List(_) if class.is_empty() => short(value, 40),
        Choice::Text(_) | Choice::List(_) => class,
    }
}

/// Returns the value classes of `choices`: `compression = LZW, tiled = 1`.
pub fn classes(subject: &dyn Subject, choices: &Choices) -> String {
    let class = |(dimension, value): (&str, &Choice)| {
        let class = subject.value_class(dimension, value);
        format!("{dimension} = {}", if class.is_empty() { short(value, 40) } else { class })
    };
    choices.iter().map(class).collect::<Vec<_>>().join(", ")
}

/// Formats the values of one dimension in words. If there are too many numbers to list, they become a range, unless a
/// value of `fine` lies in it. `tried` describes how they were tried.
fn labels(
    subject: &dyn Subject,
    dimension: &str,
    values: &[&Choice],
    fine: &[&Choice],
    tried: &str,
) -> Vec<String> {
    let numbers = |values: &[&Choice]| -> Option<Vec<i128>> {
        let number = |v: &&Choice| if let Choice::Int(n) = v { Some(*n) } else { None };
        values.iter().map(number).collect()
    };
    if let (Some(values), Some(fine)) = (numbers(values), numbers(fine)) {
        let distinct = values.iter().collect::<std::collections::BTreeSet<_>>();
        let code = |n: &&i128| subject.value_class(dimension, &Choice::Int(**n)) == n.to_string();
        let most = if distinct.iter().all(code) { MANY } else { FEW };
        if let (Some(lo), Some(hi), true) =
            (distinct.first(), distinct.last(), distinct.len() > most)
            && !fine.iter().any(|n| (**lo..=**hi).contains(n))
        {
            return vec![format!("{lo} to {hi} ({} values {tried})", distinct.len())];
        }
        if distinct.len() > 1 {
            return distinct.into_iter().map(i128::to_string).collect();
        }
    }
    distinct(values.iter().map(|value| label(subject, dimension, value)))
}

/// States that failing values were tried individually. Variants have further choices, and other values of the
/// dimension.
const ALONE: &str = "tried without further choices";

/// The maximum number of numbers that are listed one by one.
const MANY: usize = 12;

/// The maximum number of numbers that are listed if they are amounts and not codes.
const FEW: usize = 3;

/// Formats the failing values of one dimension in words: the `kept` one first, literally if it is a simple list.
pub fn failing(
    subject: &dyn Subject,
    dimension: &str,
    kept: Option<&Choice>,
    values: &[&Choice],
    fine: &[&Choice],
) -> Vec<String> {
    let plain = kept.and_then(simple);
    let others: Vec<&Choice> =
        values.iter().copied().filter(|v| plain.is_none() || Some(*v) != kept).collect();
    plain.into_iter().chain(labels(subject, dimension, &others, fine, ALONE)).collect()
}

/// Formats the passing values of one dimension in words. Classes of lists that also contain failing values are left
/// out.
pub fn passing(
    subject: &dyn Subject,
    dimension: &str,
    fine: &[&Choice],
    failing: &[&Choice],
) -> Vec<String> {
    let mut names = labels(subject, dimension, fine, failing, "tried");
    let bad: Vec<String> = failing.iter().map(|v| label(subject, dimension, v)).collect();
    names.retain(|name| !bad.contains(name));
    names
}

/// Returns the text of a list that is simple enough to be shown: sorted except for one swap, or
/// constant except for one element.
fn simple(value: &Choice) -> Option<String> {
    let Choice::List(items) = value else { return None };
    if complexity(value) > 2 || items.len() < 2 {
        return None;
    }
    let whole = value.to_string();
    if whole.chars().count() <= 60 {
        return Some(whole);
    }
    let set: Vec<usize> = (0..items.len()).filter(|k| items[*k] != 0).collect();
    let moved: Vec<usize> = (0..items.len()).filter(|k| items[*k] != *k as i128).collect();
    match (&set[..], &moved[..]) {
        ([one], _) => Some(format!("{} at {one}, else 0", items[*one])),
        (_, [a, b]) => Some(format!("in order but for {a} and {b}")),
        _ => None,
    }
}

/// Returns a boundary in words.
pub fn boundary(boundary: Boundary) -> String {
    match boundary {
        Boundary::From(n) => format!("{n} (from there on)"),
        Boundary::UpTo(n) => format!("{n} (up to there)"),
    }
}

/// Formats the examples of a combination in words: `a = 1, 2 with b = 3` if they are a Cartesian product, otherwise one
/// by one.
pub fn combinations(
    subject: &dyn Subject,
    dimensions: &[String],
    examples: &[Choices],
    kept: &Choices,
    boundaries: &[(String, Boundary)],
) -> Vec<String> {
    let shown = |d: &String, value: &Choice| -> String {
        if let (Some((_, found)), Choice::Int(_)) = (boundaries.iter().find(|(b, _)| b == d), value)
        {
            return boundary(*found);
        }
        let plain = if kept.get(d) == Some(value) { simple(value) } else { None };
        plain.unwrap_or_else(|| label(subject, d, value))
    };
    let one =
        |c: &Choices| together(dimensions.iter().filter_map(|d| Some((d, shown(d, c.get(d)?)))));
    // The kept example comes first.
    let all = distinct([kept].into_iter().chain(examples).map(one));
    let values = |d: &String| -> Vec<String> {
        distinct(examples.iter().filter_map(|c| Some(shown(d, c.get(d)?))))
    };
    let product = dimensions.iter().map(|d| values(d).len()).try_fold(1, usize::checked_mul);
    let lists = dimensions.iter().any(|d| kept.get(d).and_then(simple).is_some());
    if product != Some(all.len()) || lists {
        return all;
    }
    let each = |d: &String| {
        let values: Vec<&Choice> = examples.iter().filter_map(|c| c.get(d)).collect();
        match boundaries.iter().any(|(b, _)| b == d) {
            true => self::values(d, &shown, &values),
            false => labels(subject, d, &values, &[], ALONE).join(", "),
        }
    };
    vec![together(dimensions.iter().map(|d| (d, each(d))))]
}

fn values(
    dimension: &String,
    shown: &dyn Fn(&String, &Choice) -> String,
    values: &[&Choice],
) -> String {
    distinct(values.iter().map(|v| shown(dimension, v))).join(", ")
}

/// Joins pairs: `a = 1 with b = 2 and c = 3`.
fn together<'d>(pairs: impl Iterator<Item = (&'d String, String)>) -> String {
    let mut text = String::new();
    for (k, (dimension, value)) in pairs.enumerate() {
        text.push_str(["", " with ", " and "][k.min(2)]);
        text.push_str(&format!("{dimension} = {value}"));
    }
    text
}

/// Removes duplicates; the first occurrence of each text stays.
pub fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

/// Returns a value, cut off after about `most` characters.
pub fn short(value: &Choice, most: usize) -> String {
    let text = value.to_string();
    if text.chars().count() <= most {
        return text;
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    if let Choice::List(items) = value {
        // Do not cut in the middle of a number.
        cut.truncate(cut.rfind(',').unwrap_or(cut.len()));
        return format!("{cut}, … ({} in all)]", items.len());
    }
    cut.push('…');
    cut
}

/// Returns the complexity of a value. Reduction prefers low complexity.
pub fn complexity(value: &Choice) -> usize {
    match value {
        Choice::Int(n) => n.unsigned_abs().checked_ilog2().map_or(0, |bits| bits as usize + 1),
        Choice::Text(t) => t.len(),
        Choice::List(items) => {
            let moved = items.iter().enumerate().filter(|(k, n)| **n != *k as i128).count();
            let set = items.iter().filter(|n| **n != 0).count();
            moved.min(set)
        }
    }
}

/// Returns a sort key: numbers by size, words by alphabet, lists by complexity.
pub fn value_order(value: &Choice) -> (u8, i128, String) {
    match value {
        Choice::Int(n) => (0, *n, String::new()),
        Choice::Text(t) => (1, 0, t.clone()),
        Choice::List(_) => (2, complexity(value) as i128, value.to_string()),
    }
}

/// Returns a sort key for sets of choices.
pub fn order(choices: &Choices) -> Vec<(u8, i128, String)> {
    choices.iter().map(|(_, value)| value_order(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_between_numbers() {
        let list = Choice::List((100..200).collect());
        assert_eq!(short(&list, 20), "[100, 101, 102, … (100 in all)]");
        assert_eq!(short(&Choice::Int(5), 20), "5");
        assert_eq!(short(&Choice::from("abcdef"), 4), "abc…");
    }

    #[test]
    fn one_swap_is_simpler_than_a_reversal() {
        let swap = Choice::List(vec![0, 2, 1, 3, 4]);
        let reversal = Choice::List(vec![4, 3, 2, 1, 0]);
        assert!(complexity(&swap) < complexity(&reversal));
    }
}
