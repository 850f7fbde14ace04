//! Suppression rules: the value classes that the files of a client do without.
//!
//! A class that a client refuses hides whatever else a file has, so no further file has it; neither
//! have most files a class that always shows a known difference. They have other values there, and
//! are otherwise the same, so that nothing hides behind a limit and no run is spent on refusals.

use std::collections::{BTreeMap, BTreeSet};

use crate::oracle::Outcome;

/// A dimension and one of its value classes.
pub type Class = (String, String);

/// The number of refused files with a class that no judged file has, after which it is avoided before
/// it was tried alone.
const SUSPICIOUS: usize = 2;

/// The results of the files with one class.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// The number of files without a difference.
    passed: usize,
    /// The number of files that were not refused.
    judged: usize,
    /// The number of files that were refused.
    refused: usize,
    /// True if a file was refused of which each other class occurred in a judged file.
    refused_alone: bool,
    /// True if a file differed of which each other class occurred in a file without a difference.
    failed_alone: bool,
}

/// The dimension that a file was made to try.
pub struct Alone<'a> {
    /// The dimension.
    pub dimension: &'a str,
    /// Returns true for dimensions that exist only together with classes of others.
    pub comes_along: &'a dyn Fn(&str) -> bool,
}

/// The classes that a client refuses, or that always show a difference.
#[derive(Debug, Clone, Default)]
pub struct SuppressionRules {
    counts: BTreeMap<Class, Count>,
}

impl SuppressionRules {
    /// Records the outcome of a file with these classes. If it was made to try one dimension, that is
    /// `alone`. Returns true if the outcome decides on its class: no other one may be the reason for a
    /// refusal.
    pub fn record(
        &mut self,
        classes: &[Class],
        alone: Option<&Alone<'_>>,
        outcome: Outcome,
    ) -> bool {
        let blamed = match outcome {
            Outcome::Same => None,
            Outcome::Refused => self.only(classes, alone, |count| count.judged > 0),
            _ => self.only(classes, alone, |count| count.passed > 0),
        };
        for class in classes {
            let count = self.counts.entry(class.clone()).or_default();
            count.passed += usize::from(outcome == Outcome::Same);
            count.judged += usize::from(outcome != Outcome::Refused);
            count.refused += usize::from(outcome == Outcome::Refused);
        }
        let decides = outcome != Outcome::Refused || (alone.is_some() && blamed.is_some());
        if let Some(class) = blamed {
            let count = self.counts.entry(class).or_default();
            count.refused_alone |= outcome == Outcome::Refused;
            count.failed_alone |= outcome != Outcome::Refused;
        }
        decides
    }

    /// Returns the only one of `classes` that is not `cleared` by other files. Of a file that was made to
    /// try one dimension, it is the class of that.
    fn only(
        &self,
        classes: &[Class],
        alone: Option<&Alone<'_>>,
        cleared: fn(&Count) -> bool,
    ) -> Option<Class> {
        let is_open = |class: &&Class| !self.counts.get(*class).is_some_and(cleared);
        let comes_along =
            |(name, _): &Class| alone.is_some_and(|a| a.dimension != name && (a.comes_along)(name));
        let mut open = classes.iter().filter(is_open).filter(|class| !comes_along(class));
        let only = open.next().filter(|_| open.next().is_none())?;
        alone.is_none_or(|alone| alone.dimension == only.0).then(|| only.clone())
    }

    /// Returns the classes to avoid: those that are always refused, and with `known` also those that
    /// always show a known difference.
    pub fn avoided(&self, known: bool) -> BTreeSet<Class> {
        let is_avoided = |count: &Count| {
            let refused = count.refused_alone || count.refused >= SUSPICIOUS;
            (count.judged == 0 && refused) || (known && count.passed == 0 && count.failed_alone)
        };
        let avoided = self.counts.iter().filter(|(_, count)| is_avoided(count));
        avoided.map(|(class, _)| class.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(d: &str, c: &str) -> Class {
        (d.to_owned(), c.to_owned())
    }

    fn alone(dimension: &str) -> Alone<'_> {
        Alone { dimension, comes_along: &|name| name.starts_with("LZW") }
    }

    #[test]
    fn what_is_refused_by_itself_is_avoided_until_it_is_judged() {
        let (tiled, rows) = (class("tiled", "1"), class("rows", "some"));
        let mut rules = SuppressionRules::default();
        let only = std::slice::from_ref(&tiled);
        assert!(rules.record(only, Some(&alone("tiled")), Outcome::Refused));
        assert_eq!(rules.avoided(false), [tiled.clone()].into());
        rules.record(&[tiled, rows], None, Outcome::Same);
        assert!(rules.avoided(false).is_empty());
    }

    #[test]
    fn dimensions_that_come_with_a_refused_one_are_no_reason() {
        let lzw = [class("compression", "LZW"), class("LZW end", "none")];
        let mut rules = SuppressionRules::default();
        assert!(rules.record(&lzw, Some(&alone("compression")), Outcome::Refused));
        assert_eq!(rules.avoided(false), [lzw[0].clone()].into());
    }

    #[test]
    fn a_refusal_decides_nothing_if_several_classes_may_be_the_reason() {
        let (tiled, rows) = (class("tiled", "1"), class("rows", "some"));
        let both = [tiled.clone(), rows.clone()];
        let mut rules = SuppressionRules::default();
        assert!(!rules.record(&both, Some(&alone("rows")), Outcome::Refused));
        assert!(rules.avoided(false).is_empty());
        // Neither occurred in a judged file, of two.
        rules.record(&both, None, Outcome::Refused);
        assert_eq!(rules.avoided(false).len(), 2);
        rules.record(&both[1..], Some(&alone("rows")), Outcome::Wrong);
        assert_eq!(rules.avoided(false), [tiled].into());
        assert!(rules.record(&both, Some(&alone("tiled")), Outcome::Refused));
    }

    #[test]
    fn what_differs_by_itself_is_avoided_but_for_a_share() {
        let lzw = [class("compression", "LZW"), class("predictor", "none")];
        let mut rules = SuppressionRules::default();
        rules.record(&lzw[1..], None, Outcome::Same);
        rules.record(&lzw, Some(&alone("compression")), Outcome::Wrong);
        assert_eq!(rules.avoided(true), [lzw[0].clone()].into());
        assert!(rules.avoided(false).is_empty());
        rules.record(&lzw, None, Outcome::Same);
        assert!(rules.avoided(true).is_empty(), "it passes at times");
    }
}
