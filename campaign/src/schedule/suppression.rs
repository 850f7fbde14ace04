//! Suppression rules: the value classes that the files of a client avoid.
//!
//! A class that a client refuses hides everything else in a file, so most files avoid it, and also avoid classes that
//! always show a known difference. They have other values of these dimensions, and are otherwise the same, so that
//! nothing hides behind a limit and few runs are spent on refusals. A limit is only known for the combinations that
//! were tried: if a file that combines the class with another was judged, further files may have both.

use std::collections::{BTreeMap, BTreeSet};

use crate::oracle::Outcome;

/// A dimension and one of its value classes.
pub type Class = (String, String);

/// The number of refused files with a class that no judged file has, and without a known limit, after which the class
/// is avoided before it is tried alone.
const SUSPICIOUS: usize = 2;

/// The results of the files with one class.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// The number of files without a difference.
    passed: usize,
    /// The number of files that were not refused.
    judged: usize,
    /// The number of files that were refused for no known reason.
    unexplained: usize,
    /// True if a file was refused whose other classes each occurred in a judged file.
    refused_alone: bool,
    /// True if a file differed whose other classes each occurred in a file without a difference.
    failed_alone: bool,
}

impl Count {
    /// Returns true for a class that is always refused, even by itself.
    fn is_limit(&self) -> bool {
        self.judged == 0 && self.refused_alone
    }

    /// Returns true for a class that is always refused, as far as is known.
    fn is_refused(&self) -> bool {
        self.judged == 0 && (self.refused_alone || self.unexplained >= SUSPICIOUS)
    }
}

/// The results of the files with a class that was refused, and with one other class.
#[derive(Debug, Clone, Copy, Default)]
struct Beside {
    judged: usize,
    refused: usize,
}

impl Beside {
    /// Returns true if the other class lifts the limit: at most two thirds of the files were refused.
    fn lifts(self) -> bool {
        self.judged > 0 && self.refused <= 2 * self.judged
    }
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
    /// For each class that was refused before it was judged, the results by other class of the files.
    beside: BTreeMap<Class, BTreeMap<Class, Beside>>,
}

impl SuppressionRules {
    /// Records the outcome of a file with these classes. If the file was made to try one dimension, that is `alone`.
    /// Returns true if the outcome decides about its class, because no other class may be the reason for a refusal.
    pub fn record(
        &mut self,
        classes: &[Class],
        alone: Option<&Alone<'_>>,
        outcome: Outcome,
    ) -> bool {
        let blamed = match outcome {
            Outcome::Same => None,
            Outcome::Refused => {
                self.only(classes, alone, |count| count.judged > 0 && !count.refused_alone)
            }
            _ => self.only(classes, alone, |count| count.passed > 0),
        };
        let is_limit = |class| self.counts.get(class).is_some_and(Count::is_limit);
        let is_unexplained =
            outcome == Outcome::Refused && blamed.is_none() && !classes.iter().any(is_limit);
        for class in classes {
            let count = self.counts.entry(class.clone()).or_default();
            count.passed += usize::from(outcome == Outcome::Same);
            count.judged += usize::from(outcome != Outcome::Refused);
            count.unexplained += usize::from(is_unexplained);
        }
        self.count_beside(classes, outcome == Outcome::Refused);
        let decides = outcome != Outcome::Refused || (alone.is_some() && blamed.is_some());
        if let Some(class) = blamed {
            let count = self.counts.entry(class).or_default();
            count.refused_alone |= outcome == Outcome::Refused;
            count.failed_alone |= outcome != Outcome::Refused;
        }
        decides
    }

    /// Counts a file for its classes that were refused before they were judged.
    fn count_beside(&mut self, classes: &[Class], refused: bool) {
        for class in classes {
            if refused && self.counts.get(class).is_some_and(|count| count.judged == 0) {
                self.beside.entry(class.clone()).or_default();
            }
            let Some(others) = self.beside.get_mut(class) else { continue };
            for other in classes.iter().filter(|other| *other != class) {
                let beside = others.entry(other.clone()).or_default();
                beside.refused += usize::from(refused);
                beside.judged += usize::from(!refused);
            }
        }
    }

    /// Returns the classes that occurred in files with `class` since it was first refused.
    pub fn tried_with(&self, class: &Class) -> BTreeSet<Class> {
        self.beside.get(class).into_iter().flat_map(BTreeMap::keys).cloned().collect()
    }

    /// Returns the only one of `classes` that is not `cleared` by other files. For a file that was made to try one
    /// dimension, it is the class of that dimension.
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

    /// Returns the classes that are always refused, even by themselves.
    pub fn limits(&self) -> impl Iterator<Item = &Class> {
        self.counts.iter().filter(|(_, count)| count.is_limit()).map(|(class, _)| class)
    }

    /// Returns the classes that are avoided on suspicion, because every file with them had others that may be the
    /// reason for its refusal.
    pub fn suspected(&self) -> impl Iterator<Item = &Class> {
        let is_suspected = |count: &Count| count.is_refused() && !count.is_limit();
        self.counts.iter().filter(move |(_, count)| is_suspected(count)).map(|(class, _)| class)
    }

    /// Returns the classes to avoid, each with the classes that lift this for a file: the refused classes and, with
    /// `known`, also those that always show a known difference.
    pub fn avoided(&self, known: bool) -> BTreeMap<Class, BTreeSet<Class>> {
        let is_known = |count: &Count| known && count.passed == 0 && count.failed_alone;
        let unless = |class: &Class, count: &Count| {
            if count.is_refused() || is_known(count) {
                return Some(BTreeSet::new());
            }
            let others = self.beside.get(class).filter(|_| count.refused_alone)?;
            let lift = others.iter().filter(|(_, beside)| beside.lifts());
            let lift: BTreeSet<Class> = lift.map(|(other, _)| other.clone()).collect();
            (!lift.is_empty()).then_some(lift)
        };
        let avoided = self.counts.iter();
        avoided.filter_map(|(class, count)| Some((class.clone(), unless(class, count)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(d: &str, c: &str) -> Class {
        (d.to_owned(), c.to_owned())
    }

    fn avoided(rules: &SuppressionRules, known: bool) -> Vec<Class> {
        let avoided = rules.avoided(known).into_iter();
        avoided.filter(|(_, unless)| unless.is_empty()).map(|(class, _)| class).collect()
    }

    fn alone(dimension: &str) -> Alone<'_> {
        Alone { dimension, comes_along: &|name| name.starts_with("LZW") }
    }

    #[test]
    fn a_limit_holds_as_far_as_it_was_tried() {
        let (planar, deep, turned) =
            (class("planar", "2"), class("bits", "16"), class("turn", "3"));
        let mut rules = SuppressionRules::default();
        rules.record(std::slice::from_ref(&planar), Some(&alone("planar")), Outcome::Refused);
        rules.record(&[planar.clone(), turned.clone()], None, Outcome::Refused);
        assert_eq!(avoided(&rules, false), std::slice::from_ref(&planar));
        assert_eq!(rules.tried_with(&planar), [turned.clone()].into());
        // The class is judged together with 16 bits, turned or not; only these lift the limit.
        let all = [planar.clone(), deep.clone(), turned.clone()];
        rules.record(&all[..2], None, Outcome::Same);
        assert_eq!(rules.avoided(false), [(planar.clone(), [deep.clone()].into())].into());
        assert_eq!(rules.limits().count(), 0);
        for _ in 0..2 {
            rules.record(&[planar.clone(), turned.clone()], None, Outcome::Refused);
        }
        rules.record(&all, None, Outcome::Same);
        assert_eq!(rules.avoided(false), [(planar, [deep].into())].into());
    }

    #[test]
    fn what_is_refused_by_itself_is_avoided_until_it_is_judged() {
        let (tiled, rows) = (class("tiled", "1"), class("rows", "some"));
        let mut rules = SuppressionRules::default();
        let only = std::slice::from_ref(&tiled);
        assert!(rules.record(only, Some(&alone("tiled")), Outcome::Refused));
        assert_eq!(avoided(&rules, false), std::slice::from_ref(&tiled));
        rules.record(&[tiled, rows], None, Outcome::Same);
        assert!(avoided(&rules, false).is_empty());
    }

    #[test]
    fn dimensions_that_come_with_a_refused_one_are_no_reason() {
        let lzw = [class("compression", "LZW"), class("LZW end", "none")];
        let mut rules = SuppressionRules::default();
        assert!(rules.record(&lzw, Some(&alone("compression")), Outcome::Refused));
        assert_eq!(avoided(&rules, false), [lzw[0].clone()]);
    }

    #[test]
    fn a_refusal_decides_nothing_if_several_classes_may_be_the_reason() {
        let (tiled, rows) = (class("tiled", "1"), class("rows", "some"));
        let both = [tiled.clone(), rows.clone()];
        let mut rules = SuppressionRules::default();
        assert!(!rules.record(&both, Some(&alone("rows")), Outcome::Refused));
        assert!(avoided(&rules, false).is_empty());
        // After two files, neither class has occurred in a judged one.
        rules.record(&both, None, Outcome::Refused);
        assert_eq!(avoided(&rules, false).len(), 2);
        rules.record(&both[1..], Some(&alone("rows")), Outcome::Wrong);
        assert_eq!(avoided(&rules, false), [tiled]);
        assert!(rules.record(&both, Some(&alone("tiled")), Outcome::Refused));
    }

    #[test]
    fn what_differs_by_itself_is_avoided_but_for_a_share() {
        let lzw = [class("compression", "LZW"), class("predictor", "none")];
        let mut rules = SuppressionRules::default();
        rules.record(&lzw[1..], None, Outcome::Same);
        rules.record(&lzw, Some(&alone("compression")), Outcome::Wrong);
        assert_eq!(avoided(&rules, true), [lzw[0].clone()]);
        assert!(avoided(&rules, false).is_empty());
        rules.record(&lzw, None, Outcome::Same);
        assert!(avoided(&rules, true).is_empty(), "it passes at times");
    }
}
