//! Values and choices in words.

use inverter::solve::{Choices, Value};

use crate::subject::Subject;

/// A value as people should see it: numbers and words as they are, lists by their class.
pub fn label(subject: &dyn Subject, dimension: &str, value: &Value) -> String {
    match value {
        Value::Int(_) | Value::Text(_) => short(value, 60),
        Value::List(_) => match subject.value_class(dimension, value) {
            class if class.is_empty() => short(value, 40),
            class => class,
        },
    }
}

/// A value, cut off after about `most` characters.
pub fn short(value: &Value, most: usize) -> String {
    let text = value.to_string();
    if text.chars().count() <= most {
        return text;
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    if let Value::List(items) = value {
        // Not in the middle of a number.
        cut.truncate(cut.rfind(',').unwrap_or(cut.len()));
        return format!("{cut}, … ({} in all)]", items.len());
    }
    cut.push('…');
    cut
}

/// The choices of `dimensions`, as `a = 1 with b = reversed`.
pub fn join(subject: &dyn Subject, dimensions: &[String], choices: &Choices) -> String {
    let pair = |d: &String| {
        choices.get(d).map(|value| format!("{d} = {}", label(subject, d, value)))
    };
    dimensions.iter().filter_map(pair).collect::<Vec<_>>().join(" with ")
}

/// How much there is to a value: what reduction prefers is least.
pub fn complexity(value: &Value) -> usize {
    match value {
        Value::Int(n) => n.unsigned_abs().checked_ilog2().map_or(0, |bits| bits as usize + 1),
        Value::Text(t) => t.len(),
        Value::List(items) => {
            let moved = items.iter().enumerate().filter(|(k, n)| **n != *k as i128).count();
            let set = items.iter().filter(|n| **n != 0).count();
            moved.min(set)
        }
    }
}

/// A key to sort values by: numbers by size, words by alphabet, lists by complexity.
pub fn value_order(value: &Value) -> (u8, i128, String) {
    match value {
        Value::Int(n) => (0, *n, String::new()),
        Value::Text(t) => (1, 0, t.clone()),
        Value::List(_) => (2, complexity(value) as i128, value.to_string()),
    }
}

/// A key to sort sets of choices by.
pub fn order(choices: &Choices) -> Vec<(u8, i128, String)> {
    choices.iter().map(|(_, value)| value_order(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_between_numbers() {
        let list = Value::List((100..200).collect());
        assert_eq!(short(&list, 20), "[100, 101, 102, … (100 in all)]");
        assert_eq!(short(&Value::Int(5), 20), "5");
        assert_eq!(short(&Value::from("abcdef"), 4), "abc…");
    }

    #[test]
    fn one_swap_is_simpler_than_a_reversal() {
        let swap = Value::List(vec![0, 2, 1, 3, 4]);
        let reversal = Value::List(vec![4, 3, 2, 1, 0]);
        assert!(complexity(&swap) < complexity(&reversal));
    }
}
