//! What value classes may need: the choices that each came with whenever it occurred.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::Choices;

use crate::campaign::records::Info;

/// A dimension and a class of its values.
pub type Class = (String, String);

/// Every class that occurred, with what it may need.
#[derive(Debug, Default)]
pub struct Needs(BTreeMap<Class, Need>);

#[derive(Debug)]
struct Need {
    /// These always came together.
    classes: Vec<Class>,
    /// Their values, of one file.
    choices: Choices,
}

impl Needs {
    /// Learns from a variant. Gives the classes that occur for the first time.
    pub fn learn<'i>(&mut self, info: &'i Info) -> Vec<&'i Class> {
        let varied: BTreeSet<&Class> = info.varied.iter().collect();
        let mut new = Vec::new();
        for class in &info.varied {
            match self.0.get_mut(class) {
                Some(Need { classes, choices }) => classes.retain(|other| {
                    let stays = varied.contains(other);
                    if !stays {
                        choices.remove(&other.0);
                    }
                    stays
                }),
                None => {
                    new.push(class);
                    let need = Need { classes: info.varied.clone(), choices: info.choices.clone() };
                    self.0.insert(class.clone(), need);
                }
            }
        }
        new
    }

    /// What a class of a dimension may need, itself included.
    pub fn of(&self, dimension: &str, class: &str) -> Option<&Choices> {
        self.0.get(&(dimension.to_owned(), class.to_owned())).map(|need| &need.choices)
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::{Choice, value_class};

    use super::*;
    use crate::subject;

    fn info(pairs: &[(&str, i128)]) -> Info {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
        let varied = choices.iter().map(|(d, v)| (d.to_owned(), value_class(d, v))).collect();
        Info { class: subject::Class::Baseline, size: 1, choices, varied }
    }

    #[test]
    fn what_is_missing_once_is_not_needed() {
        let mut needs = Needs::default();
        let first = info(&[("a", 20), ("b", 2), ("c", 3)]);
        assert_eq!(needs.learn(&first).len(), 3);
        let second = info(&[("a", 21), ("b", 5), ("c", 3)]);
        assert_eq!(needs.learn(&second), [&("b".to_owned(), "5".to_owned())]);
        // 20 and 21 are of one class; the value stays that of the first.
        assert_eq!(needs.of("a", "up to 255"), Some(&info(&[("a", 20), ("c", 3)]).choices));
        assert_eq!(needs.of("b", "2"), Some(&first.choices));
        assert_eq!(needs.of("b", "7"), None);
    }
}
