//! Keeping a cause that is known from using up a client's runs.
//!
//! What is left out is decided from the results of earlier steps only, at a fixed distance,
//! so that it does not depend on the number of threads.

use std::collections::BTreeMap;

/// One in so many variants with a known cause is run all the same: there may be others in it.
const SHARE: u64 = 8;

/// A dimension and a class of its values.
type Key = (String, String);

/// What one client did with one variant.
#[derive(Debug, Clone)]
struct Event {
    step: u64,
    differed: bool,
    /// The class that varied by itself.
    alone: Option<Key>,
    varied: Vec<Key>,
}

/// What is known of a class.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// How often the client differed where it varied by itself.
    alone: usize,
    /// How often the client did not differ.
    passed: usize,
}

/// The causes of one client that are known while it runs: classes that differ by themselves,
/// and every time.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Not counted yet: too recent.
    recent: Vec<Event>,
    counts: BTreeMap<Key, Count>,
}

impl Known {
    /// The client ran step `step`, whose dimensions and classes are `varied`; `alone` was to
    /// vary by itself.
    pub fn saw(&mut self, step: u64, alone: Option<&str>, varied: &[Key], differed: bool) {
        let alone = alone.and_then(|alone| varied.iter().find(|(d, _)| d == alone)).cloned();
        self.recent.push(Event { step, differed, alone, varied: varied.to_vec() });
    }

    /// Why the variant of `step` should be left out, judging by the steps before `before`,
    /// which must not decrease from call to call.
    pub fn objection(&mut self, before: u64, step: u64, varied: &[Key]) -> Option<String> {
        for event in self.recent.extract_if(.., |e| e.step < before) {
            match event.differed {
                true => {
                    event.alone.into_iter().for_each(|key| {
                        self.counts.entry(key).or_default().alone += 1;
                    });
                }
                false => event.varied.into_iter().for_each(|key| {
                    self.counts.entry(key).or_default().passed += 1;
                }),
            }
        }
        if step.is_multiple_of(SHARE) {
            return None;
        }
        let is_cause =
            |key: &&Key| self.counts.get(*key).is_some_and(|c| c.alone > 0 && c.passed == 0);
        let known = varied.iter().find(is_cause);
        known.map(|(dimension, class)| format!("a known cause: {dimension} = {class}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(d: &str, c: &str) -> Key {
        (d.to_owned(), c.to_owned())
    }

    #[test]
    fn what_differs_by_itself_is_left_out_but_for_a_share() {
        let lzw = [key("compression", "LZW"), key("predictor", "none")];
        let mut known = Known::default();
        known.saw(3, Some("compression"), &lzw, true);
        assert_eq!(known.objection(3, 9, &lzw), None, "too early to know");
        let why = known.objection(4, 10, &lzw);
        assert_eq!(why.as_deref(), Some("a known cause: compression = LZW"));
        assert_eq!(known.objection(4, 16, &lzw), None);
        assert_eq!(known.objection(4, 17, &lzw[1..]), None);
    }

    #[test]
    fn what_passes_at_times_is_no_cause_of_its_own() {
        let mut known = Known::default();
        known.saw(1, Some("rows"), &[key("rows", "some")], true);
        known.saw(2, None, &[key("rows", "some"), key("fill", "ones")], false);
        assert!(known.objection(2, 9, &[key("rows", "some")]).is_some());
        assert!(known.objection(3, 9, &[key("rows", "some")]).is_none());
    }
}
