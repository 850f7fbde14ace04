//! Prerequisites of value classes: the choices that have accompanied a class in every variant.
//!
//! They are a superset of what the class really needs, and shrink with every variant.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::Choices;

use crate::campaign::records::VariantInfo;

/// A dimension and one of its value classes.
pub type Class = (String, String);

/// The prerequisites of every class that has occurred.
#[derive(Debug, Default)]
pub struct Prerequisites(BTreeMap<Class, Companions>);

#[derive(Debug)]
struct Companions {
    /// The classes that accompanied it in every variant, itself included.
    classes: Vec<Class>,
    /// Their values in one variant.
    choices: Choices,
}

impl Prerequisites {
    /// Learns from a variant, and returns the classes that occur for the first time.
    pub fn learn<'i>(&mut self, info: &'i VariantInfo) -> Vec<&'i Class> {
        let varied: BTreeSet<&Class> = info.varied.iter().collect();
        let mut new = Vec::new();
        for class in &info.varied {
            match self.0.get_mut(class) {
                Some(Companions { classes, choices }) => classes.retain(|other| {
                    let stays = varied.contains(other);
                    if !stays {
                        choices.remove(&other.0);
                    }
                    stays
                }),
                None => {
                    new.push(class);
                    let (classes, choices) = (info.varied.clone(), info.choices.clone());
                    self.0.insert(class.clone(), Companions { classes, choices });
                }
            }
        }
        new
    }

    /// Returns the prerequisites of the first class of a dimension, itself included.
    pub fn of_any(&self, dimension: &str) -> Option<&Choices> {
        let first = (dimension.to_owned(), String::new());
        let (class, companions) = self.0.range(first..).next()?;
        (class.0 == dimension).then_some(&companions.choices)
    }

    /// Returns the prerequisites of a class of a dimension, itself included.
    pub fn of(&self, dimension: &str, class: &str) -> Option<&Choices> {
        self.0.get(&(dimension.to_owned(), class.to_owned())).map(|companions| &companions.choices)
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::{Choice, value_class};

    use super::*;
    use crate::subject;

    fn info(pairs: &[(&str, i128)]) -> VariantInfo {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
        let varied = choices.iter().map(|(d, v)| (d.to_owned(), value_class(d, v))).collect();
        VariantInfo { class: subject::Class::Baseline, size: 1, choices, varied }
    }

    #[test]
    fn what_is_missing_once_is_not_needed() {
        let mut prerequisites = Prerequisites::default();
        let first = info(&[("a", 20), ("b", 2), ("c", 3)]);
        assert_eq!(prerequisites.learn(&first).len(), 3);
        let second = info(&[("a", 21), ("b", 5), ("c", 3)]);
        assert_eq!(prerequisites.learn(&second), [&("b".to_owned(), "5".to_owned())]);
        // 20 and 21 are of one class; the value stays that of the first.
        assert_eq!(prerequisites.of("a", "up to 255"), Some(&info(&[("a", 20), ("c", 3)]).choices));
        assert_eq!(prerequisites.of("b", "2"), Some(&first.choices));
        assert_eq!(prerequisites.of("b", "7"), None);
        assert_eq!(prerequisites.of_any("b"), Some(&first.choices));
        assert_eq!(prerequisites.of_any("bb"), None);
    }
}
