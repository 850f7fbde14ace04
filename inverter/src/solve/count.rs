//! How often ensures are solved, and how often Z3 is asked.

use std::sync::atomic::{AtomicU64, Ordering};

static ENSURES: AtomicU64 = AtomicU64::new(0);
static QUESTIONS: AtomicU64 = AtomicU64::new(0);

/// Counts of this process since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Ensures that were given values.
    pub ensures: u64,
    /// Questions to Z3.
    pub questions: u64,
}

/// What was counted so far, on all threads.
pub fn counts() -> Counts {
    Counts {
        ensures: ENSURES.load(Ordering::Relaxed),
        questions: QUESTIONS.load(Ordering::Relaxed),
    }
}

pub(crate) fn ensure() {
    ENSURES.fetch_add(1, Ordering::Relaxed);
}

pub(super) fn question() {
    QUESTIONS.fetch_add(1, Ordering::Relaxed);
}
