//! Process-wide counters of solved ensures and Z3 queries.

use std::sync::atomic::{AtomicU64, Ordering};

static ENSURES: AtomicU64 = AtomicU64::new(0);
static QUERIES: AtomicU64 = AtomicU64::new(0);

/// The counts since this process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Ensures that were solved.
    pub ensures: u64,
    /// Queries to Z3.
    pub queries: u64,
}

/// Returns the counts so far, of all threads.
pub fn counts() -> Counts {
    Counts { ensures: ENSURES.load(Ordering::Relaxed), queries: QUERIES.load(Ordering::Relaxed) }
}

/// Counts an ensure that was solved.
pub fn ensure() {
    ENSURES.fetch_add(1, Ordering::Relaxed);
}

pub(super) fn query() {
    QUERIES.fetch_add(1, Ordering::Relaxed);
}
