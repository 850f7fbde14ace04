//! Runs single sequences on a file, to reduce and compare findings.

use std::io;

use interfaces::graph::Call;
use interfaces::suite::Sequence;

use super::driver::{Driver, Replayed, Verdict};
use super::model::Suite;
use super::outcome::Outcome;

/// A driver with the sequences of a seed.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    pub driver: &'a Driver,
    pub suite: &'a Suite,
}

impl Probe<'_> {
    /// Returns for each sequence how the result of its last call on a file differs from the plain order, and why;
    /// `None` if it does not. Each sequence runs after the previous ones in a fresh process.
    pub fn all(
        &self,
        some: &[Vec<Call>],
        file: &[u8],
    ) -> io::Result<Vec<Option<(Outcome, String)>>> {
        if some.is_empty() {
            return Ok(Vec::new());
        }
        // A call that must fail may still crash.
        let of = |calls: &Vec<Call>| Sequence { calls: calls.clone(), fails: false };
        let sequences: Vec<Sequence> = some.iter().map(of).collect();
        let sequences: Vec<&Sequence> = sequences.iter().collect();
        let verdicts = match self.driver.replay(&self.suite.graph, &sequences, file, true)? {
            Replayed::Unread(_) => return Ok(vec![None; some.len()]),
            Replayed::Verdicts(verdicts) => verdicts,
        };
        let seen = |(verdict, calls): (Verdict, &Vec<Call>)| match verdict {
            Verdict::Fault { kind, call, why } if call + 1 == calls.len() => {
                Some((Outcome::of(kind, &why), why))
            }
            _ => None,
        };
        Ok(verdicts.into_iter().zip(some).map(seen).collect())
    }

    /// Returns how the result of the last of `calls` differs in a fresh process, and why.
    pub fn one(&self, calls: &[Call], file: &[u8]) -> io::Result<Option<(Outcome, String)>> {
        Ok(self.all(&[calls.to_vec()], file)?.into_iter().next().flatten())
    }

    /// Returns true if the last of `calls` has this outcome.
    pub fn shows(&self, outcome: &Outcome, calls: &[Call], file: &[u8]) -> io::Result<bool> {
        Ok(self.one(calls, file)?.is_some_and(|(seen, _)| seen == *outcome))
    }

    /// Returns the first of some sequences whose last call has this outcome.
    pub fn first(
        &self,
        outcome: &Outcome,
        some: &[Vec<Call>],
        file: &[u8],
    ) -> io::Result<Option<Vec<Call>>> {
        let seen = self.all(some, file)?;
        let shows = |seen: &Option<(Outcome, String)>| {
            seen.as_ref().is_some_and(|(seen, _)| seen == outcome)
        };
        Ok(some.iter().zip(&seen).find(|(_, seen)| shows(seen)).map(|(calls, _)| calls.clone()))
    }

    /// Returns true if the sequence is legal in this suite's graph.
    pub fn allows(&self, calls: &[Call]) -> bool {
        self.suite.graph.legal_prefix(calls) == calls.len()
    }
}
