//! The value classes that the files for some clients must avoid, and replacement values.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::{Choice, Choices};

use super::suppression::Class;
use crate::records::VariantInfo;
use clients::is_ignored;

/// The classes to avoid in a file.
#[derive(Debug, Clone, Default)]
pub struct Avoided {
    /// The classes, each with other classes; a class need not be avoided in a file that has one of these.
    pub classes: BTreeMap<Class, BTreeSet<Class>>,
    /// The dimensions that must not vary at all.
    pub ignored: Vec<String>,
    /// The values that dimensions of these classes may have; `None` represents the base's.
    pub accepted: BTreeMap<String, Vec<Option<Choice>>>,
    /// The base's values of dimensions in which the base is a variant like any other, because the client refuses it.
    pub base: Choices,
}

impl Avoided {
    /// Returns the dimensions of a file that have an avoided class. The class of `exempt` does not count.
    pub fn dimensions(&self, info: &VariantInfo, exempt: Option<&str>) -> Vec<String> {
        let of_base = self.base.iter().filter(|(name, _)| info.choices.get(*name).is_none());
        let of_base = of_base.map(|(name, value)| (name.to_owned(), value.to_string()));
        let all: Vec<Class> = info.varied.iter().cloned().chain(of_base).collect();
        let lifted = |unless: &BTreeSet<Class>| all.iter().any(|class| unless.contains(class));
        let is_limit =
            |class: &Class| self.classes.get(class).is_some_and(|unless| !lifted(unless));
        let is_avoided = |class: &&Class| {
            is_ignored(&self.ignored, &class.0)
                || (exempt != Some(class.0.as_str()) && is_limit(class))
        };
        all.iter().filter(is_avoided).map(|(name, _)| name.clone()).collect()
    }

    /// Returns true if no file may have this class.
    pub fn always(&self, class: &Class) -> bool {
        self.classes.get(class).is_some_and(BTreeSet::is_empty)
    }

    /// Returns a value for a dimension with an avoided class; `None` for the base's. `turn` selects one of several.
    pub fn instead(&self, dimension: &str, turn: u64) -> Option<Choice> {
        let accepted =
            self.accepted.get(dimension).filter(|_| !is_ignored(&self.ignored, dimension));
        let accepted = accepted.filter(|values| !values.is_empty())?;
        accepted[(turn % accepted.len() as u64) as usize].clone()
    }
}
