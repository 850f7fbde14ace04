//! Reduces a finding to the fewest dimensions and the shortest sequence.

use std::collections::BTreeSet;
use std::io;

use equivalents::reduce::{Answer, least};
use interfaces::graph::Call;
use interfaces::replay::{shorter, simpler};
use inverter::solve::Choices;

use super::finding::{File, Finding, is_part};
use super::outcome::Outcome;
use super::probe::Probe;
use super::result::{Cause, Evidence, Sure, Unreduced};
use campaign::{Budget, map};
use equivalents::subject::Subject;

/// The maximum number of causes of a driver that are searched for, before those that are the same fault are merged.
const MOST_CAUSES: usize = 24;

/// The maximum number of further sets of choices to search for per sequence.
const MOST_CHOICES: usize = 3;

/// Reduces the findings of a driver.
pub(super) struct Reducer<'a> {
    pub probe: Probe<'a>,
    pub subject: &'a dyn Subject,
    pub seed: &'a str,
    pub files: &'a [File],
    pub jobs: usize,
    pub budget: &'a Budget,
}

/// The causes of a driver's findings, and the number of findings without a cause.
pub(super) struct Reduced {
    pub causes: Vec<Cause>,
    pub unreduced: Unreduced,
}

impl Reducer<'_> {
    /// Returns the causes of `findings`. Reduces the finding with the fewest choices and calls that no known cause
    /// explains, until no such finding is left.
    ///
    /// # Errors
    ///
    /// The driver cannot be run.
    pub fn causes(&self, findings: &[Finding]) -> io::Result<Reduced> {
        let mut causes: Vec<Cause> = Vec::new();
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
            if causes.len() >= MOST_CAUSES {
                unreduced.too_many = open.len();
                break;
            }
            let rest = open.split_off(1);
            let Some(mut cause) = self.reduced(finding)? else {
                unreduced.not_alone += 1;
                open = rest;
                continue;
            };
            let (explained, others) = self.explained(&cause, &rest)?;
            open = others;
            let files = explained.iter().chain([&finding]).map(|f| f.file);
            let files: BTreeSet<usize> = files.collect();
            self.other_choices(&mut cause, &files)?;
            let same = |c: &&mut Cause| c.sequence == cause.sequence && c.choices == cause.choices;
            match causes.iter_mut().find(same) {
                Some(known) => known.see(self.seed, explained.len() + 1, &files),
                None => {
                    cause.see(self.seed, explained.len() + 1, &files);
                    causes.push(cause);
                }
            }
        }
        Ok(Reduced { causes, unreduced })
    }

    /// Splits findings by whether a cause explains them: it has the same kind, its calls are among the calls of the
    /// finding, and its sequence shows the same difference on the finding's file.
    fn explained<'f>(
        &self,
        cause: &Cause,
        findings: &[&'f Finding],
    ) -> io::Result<(Vec<&'f Finding>, Vec<&'f Finding>)> {
        let may: Vec<bool> = findings.iter().map(|other| self.may_explain(cause, other)).collect();
        let pairs = || findings.iter().zip(&may);
        let files: BTreeSet<usize> =
            pairs().filter(|(_, may)| **may).map(|(f, _)| f.file).collect();
        let files: Vec<usize> = files.into_iter().collect();
        let shown = map(self.jobs, &files, |_, file: &usize| {
            let bytes = &self.files[*file].bytes;
            let shows = self.probe.shows(&cause.outcome, &cause.sequence, bytes)?;
            Ok(shows.then_some(*file))
        });
        let shown = shown.into_iter().collect::<io::Result<Vec<_>>>()?;
        let shown: BTreeSet<usize> = shown.into_iter().flatten().collect();
        let (yes, no): (Vec<_>, Vec<_>) =
            pairs().partition(|(f, may)| **may && shown.contains(&f.file));
        let only = |some: Vec<(&&'f Finding, &bool)>| some.into_iter().map(|(f, _)| *f).collect();
        Ok((only(yes), only(no)))
    }

    fn may_explain(&self, cause: &Cause, finding: &Finding) -> bool {
        let calls = &self.probe.suite.sequences[finding.sequence].calls[..=finding.call];
        finding.kind == cause.kind
            && calls.last().map(|c| c.function) == cause.sequence.last().map(|c| c.function)
            && is_part(&cause.sequence, calls)
    }

    /// Adds other sets of choices for which files show the sequence of a cause.
    fn other_choices(&self, cause: &mut Cause, files: &BTreeSet<usize>) -> io::Result<()> {
        let mut known = vec![cause.choices.clone()];
        for file in files {
            let choices = &self.files[*file].choices;
            let has = |some: &Choices| some.iter().all(|(d, _)| choices.get(d).is_some());
            if known.len() > MOST_CHOICES || self.budget.ends_reduction() || known.iter().any(has) {
                continue;
            }
            let fewest = self.fewest(&cause.outcome, &cause.sequence, choices)?;
            if known.contains(&fewest) {
                continue;
            }
            known.push(fewest.clone());
            cause.evidence.push(Evidence {
                seed: cause.seed.clone(),
                driver: cause.driver.clone(),
                calls: cause.calls.clone(),
                choices: fewest,
                why: cause.why.clone(),
                sure: Sure::Sure,
            });
        }
        Ok(())
    }

    /// Reduces a finding; `None` if it does not occur in a fresh process.
    fn reduced(&self, finding: &Finding) -> io::Result<Option<Cause>> {
        let probe = &self.probe;
        let file = &self.files[finding.file];
        let mut calls = probe.suite.sequences[finding.sequence].calls[..=finding.call].to_vec();
        let Some((outcome, mut why)) = probe.one(&calls, &file.bytes)? else { return Ok(None) };
        if outcome.kind != finding.kind {
            return Ok(None);
        }
        let mut choices = self.fewest(&outcome, &calls, &file.choices)?;
        while !self.budget.ends_reduction() {
            let bytes = self.file(&choices).unwrap_or_else(|| file.bytes.clone());
            let graph = &probe.suite.graph;
            let smaller = [shorter(graph, &calls), simpler(graph, &calls)].concat();
            let Some(next) = probe.first(&outcome, &smaller, &bytes)? else { break };
            calls = next;
            choices = self.fewest(&outcome, &calls, &choices)?;
        }
        let bytes = self.file(&choices).unwrap_or_else(|| file.bytes.clone());
        if let Some((_, words)) = probe.one(&calls, &bytes)?.filter(|(seen, _)| *seen == outcome) {
            why = words;
        }
        let cause = Cause {
            seed: self.seed.to_owned(),
            driver: probe.driver.name().to_owned(),
            kind: finding.kind,
            fault: outcome.mark.clone(),
            library: probe.suite.essential(&calls),
            calls: calls.iter().map(|c| probe.suite.graph.call_text(c)).collect(),
            any: self.any(&outcome, &calls, &bytes)?,
            why,
            choices,
            explains: 0,
            files: 0,
            evidence: Vec::new(),
            like: None,
            not_compared: None,
            unfinished: self.budget.ends_reduction(),
            shown_by: String::new(),
            file: bytes,
            sequence: calls,
            outcome,
            seen: BTreeSet::new(),
        };
        Ok(Some(cause))
    }

    /// Returns the calls with `_` for each argument that may have any legal value, if the other arguments stay the
    /// same, without a change of the outcome.
    fn any(&self, outcome: &Outcome, calls: &[Call], file: &[u8]) -> io::Result<Vec<String>> {
        /// Larger values of an argument are not tried.
        const VALUES: i64 = 8;
        let graph = &self.probe.suite.graph;
        let mut out = Vec::new();
        for (place, call) in calls.iter().enumerate() {
            let mut words: Vec<String> = call.arguments.iter().map(i64::to_string).collect();
            for (n, own) in call.arguments.iter().enumerate() {
                let mut others = Vec::new();
                for value in (0..VALUES).filter(|v| v != own) {
                    let mut changed = calls.to_vec();
                    changed[place].arguments[n] = value;
                    if self.probe.allows(&changed) {
                        others.push(changed);
                    }
                }
                let mut all = !others.is_empty() && !self.budget.ends_reduction();
                for other in &others {
                    all = all && self.probe.shows(outcome, other, file)?;
                }
                if all {
                    "_".clone_into(&mut words[n]);
                }
            }
            out.push(format!("{}({})", graph.functions[call.function], words.join(", ")));
        }
        Ok(out)
    }

    /// The file with these choices.
    fn file(&self, choices: &Choices) -> Option<Vec<u8>> {
        if choices.is_empty() {
            return Some(self.subject.seed_bytes().to_vec());
        }
        self.subject.replay(choices).ok().map(|variant| variant.bytes)
    }

    /// Returns the fewest and simplest of `choices` for which the last of `calls` still has this outcome.
    fn fewest(&self, outcome: &Outcome, calls: &[Call], choices: &Choices) -> io::Result<Choices> {
        let mut failure = None;
        let found = least(self.subject.own_choices(), choices, &mut |some| {
            if failure.is_some() || self.budget.ends_reduction() {
                return Answer::Stop;
            }
            let Some(bytes) = self.file(some) else { return Answer::No };
            match self.probe.shows(outcome, calls, &bytes) {
                Ok(true) => Answer::Yes,
                Ok(false) => Answer::No,
                Err(error) => {
                    failure = Some(error);
                    Answer::Stop
                }
            }
        });
        failure.map_or(Ok(found), Err)
    }
}
