//! Failures of linked-in libraries, and their allocation limit.

/// Allocation limit of one decoding, if the library supports one.
pub(super) const MOST_BYTES: usize = 1 << 30;

/// A failure of a library that is not a crash.
pub(super) enum Failure {
    Refused(String),
    Resource(String),
    /// The library returned something that this crate cannot express.
    Glue(String),
}
