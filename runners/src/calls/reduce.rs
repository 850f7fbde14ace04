//! Reduction in both: the fewest dimensions and the shortest sequence.

use std::collections::BTreeSet;
use std::io;

use equivalents::reduce::{Answer, least};
use interfaces::graph::Call;
use interfaces::replay::{shorter, simpler};
use interfaces::suite::Sequence;
use inverter::solve::Choices;

use super::driver::{Driver, Kind, Replayed, Verdict};
use super::finding::{File, Finding};
use super::model::Suite;
use super::result::{Cause, Unreduced};
use crate::campaign::Budget;
use crate::subject::Subject;

/// Causes of a driver that are searched for.
const MOST_CAUSES: usize = 24;

/// Reduces the findings of a driver.
pub(super) struct Reducer<'a> {
    pub driver: &'a Driver,
    pub suite: &'a Suite,
    pub subject: &'a dyn Subject,
    pub files: &'a [File],
    pub budget: &'a Budget,
}

/// The causes of a driver's findings, and how many findings have none.
pub(super) struct Reduced {
    pub causes: Vec<Cause>,
    pub unreduced: Unreduced,
}

/// A cause with its calls.
struct Found {
    cause: Cause,
    calls: Vec<Call>,
    seen: BTreeSet<usize>,
}

impl Reducer<'_> {
    /// The causes of `findings`: of those that no known cause explains, the one with the fewest choices and
    /// calls is reduced, until there is none.
    ///
    /// # Errors
    ///
    /// The driver cannot be run.
    pub fn causes(&self, findings: &[Finding]) -> io::Result<Reduced> {
        let mut found: Vec<Found> = Vec::new();
        let mut unreduced = Unreduced::default();
        let mut open: Vec<&Finding> = findings.iter().collect();
        open.sort_by_key(|f| {
            (f.kind, self.files[f.file].choices.len(), f.call, f.sequence, f.file)
        });
        while let Some(finding) = open.first().copied() {
            if self.budget.ends_reduction() {
                unreduced.stopped = open.len();
                break;
            }
            if found.len() >= MOST_CAUSES {
                unreduced.too_many = open.len();
                break;
            }
            let cause = self.reduced(finding)?;
            let mut explained: Vec<&Finding> = vec![finding];
            let rest = open.split_off(1).into_iter();
            open = rest
                .filter(|other| {
                    let same = cause.as_ref().is_some_and(|cause| self.explains(cause, other));
                    if same {
                        explained.push(*other);
                    }
                    !same
                })
                .collect();
            let Some(cause) = cause else {
                unreduced.not_alone += 1;
                continue;
            };
            let same = |f: &Found| f.calls == cause.calls && f.cause.choices == cause.cause.choices;
            let known = found.iter().position(same);
            let place = known.unwrap_or(found.len());
            if known.is_none() {
                found.push(cause);
            }
            let into = &mut found[place];
            into.cause.explains += explained.len();
            into.seen.extend(explained.iter().map(|f| f.file));
            into.cause.files = into.seen.len();
        }
        let causes = found.into_iter().map(|f| f.cause).collect();
        Ok(Reduced { causes, unreduced })
    }

    /// True if a finding has the choices and the calls of a cause, and is of its kind.
    fn explains(&self, cause: &Found, finding: &Finding) -> bool {
        let choices = &self.files[finding.file].choices;
        let calls = &self.suite.sequences[finding.sequence].calls[..=finding.call];
        finding.kind == cause.cause.kind
            && cause.cause.choices.iter().all(|(dimension, _)| choices.get(dimension).is_some())
            && calls.last().map(|c| c.function) == cause.calls.last().map(|c| c.function)
            && is_part(&cause.calls, calls)
    }

    /// Reduces a finding; `None` if it does not show itself in a fresh process.
    fn reduced(&self, finding: &Finding) -> io::Result<Option<Found>> {
        let sequence = &self.suite.sequences[finding.sequence].calls;
        let file = &self.files[finding.file];
        let mut calls = sequence[..=finding.call].to_vec();
        let Some(mut why) = self.shows(finding.kind, &calls, &file.bytes)? else { return Ok(None) };
        let mut choices = self.fewest(finding.kind, &calls, &file.choices)?;
        loop {
            let bytes = self.file(&choices).unwrap_or_else(|| file.bytes.clone());
            let graph = &self.suite.graph;
            let smaller = [shorter(graph, &calls), simpler(graph, &calls)].concat();
            let Some(next) = self.first(finding.kind, &smaller, &bytes)? else { break };
            calls = next;
            choices = self.fewest(finding.kind, &calls, &choices)?;
        }
        let bytes = self.file(&choices).unwrap_or_else(|| file.bytes.clone());
        if let Some(words) = self.shows(finding.kind, &calls, &bytes)? {
            why = words;
        }
        let cause = Cause {
            driver: self.driver.name().to_owned(),
            kind: finding.kind,
            calls: calls.iter().map(|c| self.suite.graph.call_text(c)).collect(),
            why,
            choices,
            explains: 0,
            files: 0,
            file: bytes,
        };
        Ok(Some(Found { cause, calls, seen: BTreeSet::new() }))
    }

    /// The file of these choices.
    fn file(&self, choices: &Choices) -> Option<Vec<u8>> {
        if choices.is_empty() {
            return Some(self.subject.seed_bytes().to_vec());
        }
        self.subject.replay(choices).ok().map(|variant| variant.bytes)
    }

    /// The fewest and simplest of `choices` for which the last of `calls` still does otherwise.
    fn fewest(&self, kind: Kind, calls: &[Call], choices: &Choices) -> io::Result<Choices> {
        let mut failure = None;
        let found = least(self.subject.own_choices(), choices, &mut |some| {
            if failure.is_some() || self.budget.ends_reduction() {
                return Answer::Stop;
            }
            let Some(bytes) = self.file(some) else { return Answer::No };
            match self.shows(kind, calls, &bytes) {
                Ok(Some(_)) => Answer::Yes,
                Ok(None) => Answer::No,
                Err(error) => {
                    failure = Some(error);
                    Answer::Stop
                }
            }
        });
        failure.map_or(Ok(found), Err)
    }

    /// Returns why the last of `calls` does otherwise on a file, in a fresh process; `None` if it does not.
    fn shows(&self, kind: Kind, calls: &[Call], file: &[u8]) -> io::Result<Option<String>> {
        Ok(self.all(kind, &[calls.to_vec()], file)?.into_iter().next().flatten())
    }

    /// The first of some sequences whose last call does otherwise.
    fn first(&self, kind: Kind, some: &[Vec<Call>], file: &[u8]) -> io::Result<Option<Vec<Call>>> {
        let shown = self.all(kind, some, file)?;
        Ok(some.iter().zip(shown).find(|(_, why)| why.is_some()).map(|(calls, _)| calls.clone()))
    }

    /// For each sequence, why its last call does otherwise.
    fn all(&self, kind: Kind, some: &[Vec<Call>], file: &[u8]) -> io::Result<Vec<Option<String>>> {
        let of = |calls: &Vec<Call>| Sequence { calls: calls.clone(), fails: false };
        // A call that must fail may still crash.
        let sequences: Vec<Sequence> = some.iter().map(of).collect();
        let sequences: Vec<&Sequence> = sequences.iter().collect();
        let verdicts = match self.driver.replay(&self.suite.graph, &sequences, file, true)? {
            Replayed::Unread(_) => return Ok(vec![None; some.len()]),
            Replayed::Verdicts(verdicts) => verdicts,
        };
        let why = |(verdict, calls): (Verdict, &Vec<Call>)| match verdict {
            Verdict::Fault { kind: other, call, why } if other == kind => {
                (call + 1 == calls.len()).then_some(why)
            }
            _ => None,
        };
        Ok(verdicts.into_iter().zip(some).map(why).collect())
    }
}

/// True if the functions of `part` are called in `whole` in this order.
fn is_part(part: &[Call], whole: &[Call]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|call| rest.any(|other| other.function == call.function))
}
