//! The verdict of `conform`.

use conformance::model::Outcome;
use conformance::remark::{Remark, Weight};

/// The verdict of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// There is no counterexample.
    Conforms,
    /// There is a counterexample.
    Refuted,
    /// There is a counterexample if values that are not followed allow it.
    DependsOnValues,
    /// A remark states that nothing is decided.
    Undecided { conforms: bool },
}

impl Judged {
    pub fn of(outcome: &Outcome, is_open: bool, remarks: &[Remark]) -> Self {
        let conforms = outcome.counterexample.is_none();
        let heaviest = remarks.iter().map(|remark| remark.weight).max().unwrap_or_default();
        match heaviest {
            Weight::NotProved if conforms => Self::Undecided { conforms },
            _ if is_open => Self::DependsOnValues,
            Weight::Undecided => Self::Undecided { conforms },
            _ if conforms => Self::Conforms,
            _ => Self::Refuted,
        }
    }

    pub fn is_decided(self) -> bool {
        matches!(self, Self::Conforms | Self::Refuted)
    }
}
