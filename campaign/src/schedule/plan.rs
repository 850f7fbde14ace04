//! Plan steps, and the fixed plan of unguided campaigns.

use std::collections::BTreeSet;
use std::sync::Arc;

use covering::Tally;
use inverter::solve::{Choices, Vary};

use super::avoided::Avoided;
use super::suppression::Class;

/// One variant to make.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// The index from which its random choices are derived, counted from 1; index 0 is the re-encoded seed.
    pub index: u64,
    /// The dimensions that vary.
    pub vary: Vary,
    /// Default overrides: values for dimensions that do not vary, if they fit.
    pub overrides: Choices,
    /// The variant from which these choices come, if there is one.
    pub from: Option<u64>,
}

impl PlanStep {
    /// A step without overrides.
    pub fn plain(index: u64, vary: Vary) -> Self {
        Self { index, vary, overrides: Choices::new(), from: None }
    }

    /// Describes the dimensions that vary, for `results.jsonl`.
    pub fn describe(&self) -> String {
        let drawn = self.describe_drawn();
        match self.from {
            Some(variant) => format!("from {variant}: {drawn}"),
            None => drawn,
        }
    }

    fn describe_drawn(&self) -> String {
        match &self.vary {
            _ if self.from.is_none() && !self.overrides.is_empty() => {
                let names: Vec<&str> = self.overrides.iter().map(|(d, _)| d).collect();
                format!("toward {}", names.join(", "))
            }
            Vary::All => "all".to_owned(),
            Vary::Share(share) => format!("share {share}"),
            Vary::Only(names) => {
                format!("only {}", names.iter().map(|d| d.name()).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A request for one file: candidates, the rule that selects one of them, and the classes that it must
/// not have.
#[derive(Debug, Clone)]
pub struct Request {
    /// The candidates; at least one.
    pub candidates: Vec<PlanStep>,
    /// The rule.
    pub rule: SelectionRule,
    /// The classes to avoid.
    pub avoid: Arc<Avoided>,
}

impl Request {
    /// The request for one step.
    pub fn of(step: PlanStep) -> Self {
        Self { candidates: vec![step], rule: SelectionRule::First, avoid: Arc::default() }
    }
}

/// The rule that selects one of several candidates.
#[derive(Debug, Clone)]
pub enum SelectionRule {
    /// Takes the first candidate that can be made.
    First,
    /// Takes a candidate with a value class of this dimension that is not among these classes; otherwise none.
    NewClass(String, Arc<BTreeSet<Class>>),
    /// Takes the first candidate in which this dimension has a value other than the base's; otherwise none.
    Varies(String),
    /// Takes the candidate that has this class, with the most other classes that are not among the given ones;
    /// otherwise none.
    Beside(Class, Arc<BTreeSet<Class>>),
    /// Takes the candidate with the most pairs of value classes that have not occurred together.
    NewPairs(Arc<Tally>),
}

/// The maximum number of variants of each dimension alone.
const ROUNDS: usize = 16;

/// The shares of the dimensions that vary in successive mixtures.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// The plan of an unguided campaign: first each dimension alone, in rounds, then mixtures. It depends only on its
/// arguments, and it is infinite, so that steps which repeat an earlier variant can be replaced.
#[derive(Debug, Clone)]
pub struct Plan {
    dimensions: Vec<String>,
    singles: u64,
}

impl Plan {
    /// The plan for `variants` variants over `dimensions`.
    pub fn new(variants: usize, dimensions: &[String]) -> Self {
        let one_round = dimensions.len();
        let singles =
            (variants / 2).max(one_round).min(variants).min(one_round.saturating_mul(ROUNDS));
        Self { dimensions: dimensions.to_vec(), singles: singles as u64 }
    }

    /// Returns step `k`, counted from 0.
    pub fn step(&self, k: u64) -> PlanStep {
        let vary = if k < self.singles {
            let dimension = &self.dimensions[(k % self.dimensions.len() as u64) as usize];
            Vary::only([dimension])
        } else {
            match SHARES[((k - self.singles) % SHARES.len() as u64) as usize] {
                1.0 => Vary::All,
                share => Vary::Share(share),
            }
        };
        PlanStep::plain(k + 1, vary)
    }

    /// Returns the number of steps after which the search for `variants` distinct ones ends.
    pub fn max_steps(&self, variants: usize) -> u64 {
        self.singles + 4 * variants as u64 + 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|k| format!("d{k}")).collect()
    }

    #[test]
    fn single_dimensions_come_first_and_each_has_its_turn() {
        let plan = Plan::new(20, &names(3));
        let steps: Vec<PlanStep> = (0..20).map(|k| plan.step(k)).collect();
        assert_eq!(steps[0].vary, Vary::only(["d0"]));
        assert_eq!(steps[4].vary, Vary::only(["d1"]));
        assert!(steps[..10].iter().all(|s| matches!(s.vary, Vary::Only(_))));
        assert!(steps[10..].iter().all(|s| !matches!(s.vary, Vary::Only(_))));
        assert!(steps.iter().any(|s| s.vary == Vary::All));
        assert!(steps.iter().enumerate().all(|(k, s)| s.index == k as u64 + 1));
    }

    #[test]
    fn no_dimensions_and_no_variants_are_no_trouble() {
        assert_eq!(Plan::new(5, &[]).step(0).vary, Vary::Share(0.1));
        assert_eq!(Plan::new(0, &names(2)).step(0).vary, Vary::Share(0.1));
    }
}
