//! Examples of value classes: for each class, the smallest file on which a client was judged.
//!
//! An example has all values of other dimensions that its class needs, and the client does not refuse it.

use std::collections::BTreeMap;
use std::sync::Arc;

use inverter::solve::{Choice, Choices};

use super::suppression::Class;
use crate::records::VariantInfo;

/// An example of every class that occurred in a judged file.
#[derive(Debug, Clone, Default)]
pub struct Examples(BTreeMap<Class, Arc<VariantInfo>>);

impl Examples {
    /// Learns from a judged file, and returns the classes that occur for the first time.
    pub fn learn<'i>(&mut self, info: &'i Arc<VariantInfo>) -> Vec<&'i Class> {
        let mut new = Vec::new();
        for class in &info.varied {
            match self.0.get_mut(class) {
                Some(example) if info.choices.len() < example.choices.len() => {
                    *example = Arc::clone(info);
                }
                Some(_) => {}
                None => {
                    new.push(class);
                    self.0.insert(class.clone(), Arc::clone(info));
                }
            }
        }
        new
    }

    /// Returns the choices of the smallest example of any class of a dimension.
    pub fn of_any(&self, dimension: &str) -> Option<&Choices> {
        self.of_dimension(dimension).map(|(_, choices)| choices).min_by_key(|choices| choices.len())
    }

    /// Returns the choices of the example of a class of a dimension.
    pub fn of(&self, dimension: &str, class: &str) -> Option<&Choices> {
        self.0.get(&(dimension.to_owned(), class.to_owned())).map(|info| &info.choices)
    }

    /// Returns all classes of the example of a class.
    pub fn classes(&self, class: &Class) -> &[Class] {
        self.0.get(class).map_or(&[], |info| &info.varied)
    }

    /// Returns one value of each class of a dimension.
    pub fn values(&self, dimension: &str) -> impl Iterator<Item = (&Class, &Choice)> {
        self.of_dimension(dimension)
            .filter_map(|(class, choices)| Some((class, choices.get(class.0.as_str())?)))
    }

    fn of_dimension(&self, dimension: &str) -> impl Iterator<Item = (&Class, &Choices)> {
        let first = (dimension.to_owned(), String::new());
        let all = self.0.range(first..).take_while(move |((name, _), _)| name == dimension);
        all.map(|(class, info)| (class, &info.choices))
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::value_class;

    use super::*;
    use equivalents::subject;

    fn info(pairs: &[(&str, i128)]) -> Arc<VariantInfo> {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
        let varied = choices.iter().map(|(d, v)| (d.to_owned(), value_class(d, v))).collect();
        Arc::new(VariantInfo { class: subject::Class::Baseline, size: 1, choices, varied })
    }

    #[test]
    fn the_smallest_file_is_the_example() {
        let mut examples = Examples::default();
        let first = info(&[("a", 20), ("b", 2), ("c", 3)]);
        assert_eq!(examples.learn(&first).len(), 3);
        let second = info(&[("a", 21), ("b", 5)]);
        assert_eq!(examples.learn(&second), [&("b".to_owned(), "5".to_owned())]);
        // 20 and 21 belong to one class.
        assert_eq!(examples.of("a", "up to 255"), Some(&second.choices));
        assert_eq!(examples.of("b", "2"), Some(&first.choices));
        assert_eq!(examples.of("b", "7"), None);
        assert_eq!(examples.of_any("b"), Some(&second.choices));
        assert_eq!(examples.of_any("bb"), None);
        let values: Vec<_> =
            examples.values("b").map(|(class, value)| (&*class.1, value)).collect();
        assert_eq!(values, [("2", &Choice::Int(2)), ("5", &Choice::Int(5))]);
    }
}
