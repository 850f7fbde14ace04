//! From findings to causes: what is already explained, reduction, and merging.

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::canonicalize::Essence;
use super::minimize::{Reduced, minimal};
use super::test_oracle::{Prober, ReduceError};
use crate::campaign::client_session::replay;
use crate::campaign::records::{Anew, Cause, Depth, Info, Judged, Purpose, Row, Trial};
use crate::oracle::Outcome;
use crate::subject::Subject;

/// The causes of one client.
pub struct Finder<'a> {
    /// Tries sets of choices.
    pub prober: Prober<'a>,
    /// The client's place in the list.
    pub client: usize,
    /// The most reductions for one outcome.
    pub reductions: usize,
    /// What was found so far.
    pub causes: Vec<Cause>,
    spent: [usize; 6],
    checks: usize,
    hung: usize,
    /// How many rows from the next on have been prepared for, with the causes of now.
    prepared: usize,
    /// Whether variants are compared with the seed written anew, so that what is wrong
    /// with that explains none of them.
    measured_anew: bool,
}

/// The most reductions of hangs: each run of one costs a whole time limit.
const HANG_REDUCTIONS: usize = 3;

/// How often, for each reduction allowed, it may be checked that a known cause explains all
/// of a finding.
const CHECKS: usize = 5;

/// How many such checks may hang.
const HANGING_CHECKS: usize = 8;

/// How many findings are prepared for at once.
const AHEAD: usize = 8;

/// What came of looking for a cause.
enum Find {
    /// There is one.
    Cause,
    /// Too many were looked for.
    Enough,
    /// Two runs disagreed; this is the second.
    Unsteady(Judged),
}

impl<'a> Finder<'a> {
    /// Nothing found yet.
    pub fn new(prober: Prober<'a>, client: usize, reductions: usize) -> Self {
        Self {
            prober,
            client,
            reductions,
            causes: Vec::new(),
            spent: [0; 6],
            checks: 0,
            hung: 0,
            prepared: 0,
            measured_anew: false,
        }
    }

    /// Explains findings, each by known causes or by a new one.
    ///
    /// # Errors
    ///
    /// [`ReduceError::Defect`]. After any other trouble, findings are kept as they are.
    pub fn explain_all(&mut self, findings: &[&Row]) -> Result<(), ReduceError> {
        let mut over = false;
        for (k, row) in findings.iter().enumerate() {
            if over {
                self.put_by(row, row.outcome(), Depth::Not);
                continue;
            }
            self.prepare(&findings[k..]);
            let causes = self.causes.len();
            match self.explain(row) {
                Ok(()) => {}
                Err(defect @ ReduceError::Defect { .. }) => return Err(defect),
                Err(ReduceError::Stopped | ReduceError::Client(_)) => {
                    over = true;
                    self.put_by(row, row.outcome(), Depth::Not);
                }
            }
            let stale = self.causes.len() != causes;
            self.prepared = if stale { 0 } else { self.prepared.saturating_sub(1) };
        }
        Ok(())
    }

    /// Runs what the next findings will ask for, all at once. Only for speed; what is run
    /// depends on the findings and not on the threads.
    fn prepare(&mut self, findings: &[&Row]) {
        if self.prepared > 0 || self.hung > 0 {
            return;
        }
        let next = &findings[..findings.len().min(AHEAD)];
        self.prepared = next.len();
        let rests: Vec<Choices> = next
            .iter()
            .filter(|row| row.outcome() != Outcome::Hang)
            .filter_map(|row| self.rest(&self.known(row), row))
            .collect();
        if rests.len() > 1 && !self.checked_enough() {
            self.prober.prepare(&rests, Purpose::Reduce);
        }
    }

    /// The causes that a finding has all choices of.
    fn known(&self, row: &Row) -> Vec<usize> {
        let subject = self.prober.subject;
        (0..self.causes.len())
            .filter(|k| self.causes[*k].is_in(subject, &row.info.varied))
            .filter(|k| !(self.measured_anew && self.causes[*k].dimensions.is_empty()))
            .collect()
    }

    fn explain(&mut self, row: &Row) -> Result<(), ReduceError> {
        let known = self.known(row);
        let (mut outcome, mut choices) = (row.outcome(), row.info.choices.clone());
        if !known.is_empty() {
            let Some((other, rest)) = self.beyond(&known, row)? else {
                self.credit(&known, row);
                return Ok(());
            };
            (outcome, choices) = (other, rest);
        }
        let found = self.find(&choices, outcome)?;
        match (known.is_empty(), found) {
            (false, _) => self.credit(&known, row),
            (true, Find::Cause) => {}
            (true, Find::Enough) => self.put_by(row, outcome, Depth::Not),
            (true, Find::Unsteady(again)) => {
                self.put_by(row, outcome.min(again.outcome), Depth::Flaky);
            }
        }
        Ok(())
    }

    /// Reduces `choices`, which came to `outcome`, to a cause: confirmed before, so that no
    /// time is lost on what does not happen each time, and after, for what is left is
    /// another file.
    fn find(&mut self, choices: &Choices, outcome: Outcome) -> Result<Find, ReduceError> {
        let prober = self.prober;
        let Some(trial) = prober.probe(choices, Purpose::Reduce)? else {
            return Ok(Find::Unsteady(Judged::same()));
        };
        let confirmed = prober.confirm(&trial, choices)?;
        if trial.judged.outcome != outcome || !confirmed.agrees {
            return Ok(Find::Unsteady(confirmed.judged));
        }
        let most = if outcome == Outcome::Hang { HANG_REDUCTIONS } else { self.reductions };
        if self.spent[outcome.rank()] >= most {
            return Ok(Find::Enough);
        }
        self.spent[outcome.rank()] += 1;
        let Some(reduced) = minimal(prober, choices, outcome)? else {
            return Ok(Find::Unsteady(confirmed.judged));
        };
        let reduced = Essence::new(prober, outcome).of(reduced)?;
        let same_file = reduced.trial.variant.bytes == trial.variant.bytes;
        let confirmed = match same_file {
            true => confirmed,
            false => prober.confirm(&reduced.trial, &reduced.choices)?,
        };
        if !confirmed.agrees {
            return Ok(Find::Unsteady(confirmed.judged));
        }
        self.add(reduced, confirmed.picture);
        Ok(Find::Cause)
    }

    /// A finding's choices without those of its known causes, if that is another set, and
    /// not an empty one.
    fn rest(&self, known: &[usize], row: &Row) -> Option<Choices> {
        let mut rest = row.info.choices.clone();
        for cause in known {
            for dimension in &self.causes[*cause].dimensions {
                rest.remove(dimension);
            }
        }
        (!rest.is_empty() && rest.len() != row.info.choices.len()).then_some(rest)
    }

    fn checked_enough(&self) -> bool {
        self.checks >= CHECKS * self.reductions || self.hung >= HANGING_CHECKS
    }

    /// What is still wrong with a finding once its known causes are taken out.
    fn beyond(
        &mut self,
        known: &[usize],
        row: &Row,
    ) -> Result<Option<(Outcome, Choices)>, ReduceError> {
        let Some(rest) = self.rest(known, row).filter(|_| !self.checked_enough()) else {
            return Ok(None);
        };
        self.checks += 1;
        let trial = self.prober.probe(&rest, Purpose::Reduce)?;
        let outcome = trial.map_or(Outcome::Same, |t| t.judged.outcome);
        self.hung += usize::from(outcome == Outcome::Hang);
        Ok(outcome.is_difference().then_some((outcome, rest)))
    }

    /// Counts a finding for the known cause that fits it best.
    fn credit(&mut self, known: &[usize], row: &Row) {
        let fits = |k: &&usize| self.causes[**k].outcome == row.outcome();
        let Some(&best) = known.iter().find(fits).or(known.first()) else { return };
        let cause = &mut self.causes[best];
        cause.count += 1;
        // A finding that is nothing but this cause is one more example of it.
        let alone = row.info.choices.len() == cause.dimensions.len();
        if alone && cause.outcome == row.outcome() {
            cause.example(&row.info.choices);
        }
    }

    fn add(&mut self, reduced: Reduced, got: Option<Picture>) {
        let depth = if reduced.minimal { Depth::Minimal } else { Depth::Partly };
        let Reduced { trial, choices, .. } = reduced;
        self.merge(trial, choices, depth, got, 1);
    }

    /// Adds what was found to the cause that it is an example of, or as a new one.
    pub fn merge(
        &mut self,
        trial: Trial,
        choices: Choices,
        depth: Depth,
        got: Option<Picture>,
        count: usize,
    ) {
        let subject = self.prober.subject;
        let mut new = Cause::of(subject, self.client, trial, choices, depth, got);
        new.count = count;
        let like = |c: &&mut Cause| {
            c.outcome == new.outcome && c.dimensions == new.dimensions && c.depth <= Depth::Partly
        };
        match self.causes.iter_mut().find(like) {
            None => self.causes.push(new),
            Some(known) => {
                known.count += count;
                known.depth = known.depth.min(depth);
                known.example(&new.choices);
                if new.cost() < known.cost() {
                    let examples = std::mem::take(&mut known.examples);
                    let (count, depth) = (known.count, known.depth);
                    *known = Cause { examples, count, depth, ..new };
                }
            }
        }
    }

    /// The seed written anew, without any change, is a difference already; if its picture is
    /// now the measure of the variants, there may be others.
    ///
    /// # Errors
    ///
    /// [`ReduceError::Defect`].
    pub fn anew(&mut self, finding: &Anew, measure: Option<&Picture>) -> Result<(), ReduceError> {
        self.measured_anew = measure.is_some();
        let depth = if finding.flaky { Depth::Flaky } else { Depth::Minimal };
        let Some(variant) = self.prober.make(&Choices::new())? else { return Ok(()) };
        let judged =
            Judged { outcome: finding.outcome, digest: None, message: finding.message.clone() };
        let trial = Trial { variant, judged };
        let subject = self.prober.subject;
        let got = measure.cloned();
        let mut cause = Cause::of(subject, self.client, trial, Choices::new(), depth, got);
        cause.count = 1;
        self.causes.push(cause);
        Ok(())
    }

    /// Keeps a finding as it is, with others like it.
    fn put_by(&mut self, row: &Row, outcome: Outcome, depth: Depth) {
        let like = |c: &&mut Cause| c.outcome == outcome && c.depth == depth;
        let known = self.causes.iter_mut().find(like);
        let better = |c: &Cause| {
            (row.info.class, row.info.choices.len(), row.info.size)
                < (c.class, c.choices.len(), c.file.len())
        };
        match known {
            Some(known) if !better(known) => known.count += 1,
            known => {
                let mut new = as_is(self.prober.subject, self.client, row, depth);
                new.outcome = outcome;
                match known {
                    Some(known) => *known = Cause { count: known.count + 1, ..new },
                    None => self.causes.push(new),
                }
            }
        }
    }
}

/// A finding that was not reduced.
fn as_is(subject: &dyn Subject, client: usize, row: &Row, depth: Depth) -> Cause {
    let Info { class, choices, .. } = &*row.info;
    // Made before, so it can be made again; if not, the report has no file for it.
    let file = replay(subject, choices).map(|v| v.bytes).unwrap_or_default();
    Cause {
        client,
        outcome: row.outcome(),
        depth,
        dimensions: Vec::new(),
        examples: Vec::new(),
        values: Vec::new(),
        fine: Vec::new(),
        passed: Vec::new(),
        edges: Vec::new(),
        count: 1,
        class: *class,
        choices: choices.clone(),
        follows: Choices::new(),
        file,
        got: None,
        message: row.judged.message.clone(),
        small: None,
    }
}
