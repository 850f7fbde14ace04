//! The results of a check.

use checks::{Completeness, Loss, Samplers, Soundness, Spread, Stopped};
use inverter::program::Span;

use super::values::Values;

/// The results of a check. A result that is `None` was not decided in time.
pub(super) struct Findings {
    pub(super) sound: Option<Soundness>,
    pub(super) values: Values,
    pub(super) samplers: Samplers,
    pub(super) complete: Completeness,
    pub(super) spread: Spread,
    pub(super) losses: Option<Vec<Loss>>,
    /// Conjuncts that others imply.
    pub(super) implied: Vec<(String, Span)>,
    /// Branches that are never taken.
    pub(super) unreachable: Vec<(String, Span)>,
    /// The parts that were abandoned when their time was over.
    pub(super) open: Vec<&'static str>,
}

impl Findings {
    /// Returns true if something was drawn, nothing is lost unintentionally, and few draws fail. A proof then covers
    /// all inputs that the spec is meant to accept.
    pub(super) fn means_something(&self) -> bool {
        self.all_meant() && self.spread.samples > 0 && self.spread.share_failed() <= 0.01
    }

    pub(super) fn passes(&self) -> bool {
        !self.is_wrong() && self.all_meant()
    }

    /// Returns true if the inverse or a sampler is unsound.
    pub(super) fn is_wrong(&self) -> bool {
        let refuted = |sound: &Soundness| matches!(sound.stopped, Stopped::Refuted(_));
        self.sound.as_ref().is_some_and(refuted) || !self.samplers.wrong.is_empty()
    }

    /// Returns true if the time limit left something undecided.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty() || self.spread.left > 0
    }

    /// Returns true if all losses are marked as intended. False if the search for losses did not finish in time.
    fn all_meant(&self) -> bool {
        self.losses.as_ref().is_some_and(|all| all.iter().all(|loss| loss.meant.is_some()))
    }
}
