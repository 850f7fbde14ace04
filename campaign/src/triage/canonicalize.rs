//! Canonical form of a minimal set of choices.
//!
//! A requested choice may imply others: a tile width implies tiles, and more strips move the directory. Delta debugging
//! sees only requested choices. Here a choice is replaced by one that it implies, if that alone has the same signature.
//! If two choices imply each other, such as a number and a checksum over it, the one that [does not follow](Dependence)
//! from the other is kept.

use equivalents::reduce::of_length;
use inverter::solve::{Choice, Choices};

use super::dependence::Dependence;
use super::met::Met;
use super::minimize::{Reduced, minimal_choices};
use super::test_oracle::{ReduceError, TestOracle};
use crate::oracle::{Outcome, Signature};
use crate::records::Purpose;
use equivalents::subject::Variant;

/// The maximum number of runs for one set.
const MAX_RUNS: usize = 12;

/// The maximum number of runs if each run may hang until its time limit.
const MAX_HANGING_RUNS: usize = 2;

/// Searches for the canonical form.
pub struct Canonicalizer<'a> {
    oracle: TestOracle<'a>,
    signature: Signature,
    dependence: &'a Dependence<'a>,
    /// The number of runs that may still be made.
    left: usize,
}

impl<'a> Canonicalizer<'a> {
    /// A search with one client, for choices with this signature.
    pub fn new(
        oracle: TestOracle<'a>,
        signature: Signature,
        dependence: &'a Dependence<'a>,
    ) -> Self {
        let hangs = signature.outcome == Outcome::Hang;
        let left = if hangs { MAX_HANGING_RUNS } else { MAX_RUNS };
        Self { oracle, signature, dependence, left }
    }

    /// Returns `reduced`, or an equivalent set with a lower rank. Other failures are added to `met`.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`] except [`ReduceError::Stopped`], which only cuts the search short.
    pub fn canonical(
        mut self,
        mut reduced: Reduced,
        met: &mut Met<'_>,
    ) -> Result<Reduced, ReduceError> {
        loop {
            match self.improved(&reduced, met) {
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

    fn improved(
        &mut self,
        reduced: &Reduced,
        met: &mut Met<'_>,
    ) -> Result<Option<Reduced>, ReduceError> {
        let mut lower: Vec<Choices> = Vec::new();
        for choices in self.replaced(reduced).into_iter().chain(self.shortened(reduced)) {
            if lower.len() == self.left {
                break;
            }
            // Choices without a variant cost no run.
            let Some(variant) = self.oracle.replay(&choices) else { continue };
            let (rank, now) = (self.rank(&variant, &choices), self.rank_of(reduced));
            if rank < now || (rank == now && self.is_followed(&choices, &reduced.choices)) {
                lower.push(choices);
            }
        }
        if self.signature.outcome != Outcome::Hang {
            self.oracle.speculate(&lower, Purpose::Reduce);
        }
        for choices in lower {
            self.left -= 1;
            let Some(trial) = self.oracle.test(&choices, Purpose::Reduce)? else { continue };
            if self.signature.allows(trial.judgment.signature()) {
                return minimal_choices(self.oracle, &choices, self.signature, met);
            }
            met.add(self.signature, &choices, &trial);
        }
        Ok(None)
    }

    /// Returns the rank of a set, lowest first: the number of choices, of those for which the seed has no value, of
    /// those on which no reader branches, and of all differences from the seed. A reader branches on `bits = 32`, from
    /// which `length = 140` follows.
    fn rank(&self, variant: &Variant, requested: &Choices) -> (usize, usize, usize, usize) {
        let own = self.oracle.subject.own_choices();
        let new = requested.iter().filter(|(dimension, _)| own.get(dimension).is_none()).count();
        let decides =
            |(dimension, value): &(&str, &Choice)| self.oracle.subject.decides(dimension, value);
        let follow = requested.iter().filter(|choice| !decides(choice)).count();
        (requested.len(), new, follow, variant.differing_from(own).len())
    }

    /// Returns true if the choice of `before` that was replaced follows from its replacement in `requested`.
    fn is_followed(&self, requested: &Choices, before: &Choices) -> bool {
        let only_in = |one: &Choices, other: &Choices| -> Option<String> {
            one.iter().map(|(name, _)| name).find(|n| other.get(n).is_none()).map(str::to_owned)
        };
        match (only_in(before, requested), only_in(requested, before)) {
            (Some(old), Some(new)) => self.dependence.follows(&old, &new),
            _ => false,
        }
    }

    fn rank_of(&self, reduced: &Reduced) -> (usize, usize, usize, usize) {
        self.rank(&reduced.trial.variant, &reduced.choices)
    }

    /// Returns the sets in which one choice is replaced by one that it implies.
    fn replaced(&self, reduced: &Reduced) -> Vec<Choices> {
        let own = self.oracle.subject.own_choices();
        let recorded = reduced.trial.variant.differing_from(own);
        let implied = recorded.differing_from(&reduced.choices);
        let mut sets = Vec::new();
        for (dimension, _) in reduced.choices.iter() {
            // Only dimensions for which the seed has a value can be the essential ones.
            for (other, value) in implied.iter() {
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

    /// Returns the sets in which one list has the same length as in the seed, without all other choices, or without one
    /// of them. They may be needed only for the list's length.
    fn shortened(&self, reduced: &Reduced) -> Vec<Choices> {
        let own = self.oracle.subject.own_choices();
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

/// Returns a value like `value` for a seed whose own value is `own`: a list is adjusted to the length of `own`. `None`
/// if the result is the seed's own value.
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
