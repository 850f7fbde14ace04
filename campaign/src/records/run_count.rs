//! The results of several runs on one file.

use serde::{Deserialize, Serialize};

use super::judgment::Judgment;
use crate::oracle::Signature;

/// The number of runs of a client on one file that had the same signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCount {
    /// The signature.
    #[serde(flatten)]
    pub signature: Signature,
    /// The number of runs.
    pub runs: usize,
}

impl RunCount {
    /// Counts `judgments` by signature, with differences first, then the most frequent first.
    pub(crate) fn of<'j>(judgments: impl IntoIterator<Item = &'j Judgment>) -> Vec<Self> {
        let mut counts: Vec<Self> = Vec::new();
        for signature in judgments.into_iter().map(|j| j.signature().without_words()) {
            match counts.iter_mut().find(|count| count.signature == signature) {
                Some(count) => count.runs += 1,
                None => counts.push(Self { signature, runs: 1 }),
            }
        }
        counts.sort_by_key(|count| {
            let same = !count.signature.outcome.is_difference();
            (same, std::cmp::Reverse(count.runs), count.signature)
        });
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Outcome;

    #[test]
    fn differences_come_first() {
        let judgment = |outcome| Judgment { outcome, ..Judgment::same() };
        let runs = [Outcome::Same, Outcome::Crash, Outcome::Same].map(judgment);
        let counts: Vec<_> =
            RunCount::of(&runs).iter().map(|c| (c.signature.outcome, c.runs)).collect();
        assert_eq!(counts, [(Outcome::Crash, 1), (Outcome::Same, 2)]);
    }
}
