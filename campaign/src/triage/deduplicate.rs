//! Deduplication: attributes each finding of a client to known causes, or reduces it to a new one.

mod kept;

use inverter::solve::Choices;

use super::canonicalize::Canonicalizer;
use super::dependence::Dependence;
use super::implied::with_tags;
use super::met::{self, Met, Waiting};
use super::minimize::{Reduced, first_sets, minimal_choices};
use super::test_oracle::{Confirmation, ReduceError, TestOracle};
use crate::oracle::{self, Outcome, Signature};
use crate::records::{
    Baseline, Cause, ClientId, Depth, GIVEN, Judgment, Purpose, ReencodedSeed, Row, RunCount,
    Trial, WholeFile,
};
use clients::message::shape;
use equivalents::subject::{Class, Variant};

/// The maximum number of irreproducible crashes, distinguished by their messages.
const MAX_FLAKY_CRASHES: usize = 4;

/// The maximum number of reductions of hangs, and of slow files, because each run takes up to a whole time limit.
const MAX_HANG_REDUCTIONS: usize = 3;

/// The maximum number of checks, per allowed reduction, that known causes explain a finding
/// completely.
const CHECKS_PER_REDUCTION: usize = 5;

/// The maximum number of such checks that hang.
const MAX_HANGING_CHECKS: usize = 8;

/// The maximum number of reductions of findings that other reductions met.
const MAX_MET_REDUCTIONS: usize = 100;

/// The number of findings whose checks are prefetched at once.
const PREFETCHED: usize = 8;

/// The triage of one client's findings.
pub struct Triage<'a> {
    /// The test function.
    pub oracle: TestOracle<'a>,
    /// The causes so far.
    pub causes: Vec<Cause>,
    client: ClientId,
    dependence: &'a Dependence<'a>,
    /// The seed file, if it is a variant.
    given: Option<&'a Variant>,
    /// The maximum number of reductions of one outcome.
    reductions: usize,
    /// The number of reductions of each outcome.
    reduced: [usize; Outcome::COUNT],
    /// The number of checks that known causes explain a finding, and of those that hung.
    checks: usize,
    hanging_checks: usize,
    /// The number of upcoming findings already prefetched against the current causes.
    prefetched: usize,
    /// The findings that reductions met on their way.
    waiting: Waiting,
    /// True if variants are compared with the re-encoded seed, so that a difference between that and the seed does not
    /// explain any variant.
    reencoded_reference: bool,
}

/// The result of looking for the cause of a finding.
enum Search {
    /// The cause was added.
    Found,
    /// The maximum number of reductions was reached.
    LimitReached,
    /// Two runs on the same file disagreed; `None` if there is no such file.
    Flaky(Option<Box<Unsteady>>),
}

/// A file on which two runs disagreed.
struct Unsteady {
    trial: Trial,
    choices: Choices,
    judgments: Vec<Judgment>,
}

/// Returns true if a failure with this signature resembles `cause`, which all files show; other properties of the
/// message do not matter.
fn is_as_on_base(cause: &Cause, signature: Signature) -> bool {
    cause.signature().without_words().resembles(signature.without_words())
}

/// The result of a search whose second run on a file disagreed.
fn flaky(trial: Trial, choices: &Choices, again: Judgment) -> Search {
    let judgments = vec![trial.judgment.clone(), again];
    Search::Flaky(Some(Box::new(Unsteady { trial, choices: choices.clone(), judgments })))
}

impl<'a> Triage<'a> {
    /// A triage without findings.
    pub fn new(
        oracle: TestOracle<'a>,
        client: ClientId,
        dependence: &'a Dependence<'a>,
        given: Option<&'a Variant>,
        reductions: usize,
    ) -> Self {
        Self {
            oracle,
            causes: Vec::new(),
            client,
            dependence,
            given,
            reductions,
            reduced: [0; Outcome::COUNT],
            checks: 0,
            hanging_checks: 0,
            prefetched: 0,
            waiting: Waiting::default(),
            reencoded_reference: false,
        }
    }

    /// Adds findings outside the plan, which are explained last.
    pub fn add_outside(&mut self, rows: impl IntoIterator<Item = Row>) {
        self.waiting.extend(rows);
    }

    /// Explains findings, each by known causes or by a new one, and then those that reductions met. If the client
    /// cannot be run any more, or the reduction ends, findings are kept unreduced. `done` is called after each finding
    /// with the number of causes that it added.
    pub fn explain_all(&mut self, findings: &[&Row], done: &dyn Fn(usize)) {
        let mut over = false;
        for (k, row) in findings.iter().enumerate() {
            if over {
                self.keep_unreduced(row, Depth::Not, 1);
                done(0);
                continue;
            }
            self.prefetch(&findings[k..]);
            let causes = self.causes.len();
            if self.explain(row).is_err() {
                over = true;
                self.keep_unreduced(row, Depth::Not, 1);
            }
            let stale = self.causes.len() != causes;
            self.prefetched = if stale { 0 } else { self.prefetched.saturating_sub(1) };
            done(self.causes.len().saturating_sub(causes));
        }
        self.explain_met(over);
        self.absorb();
    }

    /// Removes causes whose choices contain those of a smaller one that explains them but was found later, because the
    /// further choices only change the kind of difference.
    fn absorb(&mut self) {
        let subject = self.oracle.subject;
        for place in (0..self.causes.len()).rev() {
            let cause = &self.causes[place];
            let explains = |smaller: &Cause| {
                let has = |example: &Choices| {
                    let class = |(d, v): (&str, &_)| (d.to_owned(), subject.value_class(d, v));
                    smaller.is_in(subject, &example.iter().map(class).collect::<Vec<_>>())
                };
                !smaller.dimensions.is_empty()
                    && smaller.dimensions.len() < cause.dimensions.len()
                    && smaller.signature().explains(cause.signature())
                    && cause.examples.iter().all(has)
            };
            let reason = self.causes.iter().position(explains);
            if let Some(reason) = reason.filter(|_| cause.depth <= Depth::Partly) {
                self.causes[reason].count += self.causes[place].count;
                self.causes.remove(place);
            }
        }
    }

    /// Explains the findings that reductions met, which do not count for any variant of the plan.
    fn explain_met(&mut self, mut over: bool) {
        let mut left = MAX_MET_REDUCTIONS;
        while let Some(row) = self.waiting.next() {
            if !self.reasons(&self.contained_in(&row), row.signature()).is_empty() {
                continue;
            }
            if over || left == 0 || self.explain_anew(&row, 0).is_err() {
                over |= left > 0;
                self.keep_unreduced(&row, Depth::Not, 0);
            }
            left = left.saturating_sub(1);
        }
    }

    /// Runs the checks of the next findings in parallel. This affects only speed, because the runs depend on the
    /// findings and not on the number of threads.
    fn prefetch(&mut self, findings: &[&Row]) {
        if self.prefetched > 0 || self.hanging_checks > 0 {
            return;
        }
        let next = &findings[..findings.len().min(PREFETCHED)];
        self.prefetched = next.len();
        let rests: Vec<Choices> = next
            .iter()
            .filter(|row| row.outcome() != Outcome::Hang)
            .filter_map(|row| {
                let known = self.contained_in(row);
                let has_reason = !self.reasons(&known, row.signature()).is_empty();
                self.without_causes(&known, row).filter(|_| has_reason)
            })
            .collect();
        if rests.len() > 1 && !self.checks_used_up() {
            self.oracle.prefetch(&rests, Purpose::Reduce);
        }
    }

    /// Returns the indices of the causes whose choices a finding contains.
    fn contained_in(&self, row: &Row) -> Vec<usize> {
        let subject = self.oracle.subject;
        (0..self.causes.len())
            .filter(|k| self.causes[*k].is_in(subject, &row.info.varied))
            .filter(|k| !self.causes[*k].dimensions.is_empty() || self.explains_all(*k, row))
            .collect()
    }

    /// Returns true if the cause without dimensions explains `row`, because all files have that outcome.
    fn explains_all(&self, cause: usize, row: &Row) -> bool {
        !self.reencoded_reference && is_as_on_base(&self.causes[cause], row.signature())
    }

    /// Returns the cause without dimensions that has this signature: the client shows it on the file from which
    /// variants derive, so no dimension is needed for it.
    fn cause_of_base(&self, signature: Signature) -> Option<usize> {
        let is_of_base = |c: &Cause| {
            c.dimensions.is_empty() && c.depth == Depth::Minimal && c.whole == self.whole()
        };
        let shows = |c: &Cause| is_of_base(c) && is_as_on_base(c, signature);
        self.causes.iter().position(shows).filter(|_| !self.reencoded_reference)
    }

    fn explain(&mut self, row: &Row) -> Result<(), ReduceError> {
        if row.variant == GIVEN
            && let Some(given) = self.given
            && self.oracle.test(&row.info.choices, Purpose::Reduce)?.is_none_or(|trial| {
                trial.judgment.signature() != row.signature() && trial.variant.bytes != given.bytes
            })
        {
            return self.keep_seed_itself(row, given);
        }
        let known = self.contained_in(row);
        let reasons = self.reasons(&known, row.signature());
        if reasons.is_empty() {
            return self.explain_anew(row, 1);
        }
        if let Some(rest) = self.unexplained(&known, row)? {
            self.explain_anew(&rest, 1)?;
        }
        self.credit(&reasons, row);
        Ok(())
    }

    /// Returns the causes among `known` that may be the reason for a finding with this signature.
    fn reasons(&self, known: &[usize], signature: Signature) -> Vec<usize> {
        let is_reason = |k: &usize| self.causes[*k].signature().explains(signature);
        known.iter().copied().filter(is_reason).collect()
    }

    /// Reduces a finding that no known cause explains. It counts for `count` variants. All its choices may be needed,
    /// including those of causes with another outcome.
    fn explain_anew(&mut self, row: &Row, count: usize) -> Result<(), ReduceError> {
        let signature = row.signature();
        // A row outside the plan belongs to no variant, so it counts for none.
        let kept = if met::is_outside(row) { 0 } else { count };
        match self.search(&row.info.choices, signature, count)? {
            Search::Found => self.look_for_another(signature, row),
            Search::LimitReached => {
                self.keep_unreduced(row, Depth::Not, kept);
                Ok(())
            }
            // A cost that five runs do not confirm is noise.
            Search::Flaky(_) if signature.outcome.is_cost() => Ok(()),
            Search::Flaky(unsteady) => self.keep_flaky(row, unsteady.as_deref(), kept),
        }
    }

    /// Looks for a second cause of a finding whose kind of difference was not that of its first cause, because several
    /// faults may coincide.
    fn look_for_another(&mut self, signature: Signature, row: &Row) -> Result<(), ReduceError> {
        let known = self.contained_in(row);
        if known.iter().any(|k| self.causes[*k].signature().resembles(signature)) {
            return Ok(());
        }
        match self.unexplained(&known, row)? {
            Some(rest) => self.explain_anew(&rest, 1),
            None => Ok(()),
        }
    }

    /// Reduces `choices`, which had this signature, to a cause. The finding is confirmed before the reduction, so that
    /// no time is lost on a flaky one, and the result afterwards, because the reduced set is another file. The cause
    /// counts for `count` variants.
    fn search(
        &mut self,
        choices: &Choices,
        signature: Signature,
        count: usize,
    ) -> Result<Search, ReduceError> {
        let oracle = self.oracle;
        let Some(trial) = oracle.test(choices, Purpose::Reduce)? else {
            return Ok(Search::Flaky(None));
        };
        let outcome = signature.outcome;
        let is_long = matches!(outcome, Outcome::Hang | Outcome::Slow);
        let most = if is_long { MAX_HANG_REDUCTIONS } else { self.reductions };
        let limit_reached = self.reduced[outcome.rank()] >= most;
        let confirmation = std::thread::scope(|scope| {
            // Meanwhile, the first sets of the reduction are tested in advance.
            if !limit_reached && outcome != Outcome::Hang {
                scope.spawn(|| oracle.speculate(&first_sets(choices), Purpose::Reduce));
            }
            oracle.confirm(&trial, choices)
        })?;
        if trial.judgment.signature() != signature || !confirmation.agrees {
            return Ok(flaky(trial, choices, confirmation.judgment));
        }
        if limit_reached {
            return Ok(Search::LimitReached);
        }
        self.reduced[outcome.rank()] += 1;
        let mut met = Met::new(oracle.subject, self.client);
        let Some(reduced) = minimal_choices(oracle, choices, signature, &mut met)? else {
            return Ok(flaky(trial, choices, confirmation.judgment));
        };
        let signature = reduced.trial.judgment.signature();
        let canonicalizer = Canonicalizer::new(oracle, signature, self.dependence);
        let reduced = canonicalizer.canonical(reduced, &mut met)?;
        self.keep_met(met);
        let reduced = with_tags(oracle, reduced)?;
        let same_file = reduced.trial.variant.bytes == trial.variant.bytes;
        let confirmation = match same_file {
            true => confirmation,
            false => oracle.confirm(&reduced.trial, &reduced.choices)?,
        };
        if !confirmation.agrees {
            return Ok(flaky(reduced.trial, &reduced.choices, confirmation.judgment));
        }
        if let Some(base) = self.cause_of_base(reduced.trial.judgment.signature()) {
            self.causes[base].count += count;
            return Ok(Search::Found);
        }
        let Reduced { trial, choices, minimal } = reduced;
        let depth = if minimal { Depth::Minimal } else { Depth::Partly };
        self.merge(trial, choices, depth, confirmation, count);
        Ok(Search::Found)
    }

    /// Keeps the findings of a reduction that no known cause explains.
    fn keep_met(&mut self, met: Met<'_>) {
        let mut rows = met.into_rows();
        rows.retain(|row| self.reasons(&self.contained_in(row), row.signature()).is_empty());
        self.waiting.extend(rows);
    }

    /// Returns a finding's choices without those of its known causes; `None` if that is the same
    /// set, or an empty one.
    fn without_causes(&self, known: &[usize], row: &Row) -> Option<Choices> {
        let mut rest = row.info.choices.clone();
        for cause in known {
            for dimension in &self.causes[*cause].dimensions {
                rest.remove(dimension);
            }
        }
        (!rest.is_empty() && rest.len() != row.info.choices.len()).then_some(rest)
    }

    fn checks_used_up(&self) -> bool {
        self.checks >= CHECKS_PER_REDUCTION * self.reductions
            || self.hanging_checks >= MAX_HANGING_CHECKS
    }

    /// Returns the finding that remains without one of its known causes; `None` if there is no difference then, or one
    /// that is also explained.
    fn unexplained(&mut self, known: &[usize], row: &Row) -> Result<Option<Row>, ReduceError> {
        let Some(rest) = self.without_causes(known, row).filter(|_| !self.checks_used_up()) else {
            return Ok(None);
        };
        self.checks += 1;
        let Some(trial) = self.oracle.test(&rest, Purpose::Reduce)? else { return Ok(None) };
        let rest = met::row(self.oracle.subject, self.client, &rest, &trial);
        self.hanging_checks += usize::from(rest.outcome() == Outcome::Hang);
        let is_open = rest.outcome().is_difference()
            && self.cause_of_base(rest.signature()).is_none()
            && self.reasons(&self.contained_in(&rest), rest.signature()).is_empty();
        Ok(is_open.then_some(rest))
    }

    /// Counts a finding for the one of its `reasons` that fits it best.
    fn credit(&mut self, reasons: &[usize], row: &Row) {
        let fits = |k: &&usize| self.causes[**k].signature().resembles(row.signature());
        let Some(&best) = reasons.iter().find(fits).or(reasons.first()) else { return };
        let cause = &mut self.causes[best];
        cause.count += 1;
        // A finding with no other choices is another example of the cause.
        let alone = row.info.choices.len() == cause.dimensions.len();
        if alone && cause.signature().resembles(row.signature()) {
            cause.add_kind(row.judgment.difference);
            cause.add_example(&row.info.choices);
        }
    }

    /// Adds a reduced finding to the cause with the same dimensions and a similar signature, or as a new one.
    /// `confirmation` is for the file of `trial`.
    pub fn merge(
        &mut self,
        trial: Trial,
        choices: Choices,
        depth: Depth,
        confirmation: Confirmation,
        count: usize,
    ) {
        let subject = self.oracle.subject;
        let Confirmation { judgment, picture, varies, .. } = confirmation;
        let shown = (picture, judgment.message);
        let mut new = Cause::of(subject, self.client, trial, choices, depth, shown);
        (new.count, new.varies) = (count, varies);
        let like = |c: &&mut Cause| {
            c.signature().resembles(new.signature())
                && c.dimensions == new.dimensions
                && c.states_limit() == new.states_limit()
                && c.depth <= Depth::Partly
        };
        match self.causes.iter_mut().find(like) {
            None => self.causes.push(new),
            Some(known) => {
                known.count += count;
                known.depth = known.depth.min(depth);
                known.add_example(&new.choices);
                known.add_kind(new.difference);
                known.varies |= new.varies;
                if new.cost() < known.cost() {
                    let examples = std::mem::take(&mut known.examples);
                    let Cause { count, depth, difference, varies, .. } = *known;
                    *known = Cause { examples, count, depth, difference, varies, ..new };
                }
            }
        }
    }

    /// Adds the difference on the re-encoded seed as a cause without choices. If the client shows a picture of that
    /// file, variants are compared with it, so other causes may exist.
    pub fn add_reencoded_seed(&mut self, finding: &ReencodedSeed, baseline: &Baseline) {
        let reference = baseline.reencoded.as_ref();
        let got = finding.got.as_ref().or(reference);
        self.reencoded_reference = reference.is_some();
        let depth = if finding.flaky { Depth::Flaky } else { Depth::Minimal };
        let Some(variant) = self.oracle.replay(&Choices::new()) else { return };
        let judgment = Judgment {
            outcome: finding.outcome,
            difference: got.map(|got| oracle::classify(&baseline.seed, got)),
            digest: None,
            message: finding.message.clone(),
            worker: None,
            spent: None,
        };
        let trial = Trial { variant, judgment };
        let (subject, shown) = (self.oracle.subject, (got.cloned(), String::new()));
        let mut cause = Cause::of(subject, self.client, trial, Choices::new(), depth, shown);
        cause.count = 1;
        cause.whole = self.whole();
        self.causes.push(cause);
    }

    /// Returns the file that variants derive from.
    fn whole(&self) -> WholeFile {
        if self.given.is_some() { WholeFile::Plainest } else { WholeFile::Reencoded }
    }
}
