//! Suppression rules: most variants with a known cause are skipped, which leaves a client's runs
//! for others. Of features that a client refuses, its limits, none is tried again: the client is
//! given the variant without them, so that a limit hides nothing behind it.

use std::collections::BTreeMap;

use crate::oracle::Outcome;

/// One in so many variants with a known cause is run nevertheless: it may have other causes too.
const SHARE: u64 = 8;

/// A dimension and one of its value classes.
type Class = (String, String);

/// The result of one client on one variant.
#[derive(Debug, Clone)]
struct Event {
    step: u64,
    outcome: Outcome,
    /// The class that varied alone.
    alone: Option<Class>,
    varied: Vec<Class>,
}

/// The results of the variants with one class.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// The number of differences of variants in which it varied alone.
    failed_alone: usize,
    /// The number of those that were refusals.
    refused_alone: usize,
    /// The number of variants without a difference.
    passed: usize,
}

/// The causes of one client that are known during execution: the value classes that always differ,
/// also alone.
#[derive(Debug, Clone, Default)]
pub struct SuppressionRules {
    /// Results that are too recent to count.
    recent: Vec<Event>,
    counts: BTreeMap<Class, Count>,
}

impl SuppressionRules {
    /// Records the outcome of step `step`, whose variant has the classes `varied`; only the
    /// dimension `alone` was meant to vary, if there is one.
    pub fn record(&mut self, step: u64, alone: Option<&str>, varied: &[Class], outcome: Outcome) {
        let alone = alone.and_then(|alone| varied.iter().find(|(d, _)| d == alone)).cloned();
        self.recent.push(Event { step, outcome, alone, varied: varied.to_vec() });
    }

    /// Counts the steps before `before`, which must not decrease from call to call. Later steps are
    /// not counted, so that decisions do not depend on the number of threads.
    fn count(&mut self, before: u64) {
        for event in self.recent.extract_if(.., |e| e.step < before) {
            match event.outcome.is_difference() {
                true => {
                    event.alone.into_iter().for_each(|class| {
                        let count = self.counts.entry(class).or_default();
                        count.failed_alone += 1;
                        count.refused_alone += usize::from(event.outcome == Outcome::Refused);
                    });
                }
                false => event.varied.into_iter().for_each(|class| {
                    self.counts.entry(class).or_default().passed += 1;
                }),
            }
        }
    }

    /// Returns the reason to skip the variant of `step`, if any, according to the steps before
    /// `before`, which must not decrease from call to call.
    pub fn objection(&mut self, before: u64, step: u64, varied: &[Class]) -> Option<String> {
        self.count(before);
        if step.is_multiple_of(SHARE) {
            return None;
        }
        let cause = varied.iter().find(|class| self.known(class).is_some());
        cause.map(|(dimension, class)| format!("a known cause: {dimension} = {class}"))
    }

    /// Returns the dimensions of `varied` that are known limits of the client: `is_feature` returns
    /// true for them, and the client refuses their value classes also alone. Steps count as in
    /// [`SuppressionRules::objection`].
    pub fn limits(
        &mut self,
        before: u64,
        varied: &[Class],
        is_feature: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        self.count(before);
        let refused = |class: &&Class| {
            is_feature(&class.0)
                && self.known(class).is_some_and(|count| count.refused_alone == count.failed_alone)
        };
        varied.iter().filter(refused).map(|(dimension, _)| dimension.clone()).collect()
    }

    /// Returns the counts of a value class that always differs, also alone.
    fn known(&self, class: &Class) -> Option<&Count> {
        self.counts.get(class).filter(|count| count.failed_alone > 0 && count.passed == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(d: &str, c: &str) -> Class {
        (d.to_owned(), c.to_owned())
    }

    #[test]
    fn what_differs_by_itself_is_left_out_but_for_a_share() {
        let lzw = [class("compression", "LZW"), class("predictor", "none")];
        let mut rules = SuppressionRules::default();
        rules.record(3, Some("compression"), &lzw, Outcome::Wrong);
        assert_eq!(rules.objection(3, 9, &lzw), None, "too early to know");
        let why = rules.objection(4, 10, &lzw);
        assert_eq!(why.as_deref(), Some("a known cause: compression = LZW"));
        assert_eq!(rules.objection(4, 16, &lzw), None);
        assert_eq!(rules.objection(4, 17, &lzw[1..]), None);
    }

    #[test]
    fn refused_features_are_limits_and_others_are_not() {
        let both = [class("tiled", "1"), class("rows", "some")];
        let mut rules = SuppressionRules::default();
        rules.record(1, Some("tiled"), &both[..1], Outcome::Refused);
        rules.record(1, Some("rows"), &both[1..], Outcome::Refused);
        let feature = |dimension: &str| dimension == "tiled";
        assert!(rules.limits(1, &both, feature).is_empty(), "too early");
        assert_eq!(rules.limits(2, &both, feature), ["tiled"]);
        rules.record(2, Some("tiled"), &both[..1], Outcome::Wrong);
        assert!(rules.limits(3, &both, feature).is_empty(), "it is not always refused");
    }

    #[test]
    fn what_passes_at_times_is_no_cause_of_its_own() {
        let mut rules = SuppressionRules::default();
        rules.record(1, Some("rows"), &[class("rows", "some")], Outcome::Wrong);
        rules.record(2, None, &[class("rows", "some"), class("fill", "ones")], Outcome::Same);
        assert!(rules.objection(2, 9, &[class("rows", "some")]).is_some());
        assert!(rules.objection(3, 9, &[class("rows", "some")]).is_none());
    }
}
