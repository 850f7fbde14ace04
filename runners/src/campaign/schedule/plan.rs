//! Which variants a campaign asks for, and in which order.

use std::sync::Arc;

use covering::Tally;
use inverter::solve::{Choices, Vary};

/// One variant to make: the index that seeds its choices, and what varies in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The variant's index, counted from 1; index 0 is the seed written anew.
    pub index: u64,
    /// What varies.
    pub vary: Vary,
    /// Values of what does not, where they fit.
    pub wishes: Choices,
}

impl Step {
    /// A step that wishes for nothing.
    pub fn plain(index: u64, vary: Vary) -> Self {
        Self { index, vary, wishes: Choices::new() }
    }
}

/// What may become a variant: the candidates, and what the best is picked by.
#[derive(Debug, Clone)]
pub struct Order {
    /// The candidates; at least one.
    pub candidates: Vec<Step>,
    /// What to pick by.
    pub pick: Pick,
}

/// What the best of some candidates is picked by.
#[derive(Debug, Clone)]
pub enum Pick {
    /// There is one only.
    Only,
    /// A class of this dimension that did not occur yet; else none is wanted.
    New(String, Arc<Tally>),
    /// Most pairs of classes that did not occur together yet.
    Pairs(Arc<Tally>),
}

/// The most variants of one dimension alone.
const ROUNDS: usize = 16;

/// Shares of the dimensions that vary in mixed variants; the last is all of them.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// The order of a campaign's variants: first each dimension alone, in rounds, then
/// mixtures of them. A function of its arguments only; it does not end, so that steps
/// which repeat an earlier variant can be made up for.
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

    /// Step `k`, counted from 0.
    pub fn step(&self, k: u64) -> Step {
        let vary = if k < self.singles {
            let dimension = &self.dimensions[(k % self.dimensions.len() as u64) as usize];
            Vary::Only([dimension.clone()].into())
        } else {
            match SHARES[((k - self.singles) % SHARES.len() as u64) as usize] {
                1.0 => Vary::All,
                share => Vary::Share(share),
            }
        };
        Step::plain(k + 1, vary)
    }

    /// After how many steps to give up on finding `variants` different ones.
    pub fn most_steps(&self, variants: usize) -> u64 {
        self.singles + 4 * variants as u64 + 64
    }
}

/// What varies in `step`, in words, for the results.
pub fn describe(step: &Step) -> String {
    match &step.vary {
        _ if !step.wishes.is_empty() => {
            let names: Vec<&str> = step.wishes.iter().map(|(dimension, _)| dimension).collect();
            format!("toward {}", names.join(", "))
        }
        Vary::All => "all".to_owned(),
        Vary::Share(share) => format!("share {share}"),
        Vary::Only(names) => {
            format!("only {}", names.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
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
        let steps: Vec<Step> = (0..20).map(|k| plan.step(k)).collect();
        assert_eq!(steps[0].vary, Vary::Only(["d0".to_owned()].into()));
        assert_eq!(steps[4].vary, Vary::Only(["d1".to_owned()].into()));
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
