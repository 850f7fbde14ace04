//! What matters in a minimal set of choices.
//!
//! Asking for one choice may change others: tiles of a width are tiles, and more strips move
//! the directory. Delta debugging sees only what is asked for. Here a choice is replaced by
//! one that it brings along, where that alone does the same.

use equivalents::reduce::of_length;
use inverter::solve::{Choice, Choices};

use super::minimize::{Reduced, minimal};
use super::test_oracle::{Prober, ReduceError};
use crate::campaign::records::Purpose;
use crate::oracle::Outcome;
use crate::subject::Variant;

/// The most runs for one set.
const RUNS: usize = 12;

/// The most, where each may hang until its time is over.
const HANGING_RUNS: usize = 2;

/// Looks for what matters.
pub struct Essence<'a> {
    prober: Prober<'a>,
    outcome: Outcome,
    left: usize,
}

impl<'a> Essence<'a> {
    /// For one client, and what the choices come to.
    pub fn new(prober: Prober<'a>, outcome: Outcome) -> Self {
        let left = if outcome == Outcome::Hang { HANGING_RUNS } else { RUNS };
        Self { prober, outcome, left }
    }

    /// `reduced`, or a set that tells it better.
    ///
    /// # Errors
    ///
    /// [`ReduceError`], except [`ReduceError::Stopped`]: then it is as good as it got.
    pub fn of(mut self, mut reduced: Reduced) -> Result<Reduced, ReduceError> {
        loop {
            match self.better(&reduced) {
                Ok(Some(better)) => reduced = better,
                Ok(None) => return Ok(reduced),
                Err(ReduceError::Stopped) => {
                    reduced.minimal = false;
                    return Ok(reduced);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn better(&mut self, reduced: &Reduced) -> Result<Option<Reduced>, ReduceError> {
        for choices in self.replaced(reduced).into_iter().chain(self.shorter(reduced)) {
            if self.left == 0 {
                break;
            }
            // What cannot be made costs no run.
            let Some(variant) = self.prober.make(&choices)? else { continue };
            if self.rank(&variant, &choices) >= self.rank_of(reduced) {
                continue;
            }
            self.left -= 1;
            if let Some(trial) = self.prober.probe(&choices, Purpose::Reduce)?
                && trial.judged.outcome == self.outcome
            {
                return minimal(self.prober, &choices, self.outcome);
            }
        }
        Ok(None)
    }

    /// What makes one set better than another: fewer choices, fewer that the seed has
    /// nothing like, fewer differences in all.
    fn rank(&self, variant: &Variant, given: &Choices) -> (usize, usize, usize) {
        let own = self.prober.subject.own_choices();
        let new = given.iter().filter(|(dimension, _)| own.get(dimension).is_none()).count();
        (given.len(), new, variant.differing_from(own).len())
    }

    fn rank_of(&self, reduced: &Reduced) -> (usize, usize, usize) {
        self.rank(&reduced.trial.variant, &reduced.choices)
    }

    /// Sets in which one choice gives way to one that it brings along.
    fn replaced(&self, reduced: &Reduced) -> Vec<Choices> {
        let own = self.prober.subject.own_choices();
        let recorded = reduced.trial.variant.differing_from(own);
        let along = recorded.differing_from(&reduced.choices);
        let mut sets = Vec::new();
        for (dimension, _) in reduced.choices.iter() {
            // Only a change of what the seed has may be behind another.
            for (other, value) in along.iter() {
                let Some(value) = own.get(other).and_then(|own| fitted(value, own)) else {
                    continue;
                };
                let mut set = reduced.choices.clone();
                set.remove(dimension);
                set.set(other, value);
                sets.push(set);
            }
        }
        sets
    }

    /// Sets without the other choices, or without one of them, where these are needed only
    /// because a list has its length: with a list of the seed's own length.
    fn shorter(&self, reduced: &Reduced) -> Vec<Choices> {
        let own = self.prober.subject.own_choices();
        let mut sets = Vec::new();
        for (dimension, value) in reduced.choices.iter() {
            let Some(fit) = own.get(dimension).and_then(|own| fitted(value, own)) else { continue };
            if fit == *value {
                continue;
            }
            let others = || reduced.choices.iter().filter(|(d, _)| *d != dimension);
            if others().count() > 1 {
                sets.push(Choices::from_iter([(dimension.to_owned(), fit.clone())]));
            }
            for (other, _) in others() {
                let mut set = reduced.choices.clone();
                set.remove(other);
                set.set(dimension, fit.clone());
                sets.push(set);
            }
        }
        sets
    }
}

/// A value like `value` where the seed has `own`: a list gets the length of that one.
/// `None` if it is the seed's own then.
pub(super) fn fitted(value: &Choice, own: &Choice) -> Option<Choice> {
    let fit = match (value, own) {
        (Choice::List(items), Choice::List(base)) if items.len() != base.len() => {
            Choice::List(of_length(items, base.len())?)
        }
        _ => value.clone(),
    };
    (fit != *own).then_some(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_fitted_to_another_length() {
        let fit = |items: &[i128], own: &[i128]| {
            fitted(&Choice::List(items.to_vec()), &Choice::List(own.to_vec()))
        };
        assert_eq!(fit(&[1, 0, 2, 3], &[0, 1, 2]), Some(Choice::List(vec![2, 1, 0])));
        assert_eq!(fit(&[0, 7, 0], &[0, 0]), Some(Choice::List(vec![7, 7])));
        assert_eq!(fit(&[1, 0], &[0, 1]), Some(Choice::List(vec![1, 0])), "it fits as it is");
        assert_eq!(fit(&[0, 0, 0], &[0, 0]), None, "no other");
    }
}
