//! Simpler values for choices that make a difference.

use equivalents::reduce::{Found, Verdict, nearest_failing, simpler_list};
use inverter::solve::{Choice, Choices};

use super::test_oracle::{Prober, ReduceError};
use crate::campaign::records::{Edge, Purpose, Trial};
use crate::oracle::Outcome;

/// The most runs for one value.
const RUNS: usize = 24;

/// The most runs for one value where each of them hangs until its time is over.
const HANGING_RUNS: usize = 3;

/// Choices with simpler values.
#[derive(Debug, Clone)]
pub struct Simplified {
    /// The choices; the dimensions are as they were.
    pub choices: Choices,
    /// Their file.
    pub trial: Trial,
    /// Dimensions with an edge that was found.
    pub edges: Vec<(String, Edge)>,
}

/// Looks for simpler values of one set of choices that still comes to one outcome.
pub struct Simplifier<'a> {
    /// Tries choices.
    pub prober: Prober<'a>,
    /// What they must come to.
    pub outcome: Outcome,
    /// Every set that was tried, and what came of it.
    pub tried: Vec<(Choices, Verdict)>,
}

impl Simplifier<'_> {
    /// `choices`, of which none can be spared, and their file, with simpler values in the
    /// dimensions that `fit` for it; none of them can be spared then, either.
    ///
    /// # Errors
    ///
    /// [`ReduceError`], except [`ReduceError::Stopped`]: then it is as simple as it got.
    pub fn simplify(
        &mut self,
        choices: &Choices,
        trial: Trial,
        fit: &dyn Fn(&str) -> bool,
    ) -> Result<Simplified, ReduceError> {
        let mut best = Simplified { choices: choices.clone(), trial, edges: Vec::new() };
        let names: Vec<String> = choices.iter().map(|(d, _)| d.to_owned()).collect();
        for dimension in names.iter().filter(|d| fit(d)) {
            match self.one(&best, dimension) {
                Ok(simpler) => best = simpler,
                Err(ReduceError::Stopped) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(best)
    }

    fn one(&mut self, from: &Simplified, dimension: &str) -> Result<Simplified, ReduceError> {
        let Some(value) = from.choices.get(dimension).cloned() else { return Ok(from.clone()) };
        let own = self.prober.subject.own_choices().get(dimension).cloned();
        let most = if self.outcome == Outcome::Hang { HANGING_RUNS } else { RUNS };
        let mut value_of =
            Tries { all: self, from, dimension, left: most, best: None, trouble: None };
        let edge = match (value, own) {
            (Choice::Int(n), Some(Choice::Int(own))) if n != own => {
                let found = value_of.integer(own, n);
                value_of.is_edge(found, n).then_some(if own < n {
                    Edge::From(found.value)
                } else {
                    Edge::UpTo(found.value)
                })
            }
            (Choice::List(items), own) => {
                simpler_list(&items, own.as_ref(), most, &mut |list| value_of.ask(list, true));
                None
            }
            _ => None,
        };
        let (found, trouble) = (value_of.best.take(), value_of.trouble.take());
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let mut simpler = from.clone();
        if let Some((choices, trial)) = found {
            if !self.needs_all(&choices, dimension)? {
                return Ok(simpler);
            }
            (simpler.choices, simpler.trial) = (choices, trial);
        }
        simpler.edges.extend(edge.map(|edge| (dimension.to_owned(), edge)));
        Ok(simpler)
    }

    /// Whether none of the other choices can be spared now that `changed` has another value.
    fn needs_all(&mut self, choices: &Choices, changed: &str) -> Result<bool, ReduceError> {
        let others: Vec<String> =
            choices.iter().map(|(d, _)| d.to_owned()).filter(|d| d != changed).collect();
        for other in others {
            let mut fewer = choices.clone();
            fewer.remove(&other);
            if self.ask(&fewer)?.0 == Verdict::Fails {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn ask(&mut self, choices: &Choices) -> Result<(Verdict, Option<Trial>), ReduceError> {
        let trial = self.prober.probe(choices, Purpose::Simplify)?;
        let verdict = match trial.as_ref().map(|t| t.judged.outcome) {
            Some(outcome) if outcome == self.outcome => Verdict::Fails,
            Some(Outcome::Same) => Verdict::Passes,
            _ => Verdict::Unknown,
        };
        self.tried.push((choices.clone(), verdict));
        Ok((verdict, trial))
    }
}

/// Tries of one dimension's values.
struct Tries<'t, 'a> {
    all: &'t mut Simplifier<'a>,
    from: &'t Simplified,
    dimension: &'t str,
    left: usize,
    best: Option<(Choices, Trial)>,
    trouble: Option<ReduceError>,
}

impl Tries<'_, '_> {
    fn ask(&mut self, value: Choice, keep: bool) -> Verdict {
        if self.left == 0 || self.trouble.is_some() {
            return Verdict::Unknown;
        }
        self.left -= 1;
        let mut choices = self.from.choices.clone();
        choices.set(self.dimension, value);
        match self.all.ask(&choices) {
            Ok((verdict, Some(trial))) => {
                if keep && verdict == Verdict::Fails {
                    self.best = Some((choices, trial));
                }
                verdict
            }
            Ok((verdict, None)) => verdict,
            Err(error) => {
                self.trouble = Some(error);
                Verdict::Unknown
            }
        }
    }

    /// The failing number nearest to `passing`.
    fn integer(&mut self, passing: i128, failing: i128) -> Found {
        // Two are for `is_edge`.
        let most = self.left.saturating_sub(2);
        nearest_failing(passing, failing, most, &mut |n| self.ask(Choice::Int(n), true))
    }

    /// Whether what lies between the edge that was found and `failing` fails, as far as two
    /// tries can tell.
    fn is_edge(&mut self, found: Found, failing: i128) -> bool {
        let beyond = found.value + (failing - found.value).signum();
        let between = found.value + (failing - found.value) / 2;
        let known = |n: i128| n == found.value || n == failing;
        found.edge
            && [beyond, between]
                .into_iter()
                .all(|n| known(n) || self.ask(Choice::Int(n), false) == Verdict::Fails)
    }
}
