//! Keeping a client that hangs from eating the whole run.
//!
//! What is left out is decided from the results of earlier steps only, at a fixed distance,
//! so that it does not depend on the number of threads.

use std::collections::BTreeMap;

/// A dimension, and a class of its values; `None` stands for all of them.
type Key = (String, Option<String>);

/// What one client did with one variant, as far as hanging goes.
#[derive(Debug, Clone)]
struct Event {
    step: u64,
    hung: bool,
    keys: Vec<Key>,
}

/// Hangs, of so many runs.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    hung: usize,
    ran: usize,
}

/// The hangs of one client.
#[derive(Debug, Clone)]
pub struct Guard {
    limit: usize,
    /// Not counted yet: too recent.
    recent: Vec<Event>,
    hangs: usize,
    counts: BTreeMap<Key, Count>,
    /// Why a key is left out, as it was first found.
    reasons: BTreeMap<Key, String>,
    tired: Option<String>,
}

/// How many times the limit a client may hang altogether.
const ALTOGETHER: usize = 4;

impl Guard {
    /// No hangs yet; `limit` are too many with one cause.
    pub fn new(limit: usize) -> Self {
        Self {
            limit: limit.max(1),
            recent: Vec::new(),
            hangs: 0,
            counts: BTreeMap::new(),
            reasons: BTreeMap::new(),
            tired: None,
        }
    }

    /// The client ran step `step`, whose varied dimensions and value classes are `varied`.
    pub fn saw(&mut self, step: u64, varied: &[(String, String)], hung: bool) {
        self.recent.push(Event { step, hung, keys: keys(varied) });
    }

    /// Why a variant should be left out, judging by the steps before `before`, which must
    /// not decrease from call to call.
    pub fn objection(&mut self, before: u64, varied: &[(String, String)]) -> Option<String> {
        for event in self.recent.extract_if(.., |e| e.step < before) {
            self.hangs += usize::from(event.hung);
            for key in event.keys {
                let count = self.counts.entry(key).or_default();
                count.hung += usize::from(event.hung);
                count.ran += 1;
            }
        }
        if self.hangs < self.limit {
            return None;
        }
        if self.hangs >= self.limit * ALTOGETHER {
            let why = || format!("it hung {} times", self.hangs);
            return Some(self.tired.get_or_insert_with(why).clone());
        }
        keys(varied).into_iter().find_map(|key| {
            if let Some(why) = self.reasons.get(&key) {
                return Some(why.clone());
            }
            let Count { hung, ran } = *self.counts.get(&key)?;
            // Four in five: a cause, not a companion of one.
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
        let mut guard = Guard::new(3);
        for step in 0..3 {
            guard.saw(step, &[pair("fill", "ones"), pair("order", "random")], true);
            guard.saw(step, &[pair("fill", "zeros"), pair("order", "random")], false);
        }
        assert!(guard.objection(2, &[pair("fill", "ones")]).is_none(), "too early to know");
        assert!(guard.objection(9, &[pair("fill", "ones")]).is_some());
        assert!(guard.objection(9, &[pair("fill", "zeros")]).is_none());
        assert!(guard.objection(9, &[pair("order", "random")]).is_none());
    }

    #[test]
    fn there_is_an_end_to_hanging() {
        let mut guard = Guard::new(2);
        for step in 0..8 {
            guard.saw(step, &[pair("d", &step.to_string())], true);
        }
        assert!(guard.objection(9, &[]).is_some());
    }
}
