//! Hang limit: skips variants on which a client probably hangs, because each hang takes a whole time limit.

use std::collections::BTreeMap;

use crate::oracle::Outcome;

/// A dimension and one of its value classes; `None` represents all classes.
type Key = (String, Option<String>);

/// The result of one client on one variant.
#[derive(Debug, Clone)]
struct Event {
    step: u64,
    hung: usize,
    keys: Vec<Key>,
}

/// The number of runs, and the number of runs that hung.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    hung: usize,
    ran: usize,
}

/// The hangs of one client, by dimension and by value class.
#[derive(Debug, Clone)]
pub struct HangLimit {
    limit: usize,
    /// Results that are too recent to count.
    recent: Vec<Event>,
    hangs: usize,
    counts: BTreeMap<Key, Count>,
    /// The reason why a key is skipped, as it was first determined.
    reasons: BTreeMap<Key, String>,
    given_up: Option<String>,
}

/// The total number of hangs that a client may have, as a multiple of the limit for one value class.
const TOTAL: usize = 4;

impl HangLimit {
    /// No hangs yet. Variants with a value class that caused `limit` hangs are skipped.
    pub fn new(limit: usize) -> Self {
        Self {
            limit: limit.max(1),
            recent: Vec::new(),
            hangs: 0,
            counts: BTreeMap::new(),
            reasons: BTreeMap::new(),
            given_up: None,
        }
    }

    /// Records the outcome of step `step`, whose variant has the value classes `varied`.
    pub fn record(&mut self, step: u64, varied: &[(String, String)], outcome: Outcome) {
        let hung = usize::from(outcome == Outcome::Hang);
        self.recent.push(Event { step, hung, keys: keys(varied) });
    }

    /// Returns the reason to skip a variant, if any, according to the steps before `before`, which
    /// must not decrease from call to call.
    pub fn objection(&mut self, before: u64, varied: &[(String, String)]) -> Option<String> {
        for event in self.recent.extract_if(.., |e| e.step < before) {
            self.hangs += event.hung;
            for key in event.keys {
                let count = self.counts.entry(key).or_default();
                count.hung += event.hung;
                count.ran += 1;
            }
        }
        if self.hangs < self.limit {
            return None;
        }
        if self.hangs >= self.limit * TOTAL {
            let why = || format!("it hung {} times", self.hangs);
            return Some(self.given_up.get_or_insert_with(why).clone());
        }
        keys(varied).into_iter().find_map(|key| {
            if let Some(why) = self.reasons.get(&key) {
                return Some(why.clone());
            }
            let Count { hung, ran } = *self.counts.get(&key)?;
            // If fewer than four in five runs hang, the key only accompanies the cause.
            if hung < self.limit || hung * 5 < ran * 4 {
                return None;
            }
            let why = match &key.1 {
                None => format!("{hung} of {ran} variants hung where {} varies", key.0),
                Some(class) => format!("{hung} of {ran} variants hung with {} = {class}", key.0),
            };
            self.reasons.insert(key, why.clone());
            Some(why)
        })
    }
}

fn keys(varied: &[(String, String)]) -> Vec<Key> {
    let pairs = varied.iter().map(|(d, c)| (d.clone(), Some(c.clone())));
    pairs.chain(varied.iter().map(|(d, _)| (d.clone(), None))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(d: &str, c: &str) -> (String, String) {
        (d.to_owned(), c.to_owned())
    }

    #[test]
    fn only_what_hangs_is_left_out() {
        let mut limit = HangLimit::new(3);
        for step in 0..3 {
            limit.record(step, &[pair("fill", "ones"), pair("order", "random")], Outcome::Hang);
            limit.record(step, &[pair("fill", "zeros"), pair("order", "random")], Outcome::Same);
        }
        assert!(limit.objection(2, &[pair("fill", "ones")]).is_none(), "too early to know");
        assert!(limit.objection(9, &[pair("fill", "ones")]).is_some());
        assert!(limit.objection(9, &[pair("fill", "zeros")]).is_none());
        assert!(limit.objection(9, &[pair("order", "random")]).is_none());
    }

    #[test]
    fn there_is_an_end_to_hanging() {
        let mut limit = HangLimit::new(2);
        for step in 0..8 {
            limit.record(step, &[pair("d", &step.to_string())], Outcome::Hang);
        }
        assert!(limit.objection(9, &[]).is_some());
    }
}
