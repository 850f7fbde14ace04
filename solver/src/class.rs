//! Value classes: sets of values of a dimension that are tested as one and counted together in
//! tables (combinatorial testing calls them *levels*). The last word of a dimension's name
//! determines its classes: `order`, `gaps`, `place` and so on.

use std::collections::{BTreeMap, BTreeSet};

use super::choices::Choice;

/// Numbers that form separate classes in some dimensions, because a spec compares the dimension with them: 24 and 32
/// bits a pixel are two ways to store a picture, although both are large.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassConstants(BTreeMap<String, BTreeSet<i128>>);

impl ClassConstants {
    /// The constants of each dimension.
    pub fn new(by_dimension: BTreeMap<String, BTreeSet<i128>>) -> Self {
        Self(by_dimension)
    }

    /// Returns true if `dimension` is compared with this number.
    pub fn has(&self, dimension: &str, value: &Choice) -> bool {
        matches!(value, Choice::Int(n) if self.0.get(dimension).is_some_and(|all| all.contains(n)))
    }

    /// Returns the class of a value: that of [`value_class`], unless the value is a constant.
    pub fn value_class(&self, dimension: &str, value: &Choice) -> String {
        match value {
            Choice::Int(n) if self.has(dimension, value) => n.to_string(),
            _ => value_class(dimension, value),
        }
    }
}

/// Returns the class of a value of `dimension`.
pub fn value_class(dimension: &str, value: &Choice) -> String {
    let kind = dimension.rsplit(' ').next().unwrap_or_default();
    match (kind, value) {
        ("order", Choice::List(items)) => order(items).to_owned(),
        ("gaps", Choice::List(items)) => {
            amount(items.iter().copied().max().unwrap_or(0)).to_owned()
        }
        ("gap" | "tail", Choice::Int(n)) => amount(*n).to_owned(),
        ("place", Choice::Int(0)) => "first".to_owned(),
        ("place", Choice::Int(_)) => "later".to_owned(),
        (_, Choice::List(items)) => list(items).to_owned(),
        (_, Choice::Int(n)) => integer(*n),
        (_, Choice::Text(t)) => t.split(':').next().unwrap_or_default().to_owned(),
    }
}

fn order(items: &[i128]) -> &'static str {
    let moved = items.iter().enumerate().filter(|(k, v)| *k as i128 != **v).count();
    let last = items.len() as i128 - 1;
    match moved {
        0 => "in order",
        _ if items.iter().enumerate().all(|(k, v)| last - k as i128 == *v) => "reversed",
        2 => "one swap",
        _ => "shuffled",
    }
}

fn amount(n: i128) -> &'static str {
    match n {
        0 => "none",
        1..=64 => "small",
        _ => "large",
    }
}

fn list(items: &[i128]) -> &'static str {
    let ascending = items.windows(2).all(|w| w[0] <= w[1]);
    let equal = items.windows(2).all(|w| w[0] == w[1]);
    match (equal, ascending) {
        (true, _) => "all equal",
        (_, true) => "ascending",
        _ => "mixed",
    }
}

/// Small numbers form separate classes, because many of them are codes, and so do the numbers at which one, two or four
/// bytes overflow.
fn integer(n: i128) -> String {
    match n {
        0..=16 | 255 | 256 | 65_535 | 65_536 => n.to_string(),
        0x7FFF_FFFF => "2^31-1".to_owned(),
        0x8000_0000 => "2^31".to_owned(),
        0xFFFF_FFFF => "2^32-1".to_owned(),
        17..=255 => "up to 255".to_owned(),
        256..=65_535 => "up to 65535".to_owned(),
        65_536.. => "above 65535".to_owned(),
        _ => "negative".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_classes_of_their_own() {
        let constants = BTreeMap::from([("bits".to_owned(), BTreeSet::from([24, 32]))]);
        let constants = ClassConstants::new(constants);
        let class = |dimension: &str, n: i128| constants.value_class(dimension, &Choice::Int(n));
        assert_eq!([24, 32, 40].map(|n| class("bits", n)), ["24", "32", "up to 255"]);
        assert_eq!(class("size", 24), "up to 255");
    }

    #[test]
    fn classes_of_each_kind() {
        let list = |items: &[i128]| Choice::List(items.to_vec());
        for (dimension, value, class) in [
            ("strip order", list(&[0, 1, 2]), "in order"),
            ("strip order", list(&[2, 1, 0]), "reversed"),
            ("strip order", list(&[0, 2, 1]), "one swap"),
            ("strip order", list(&[1, 2, 0]), "shuffled"),
            ("strip gaps", list(&[0, 0]), "none"),
            ("strip gaps", list(&[0, 65]), "large"),
            ("IFD place", Choice::Int(3), "later"),
            ("file fill", Choice::from("random:17"), "random"),
            ("orientation", Choice::Int(6), "6"),
            ("size", Choice::Int(254), "up to 255"),
            ("size", Choice::Int(255), "255"),
            ("size", Choice::Int(65_536), "65536"),
            ("size", Choice::Int((1 << 32) - 1), "2^32-1"),
            ("size", Choice::Int(1 << 32), "above 65535"),
        ] {
            assert_eq!(value_class(dimension, &value), class, "{dimension} {value}");
        }
    }
}
