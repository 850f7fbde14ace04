//! A loss: part of what an inverse cannot make, or was not observed to make.

use inverter::program::Span;

/// The share of draws that may fail, and of representations that may be missed.
pub(super) const TOLERATED: f64 = 0.01;

/// A loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The place in the spec; `None` if no single statement causes it.
    pub span: Option<Span>,
    /// The loss and its reason, in one line.
    pub what: String,
    /// Further lines: the bounds that fail, an example.
    pub details: Vec<String>,
    /// The reason given in the spec, if it marks the loss as intended.
    pub meant: Option<String>,
}

impl Loss {
    pub(super) fn new(span: Option<Span>, what: impl Into<String>) -> Self {
        Self { span, what: what.into(), details: Vec::new(), meant: None }
    }
}
