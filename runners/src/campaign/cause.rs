//! From findings to causes: reduction, what is already explained, and merging.

use inverter::solve::{Choices, Value};
use tiff_harness::Picture;

use super::baseline::Anew;
use super::execute::{Info, Row};
use super::words;
use crate::client::Reply;
use crate::oracle::{self, Outcome};
use crate::reduce::{Prober, ReduceError, Reduced, Trial};
use crate::subject::{Class, Subject};

/// How far a cause was reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No dimension can be spared.
    Minimal,
    /// It was cut short: fewer dimensions may do.
    Partly,
    /// Not at all.
    Not,
    /// It cannot be: the client does not do the same each time.
    Flaky,
}

/// One representation dependence of one client.
#[derive(Debug, Clone)]
pub struct Cause {
    /// The client's place in the list.
    pub client: usize,
    /// What it does.
    pub outcome: Outcome,
    /// How far this is reduced.
    pub depth: Depth,
    /// The dimensions that it takes, all of them. None: the seed written anew is enough;
    /// or nothing is known, by `depth`.
    pub dimensions: Vec<String>,
    /// The choices of each example that is known to fail, simplest first.
    pub examples: Vec<Choices>,
    /// The examples in words.
    pub values: Vec<String>,
    /// Values of its one dimension that never failed.
    pub fine: Vec<String>,
    /// How many findings it explains.
    pub count: usize,
    /// The class of the kept example.
    pub class: Class,
    /// The choices of the kept example that it takes.
    pub choices: Choices,
    /// Further choices of the kept example that are not as in the seed: they follow.
    pub follows: Choices,
    /// The kept example's file.
    pub file: Vec<u8>,
    /// What the client makes of that file, if it is a picture.
    pub got: Option<Picture>,
    /// The client's own words, on the kept example.
    pub message: String,
}

impl Cause {
    /// Whether all of this cause's choices are, up to their class, among `varied`.
    fn is_in(&self, subject: &dyn Subject, varied: &[(String, String)]) -> bool {
        self.depth <= Depth::Partly
            && self.examples.iter().any(|example| {
                example.iter().all(|(dimension, value)| {
                    let class = subject.value_class(dimension, value);
                    varied.iter().any(|(d, c)| d == dimension && *c == class)
                })
            })
    }

    /// What makes one example a better one than another: class, size, simple values.
    fn cost(&self) -> impl Ord + use<> {
        let simple: usize = self.choices.iter().map(|(_, v)| words::complexity(v)).sum();
        let size = (self.follows.len(), self.file.len());
        (self.class, size, simple, words::order(&self.choices))
    }

    fn of(
        client: usize,
        trial: Trial,
        choices: Choices,
        depth: Depth,
        subject: &dyn Subject,
    ) -> Self {
        let differing = trial.variant.choices.differing_from(subject.own_choices());
        let message = oracle::message(&trial.reply).to_owned();
        Cause {
            client,
            outcome: trial.outcome,
            depth,
            dimensions: in_order(subject, &choices),
            examples: vec![choices.clone()],
            values: Vec::new(),
            fine: Vec::new(),
            count: 0,
            class: trial.variant.class,
            follows: differing.differing_from(&choices),
            choices,
            file: trial.variant.bytes,
            got: match trial.reply {
                Reply::Picture(picture) => Some(picture),
                _ => None,
            },
            message,
        }
    }
}

/// The dimensions of `choices`, in the subject's order.
fn in_order(subject: &dyn Subject, choices: &Choices) -> Vec<String> {
    let place = |name: &str| subject.dimensions().iter().position(|d| d == name);
    let mut names: Vec<String> = choices.iter().map(|(d, _)| d.to_owned()).collect();
    names.sort_by_key(|name| (place(name).unwrap_or(usize::MAX), name.clone()));
    names
}

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
            measured_anew: false,
        }
    }

    /// Explains one finding: by a known cause, or by a new one.
    ///
    /// # Errors
    ///
    /// [`ReduceError`], except that it was stopped: then the finding is kept as it is.
    pub fn explain(&mut self, row: &Row) -> Result<(), ReduceError> {
        match self.try_to_explain(row) {
            Err(ReduceError::Stopped) => {
                self.put_by(row, Depth::Not);
                Ok(())
            }
            other => other,
        }
    }

    fn try_to_explain(&mut self, row: &Row) -> Result<(), ReduceError> {
        if row.flaky {
            self.put_by(row, Depth::Flaky);
            return Ok(());
        }
        let subject = self.prober.subject;
        let known: Vec<usize> = (0..self.causes.len())
            .filter(|k| self.causes[*k].is_in(subject, &row.info.varied))
            .filter(|k| !(self.measured_anew && self.causes[*k].dimensions.is_empty()))
            .collect();
        let (mut outcome, mut choices) = (row.outcome, row.info.choices.clone());
        if !known.is_empty() {
            let Some((other, rest)) = self.beyond(&known, row)? else {
                self.credit(&known, row);
                return Ok(());
            };
            (outcome, choices) = (other, rest);
        }
        let most = if outcome == Outcome::Hang { HANG_REDUCTIONS } else { self.reductions };
        if self.spent[outcome.rank()] >= most {
            if known.is_empty() {
                self.put_by(row, Depth::Not);
            } else {
                self.credit(&known, row);
            }
            return Ok(());
        }
        self.spent[outcome.rank()] += 1;
        match self.prober.reduce(&choices, outcome)? {
            Some(reduced) => self.add(reduced),
            // Not with the same choices made again.
            None if known.is_empty() => self.put_by(row, Depth::Flaky),
            None => {}
        }
        if !known.is_empty() {
            self.credit(&known, row);
        }
        Ok(())
    }

    /// What is still wrong with a finding once its known causes are taken out.
    fn beyond(
        &mut self,
        known: &[usize],
        row: &Row,
    ) -> Result<Option<(Outcome, Choices)>, ReduceError> {
        let mut rest = row.info.choices.clone();
        for cause in known {
            for dimension in &self.causes[*cause].dimensions {
                rest.remove(dimension);
            }
        }
        let untouched = rest.len() == row.info.choices.len();
        let spent = self.checks >= CHECKS * self.reductions || self.hung >= HANGING_CHECKS;
        if rest.is_empty() || untouched || spent {
            return Ok(None);
        }
        self.checks += 1;
        let trial = self.prober.probe(&rest)?;
        self.hung += usize::from(trial.as_ref().is_some_and(|t| t.outcome == Outcome::Hang));
        Ok(trial.filter(|t| t.outcome.is_difference()).map(|t| (t.outcome, rest)))
    }

    /// Counts a finding for the known cause that fits it best.
    fn credit(&mut self, known: &[usize], row: &Row) {
        let fits = |k: &&usize| self.causes[**k].outcome == row.outcome;
        let Some(&best) = known.iter().find(fits).or(known.first()) else { return };
        let cause = &mut self.causes[best];
        cause.count += 1;
        // A finding that is nothing but this cause is one more example of it.
        let alone = row.info.choices.len() == cause.dimensions.len();
        if alone && cause.outcome == row.outcome && !cause.examples.contains(&row.info.choices) {
            cause.examples.push(row.info.choices.clone());
        }
    }

    fn add(&mut self, reduced: Reduced) {
        let depth = if reduced.minimal { Depth::Minimal } else { Depth::Partly };
        let subject = self.prober.subject;
        let mut new = Cause::of(self.client, reduced.trial, reduced.choices, depth, subject);
        new.count = 1;
        let like = |c: &&mut Cause| {
            c.outcome == new.outcome && c.dimensions == new.dimensions && c.depth <= Depth::Partly
        };
        match self.causes.iter_mut().find(like) {
            None => self.causes.push(new),
            Some(known) => {
                known.count += 1;
                known.depth = known.depth.min(depth);
                let examples = std::mem::take(&mut new.examples);
                for example in examples {
                    if !known.examples.contains(&example) {
                        known.examples.push(example);
                    }
                }
                if new.cost() < known.cost() {
                    let (examples, count) = (std::mem::take(&mut known.examples), known.count);
                    *known = Cause { examples, count, depth: known.depth, ..new };
                }
            }
        }
    }

    /// The seed written anew, without any change, is a difference already; if it is the
    /// `measure` of the variants, there may be others.
    ///
    /// # Errors
    ///
    /// [`ReduceError`].
    pub fn anew(&mut self, finding: &Anew, measure: bool) -> Result<(), ReduceError> {
        self.measured_anew = measure;
        let depth = if finding.flaky { Depth::Flaky } else { Depth::Minimal };
        let Some(trial) = self.prober.probe(&Choices::new())? else { return Ok(()) };
        let subject = self.prober.subject;
        let mut cause = Cause::of(self.client, trial, Choices::new(), depth, subject);
        // Compared with the seed, not with what is now the measure of the rest.
        cause.outcome = finding.outcome;
        cause.message.clone_from(&finding.message);
        cause.count = 1;
        self.causes.push(cause);
        Ok(())
    }

    /// Keeps a finding as it is, with others like it.
    pub fn put_by(&mut self, row: &Row, depth: Depth) {
        let like = |c: &&mut Cause| c.outcome == row.outcome && c.depth == depth;
        let known = self.causes.iter_mut().find(like);
        let better = |c: &Cause| {
            (row.info.class, row.info.choices.len(), row.info.size)
                < (c.class, c.choices.len(), c.file.len())
        };
        match known {
            Some(known) if !better(known) => known.count += 1,
            known => {
                let new = as_is(self.prober.subject, self.client, row, depth);
                match known {
                    Some(known) => *known = Cause { count: known.count + 1, ..new },
                    None => self.causes.push(new),
                }
            }
        }
    }

    /// The causes, with their values in words; `rows` are all rows of the client.
    pub fn finish(self, rows: &[&Row]) -> Vec<Cause> {
        let subject = self.prober.subject;
        let mut causes = self.causes;
        for cause in &mut causes {
            cause.examples.sort_by_cached_key(words::order);
            if cause.depth > Depth::Partly {
                continue;
            }
            if let [dimension] = &cause.dimensions[..] {
                let same = rows.iter().filter(|r| r.outcome == Outcome::Same);
                let mut fine: Vec<&Value> =
                    same.filter_map(|r| r.info.choices.get(dimension)).collect();
                fine.sort_by_cached_key(|v| words::value_order(v));
                let failing: Vec<&Value> =
                    cause.examples.iter().filter_map(|c| c.get(dimension)).collect();
                cause.values = words::labels(subject, dimension, &failing, &fine);
                cause.fine = words::labels(subject, dimension, &fine, &failing);
                cause.fine.retain(|label| !cause.values.contains(label));
            } else {
                cause.values = words::combinations(subject, &cause.dimensions, &cause.examples);
            }
        }
        causes
    }
}

/// A finding that was not reduced.
fn as_is(subject: &dyn Subject, client: usize, row: &Row, depth: Depth) -> Cause {
    let Info { class, choices, .. } = &*row.info;
    // Made before, so it can be made again; if not, the report has no file for it.
    let file = crate::campaign::replay(subject, choices).map(|v| v.bytes).unwrap_or_default();
    Cause {
        client,
        outcome: row.outcome,
        depth,
        dimensions: Vec::new(),
        examples: Vec::new(),
        values: Vec::new(),
        fine: Vec::new(),
        count: 1,
        class: *class,
        choices: choices.clone(),
        follows: Choices::new(),
        file,
        got: None,
        message: row.message.clone(),
    }
}
