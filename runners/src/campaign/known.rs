//! Keeping a cause that is known from using up a client's runs.
//!
//! What is left out is decided from the results of earlier steps only, at a fixed distance,
//! so that it does not depend on the number of threads.

use std::collections::BTreeSet;

/// One in so many variants with a known cause is run all the same: there may be others in it.
const SHARE: u64 = 8;

/// A dimension and a class of its values.
type Key = (String, String);

/// The causes of one client that are known while it runs: classes that differ by themselves.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Not counted yet: too recent.
    recent: Vec<(u64, Key)>,
    causes: BTreeSet<Key>,
}

impl Known {
    /// In step `step` only `dimension` was to vary, its class is among `varied`, and the
    /// client differed.
    pub fn differed(&mut self, step: u64, dimension: &str, varied: &[Key]) {
        let key = varied.iter().find(|(d, _)| d == dimension);
        self.recent.extend(key.map(|key| (step, key.clone())));
    }

    /// Why the variant of `step` should be left out, judging by the steps before `before`,
    /// which must not decrease from call to call.
    pub fn objection(&mut self, before: u64, step: u64, varied: &[Key]) -> Option<String> {
        self.causes.extend(self.recent.extract_if(.., |e| e.0 < before).map(|e| e.1));
        if step.is_multiple_of(SHARE) {
            return None;
        }
        let known = varied.iter().find(|key| self.causes.contains(*key));
        known.map(|(dimension, class)| format!("a known cause: {dimension} = {class}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_by_itself_is_left_out_but_for_a_share() {
        let key = |d: &str, c: &str| (d.to_owned(), c.to_owned());
        let lzw = [key("compression", "LZW"), key("predictor", "none")];
        let mut known = Known::default();
        known.differed(3, "compression", &lzw);
        assert_eq!(known.objection(3, 9, &lzw), None, "too early to know");
        let why = known.objection(4, 10, &lzw);
        assert_eq!(why.as_deref(), Some("a known cause: compression = LZW"));
        assert_eq!(known.objection(4, 16, &lzw), None);
        assert_eq!(known.objection(4, 17, &lzw[1..]), None);
    }
}
