//! Decides how many files a client must still be given.

use std::collections::BTreeMap;

/// Counts the files of one client. Refused files do not test it, so it is given others in their place, as long as it
/// does not refuse as many files as are wanted.
#[derive(Debug, Clone)]
pub struct Quota {
    wanted: usize,
    /// True if other files replace those that were refused.
    replaces: bool,
    /// The files of recent steps; `None` if the result is not known yet.
    recent: BTreeMap<u64, Option<bool>>,
    judged: usize,
    refused: usize,
}

impl Quota {
    /// A client that is to be judged on `wanted` files, if `replaces` is true; otherwise it is to be given this number
    /// of files.
    pub fn new(wanted: usize, replaces: bool) -> Self {
        Self { wanted, replaces, recent: BTreeMap::new(), judged: 0, refused: 0 }
    }

    /// Counts the file of step `k`.
    pub fn give(&mut self, k: u64) {
        self.recent.insert(k, None);
    }

    /// Records that the file of step `k` was judged, or that it was refused.
    pub fn record(&mut self, k: u64, judged: bool) {
        self.recent.insert(k, Some(judged));
    }

    /// Returns true if the client needs another file, according to the results of the steps before `before`, assuming
    /// that later ones are not refused. `before` must not decrease from call to call.
    pub fn wants(&mut self, before: u64) -> bool {
        while let Some(entry) = self.recent.first_entry().filter(|entry| *entry.key() < before) {
            match entry.remove() {
                Some(true) => self.judged += 1,
                Some(false) | None if self.replaces => self.refused += 1,
                Some(false) | None => self.judged += 1,
            }
        }
        self.refused < self.wanted && self.judged + self.recent.len() < self.wanted
    }

    /// Returns true if the client will need no other file, whatever the unknown results are.
    pub fn is_full(&self) -> bool {
        let counts = |result: &&Option<bool>| **result == Some(true) || !self.replaces;
        let judged = self.recent.values().filter(counts).count();
        self.refused >= self.wanted || self.judged + judged >= self.wanted
    }

    /// Returns true if the client needs no other file, as far as is currently known.
    pub fn is_covered(&self) -> bool {
        let counts = |result: &&Option<bool>| **result != Some(false) || !self.replaces;
        self.judged + self.recent.values().filter(counts).count() >= self.wanted
    }

    /// Returns the number of files that the client was given.
    pub fn given(&self) -> usize {
        self.judged + self.refused + self.recent.len()
    }

    /// Returns the number of files whose results are known and count.
    pub fn done(&self) -> usize {
        self.judged + self.recent.values().filter(|result| **result == Some(true)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_files_are_replaced() {
        let mut quota = Quota::new(2, true);
        for k in 0..2 {
            assert!(quota.wants(0));
            quota.give(k);
        }
        assert!(!quota.wants(0) && !quota.is_full());
        quota.record(0, false);
        quota.record(1, true);
        assert!(!quota.wants(0), "too early to know");
        assert!(quota.wants(1));
        quota.give(2);
        quota.record(2, true);
        assert!(!quota.wants(2) && quota.is_full());
        assert_eq!((quota.given(), quota.done()), (3, 2));
    }

    #[test]
    fn there_is_an_end_to_refusals() {
        for (replaces, given) in [(true, 3), (false, 3)] {
            let mut quota = Quota::new(3, replaces);
            for k in 0..10 {
                if quota.wants(k) {
                    quota.give(k);
                    quota.record(k, false);
                }
            }
            assert!(quota.is_full() && !quota.wants(10));
            assert_eq!(quota.given(), given);
        }
    }
}
