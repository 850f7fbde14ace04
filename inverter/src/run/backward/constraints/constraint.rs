//! The data of residual constraints.

use crate::invert::{ConjunctId, EnsureId};
use crate::program::{FieldId, Pred, Span};

/// The residue of a conjunct after all determined values are substituted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Residual {
    /// The constraint.
    pub pred: Pred,
    /// The statement that demands it.
    pub span: Span,
    /// The conjunct of which it is the residue.
    pub origin: Origin,
    /// True if this only keeps writes disjoint. Writes of equal values may still overlap.
    pub once: bool,
}

/// The origin of a residual constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A conjunct of an ensure.
    Conjunct(EnsureId, ConjunctId),
    /// The limit on the size of an array.
    Size(FieldId),
    /// The requirement that some writes overlap.
    Overlap,
}

/// The residual constraints of an ensure.
#[derive(Debug)]
pub struct Residuals {
    /// The constraints.
    pub residuals: Vec<Residual>,
    /// The conjuncts that can only be checked once later inputs are assigned.
    pub deferred: Vec<ConjunctId>,
}
