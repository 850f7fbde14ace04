//! Files, and sequences whose results on them differ from the plain order.

use interfaces::graph::Call;
use inverter::solve::Choices;

use super::driver::Kind;

/// A file on which sequences are replayed.
pub(super) struct File {
    /// The choices that differ from the seed's.
    pub choices: Choices,
    pub bytes: Vec<u8>,
}

/// A sequence that behaves differently than in the plain order.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// The position of the file in the list of files.
    pub file: usize,
    /// The position of the sequence in the suite.
    pub sequence: usize,
    pub kind: Kind,
    /// The position of the call that behaves differently.
    pub call: usize,
}

/// Returns true if `whole` calls the functions of `part` in this order.
pub(super) fn is_part(part: &[Call], whole: &[Call]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|call| rest.any(|other| other.function == call.function))
}
