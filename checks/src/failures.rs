//! Counts failed draws by the condition that fails, so that a hundred failures take a line or two.

use std::collections::BTreeMap;

/// Failures, counted by their bound.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failures(BTreeMap<String, (usize, String)>);

impl Failures {
    /// Counts a failure by its message, in one line.
    pub fn add(&mut self, message: &str) {
        self.0.entry(bound(message)).or_insert_with(|| (0, message.to_owned())).0 += 1;
    }

    /// Returns the number of failures.
    pub fn count(&self) -> usize {
        self.0.values().map(|(n, _)| n).sum()
    }

    /// Returns the number of failures of each condition with the first of their messages, the most frequent first.
    pub fn by_bound(&self) -> Vec<(usize, &str)> {
        let mut all: Vec<(usize, &str)> = self.0.values().map(|(n, m)| (*n, &**m)).collect();
        all.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        all
    }
}

/// Returns a message without its numbers, except line numbers, because messages about one condition differ only in
/// values.
fn bound(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        out.push_str(before);
        let line = before.ends_with("line ") || before.ends_with("lines ");
        out.push_str(if line { &from[..end] } else { "#" });
        rest = &from[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_by_bound() {
        let mut all = Failures::default();
        for n in [3, 17, 255] {
            all.add(&format!("no value of x.w satisfies x.w >= {n} [line 7]"));
        }
        all.add("no value of x.w satisfies x.w >= 3 [line 8]");
        assert_eq!(all.count(), 4);
        let first = "no value of x.w satisfies x.w >= 3 [line 7]";
        assert_eq!(all.by_bound()[0], (3, first));
        assert_eq!(all.by_bound()[1].0, 1);
    }
}
