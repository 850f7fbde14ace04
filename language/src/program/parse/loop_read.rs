//! A number that a loop reads from bytes, before it is known how it is represented.

use crate::program::source::Span;
use crate::program::syntax::{Pred, Ref, Side};
use crate::program::views::{Around, Source};

/// The field of the first placeholder. No record has that many fields.
pub(super) const FIRST: usize = 1 << 40;

/// Returns the read for which a placeholder stands.
pub(super) fn pending(r: &Ref) -> Option<usize> {
    (r.side == Side::Input).then(|| r.field.0.checked_sub(FIRST)).flatten()
}

/// A number that a loop reads.
#[derive(Debug, Clone)]
pub(super) struct LoopRead {
    /// Its name; if it has none, that of the number which is read from the same array.
    pub(super) name: String,
    /// True if it occurs in an expression, without a name.
    pub(super) unnamed: bool,
    /// The bytes that it is read from.
    pub(super) source: Source,
    /// The loops that it depends on, outermost first.
    pub(super) around: Vec<Around>,
    /// The conditions around it, outermost first.
    pub(super) guards: Vec<Pred>,
    /// The place in the spec.
    pub(super) span: Span,
}
