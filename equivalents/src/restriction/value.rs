//! Values of dimensions as a user writes them.

use inverter::solve::Choice;

/// Parses a value in the form of choices files. If it reads like an `observed` value of the dimension, it is that
/// value. Otherwise it is an integer, a list, or a name; case is ignored if it matches only one observed name.
pub(super) fn parse<'c>(text: &str, observed: impl Iterator<Item = &'c Choice> + Clone) -> Choice {
    let text = text.trim();
    if let Some(same) = observed.clone().find(|value| value.to_string() == text) {
        return same.clone();
    }
    if let Ok(value @ (Choice::Int(_) | Choice::List(_))) = serde_json::from_str(text) {
        return value;
    }
    let mut similar: Vec<&str> = observed.filter_map(name).collect();
    similar.retain(|name| name.eq_ignore_ascii_case(text));
    similar.sort_unstable();
    similar.dedup();
    match similar[..] {
        [name] => Choice::from(name),
        _ => Choice::from(text),
    }
}

fn name(value: &Choice) -> Option<&str> {
    match value {
        Choice::Text(name) => Some(name),
        Choice::Int(_) | Choice::List(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_choices_files() {
        let observed = ["LZW", "2", "yes", "Yes"].map(Choice::from);
        for (text, value) in [
            ("6", Choice::Int(6)),
            ("-1", Choice::Int(-1)),
            ("2", "2".into()),
            ("[2, 1, 0]", Choice::List(vec![2, 1, 0])),
            ("lzw", "LZW".into()),
            ("YES", "YES".into()),
            (" yes", "yes".into()),
            ("random:7", "random:7".into()),
            ("1.5", "1.5".into()),
        ] {
            assert_eq!(parse(text, observed.iter()), value, "{text}");
        }
    }
}
