//! Simpler values for the choices of a cause, and the boundary at which numbers begin to fail.

use equivalents::reduce::{Found, Verdict, nearest_failing, simpler_list};
use inverter::solve::{Choice, Choices};

use super::minimize::redundant;
use super::test_oracle::{ReduceError, TestOracle};
use crate::oracle::{Outcome, Signature};
use crate::records::{Boundary, Purpose, Trial};

/// The maximum number of runs for one value.
const MAX_RUNS: usize = 24;

/// The maximum number of runs for one value if each run hangs until its time limit.
const MAX_HANGING_RUNS: usize = 3;

/// Choices with simpler values.
#[derive(Debug, Clone)]
pub struct Simplified {
    /// The choices, of the same dimensions as before.
    pub choices: Choices,
    /// Their variant.
    pub trial: Trial,
    /// The boundaries that were found.
    pub boundaries: Vec<(String, Boundary)>,
}

/// Searches for simpler values with which one set of choices still has the same signature.
pub struct Simplifier<'a> {
    /// The test function.
    pub oracle: TestOracle<'a>,
    /// The signature to preserve.
    pub signature: Signature,
    /// Every set that was tested, with the verdict.
    pub tried: Vec<(Choices, Verdict)>,
}

impl Simplifier<'_> {
    /// Simplifies the values of 1-minimal `choices`, whose variant is `trial`, in the dimensions that `fit` accepts.
    /// The result is also 1-minimal.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`] except [`ReduceError::Stopped`], which only cuts the search short.
    pub fn simplify(
        &mut self,
        choices: &Choices,
        trial: Trial,
        fit: &dyn Fn(&str) -> bool,
    ) -> Result<Simplified, ReduceError> {
        let mut best = Simplified { choices: choices.clone(), trial, boundaries: Vec::new() };
        let names: Vec<String> = choices.iter().map(|(d, _)| d.to_owned()).collect();
        for dimension in names.iter().filter(|d| fit(d)) {
            match self.simplify_one(&best, dimension) {
                Ok(simpler) => best = simpler,
                Err(ReduceError::Stopped) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(best)
    }

    fn simplify_one(
        &mut self,
        from: &Simplified,
        dimension: &str,
    ) -> Result<Simplified, ReduceError> {
        let Some(value) = from.choices.get(dimension).cloned() else { return Ok(from.clone()) };
        let own = self.oracle.subject.own_choices().get(dimension).cloned();
        let most =
            if self.signature.outcome == Outcome::Hang { MAX_HANGING_RUNS } else { MAX_RUNS };
        let mut search =
            ValueSearch { simplifier: self, from, dimension, left: most, best: None, error: None };
        let boundary = match (value, own) {
            (Choice::Int(n), Some(Choice::Int(own))) if n != own => {
                let found = search.integer(own, n);
                search.is_boundary(found, n).then_some(if own < n {
                    Boundary::From(found.value)
                } else {
                    Boundary::UpTo(found.value)
                })
            }
            (Choice::List(items), own) => {
                simpler_list(&items, own.as_ref(), most, &mut |list| search.candidate(list));
                None
            }
            _ => None,
        };
        let (found, error) = (search.best.take(), search.error.take());
        if let Some(error) = error {
            return Err(error);
        }
        let mut simpler = from.clone();
        if let Some((choices, trial)) = found {
            let signature = trial.judgment.signature();
            if redundant(self.oracle, &choices, signature, Purpose::Simplify)?.is_some() {
                return Ok(simpler);
            }
            (simpler.choices, simpler.trial) = (choices, trial);
        }
        simpler.boundaries.extend(boundary.map(|boundary| (dimension.to_owned(), boundary)));
        Ok(simpler)
    }

    fn test(&mut self, choices: &Choices) -> Result<(Verdict, Option<Trial>), ReduceError> {
        let trial = self.oracle.test(choices, Purpose::Simplify)?;
        let verdict = match trial.as_ref().map(|t| t.judgment.signature()) {
            Some(signature) if self.signature.varies_to(signature) => Verdict::Fails,
            Some(Signature::SAME) => Verdict::Passes,
            _ => Verdict::Unknown,
        };
        self.tried.push((choices.clone(), verdict));
        Ok((verdict, trial))
    }
}

/// A bounded search among the values of one dimension.
struct ValueSearch<'t, 'a> {
    simplifier: &'t mut Simplifier<'a>,
    from: &'t Simplified,
    dimension: &'t str,
    /// The number of runs that are left.
    left: usize,
    /// The last candidate that failed.
    best: Option<(Choices, Trial)>,
    error: Option<ReduceError>,
}

impl ValueSearch<'_, '_> {
    /// Tests a candidate. If it fails, it is the best so far.
    fn candidate(&mut self, value: Choice) -> Verdict {
        let (verdict, found) = self.test(value);
        if verdict == Verdict::Fails {
            self.best = found.or(self.best.take());
        }
        verdict
    }

    fn test(&mut self, value: Choice) -> (Verdict, Option<(Choices, Trial)>) {
        if self.left == 0 || self.error.is_some() {
            return (Verdict::Unknown, None);
        }
        self.left -= 1;
        let mut choices = self.from.choices.clone();
        choices.set(self.dimension, value);
        match self.simplifier.test(&choices) {
            Ok((verdict, trial)) => (verdict, trial.map(|trial| (choices, trial))),
            Err(error) => {
                self.error = Some(error);
                (Verdict::Unknown, None)
            }
        }
    }

    /// Finds the failing number nearest to `passing`.
    fn integer(&mut self, passing: i128, failing: i128) -> Found {
        // Reserve two runs for `is_boundary`.
        let most = self.left.saturating_sub(2);
        nearest_failing(passing, failing, most, &mut |n| self.candidate(Choice::Int(n)))
    }

    /// Returns true if the numbers between the boundary and `failing` fail, as far as two samples
    /// show.
    fn is_boundary(&mut self, found: Found, failing: i128) -> bool {
        let beyond = found.value + (failing - found.value).signum();
        let between = found.value + (failing - found.value) / 2;
        let known = |n: i128| n == found.value || n == failing;
        found.edge
            && [beyond, between]
                .into_iter()
                .all(|n| known(n) || self.test(Choice::Int(n)).0 == Verdict::Fails)
    }
}
