//! The results of a check.

use inverter::check::{Completeness, Loss, Samplers, Soundness, Spread, Stopped};
use inverter::program::Span;
use inverter::run::Record;

/// The results of a check.
pub(super) struct Findings {
    pub(super) sound: Soundness,
    pub(super) values: Vec<Record>,
    pub(super) samplers: Samplers,
    pub(super) complete: Completeness,
    pub(super) spread: Spread,
    pub(super) losses: Vec<Loss>,
    /// Conjuncts that others imply.
    pub(super) implied: Vec<(String, Span)>,
    /// Branches that are never taken.
    pub(super) unreachable: Vec<(String, Span)>,
}

impl Findings {
    /// True if something was drawn, nothing is lost unintentionally, and few draws fail: then a proof is
    /// one of all that the spec is meant to accept.
    pub(super) fn means_something(&self) -> bool {
        let meant = self.losses.iter().all(|loss| loss.meant.is_some());
        meant && self.spread.samples > 0 && self.spread.share_failed() <= 0.01
    }

    pub(super) fn passes(&self) -> bool {
        let sound = !matches!(self.sound.stopped, Stopped::Refuted(_));
        let meant = self.losses.iter().all(|loss| loss.meant.is_some());
        sound && self.samplers.wrong.is_empty() && meant
    }
}
