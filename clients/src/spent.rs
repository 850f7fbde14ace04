//! The processor time and the memory that a run took.

use std::time::Duration;

/// The processor time and the memory that a client used for a file.
///
/// | client                                    | time                         | memory                       | `alone` |
/// |-------------------------------------------|------------------------------|------------------------------|---------|
/// | a program, one process for each file      | user and system, of all its processes | the peak of the largest process | true |
/// | a worker that has read nothing before     | the same, with its start     | the same                     | true    |
/// | a worker that reads many files            | elapsed                      | sampled, of all processes    | false   |
/// | a linked-in library                       | of the thread that it runs on | not measured                | true    |
/// | a viewer, a client of a fleet             | not measured                 | not measured                 |         |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// The processor time.
    pub cpu: Duration,
    /// The peak resident memory in bytes, if it is measured. It is read from `/proc` while the program runs, so short
    /// runs that need little memory may appear to need none.
    pub peak: Option<u64>,
    /// True if nothing but this file can be the reason for the value. Otherwise it is only a hint.
    pub alone: bool,
}

impl Spent {
    /// Returns the combined resources of two programs that were run for one file.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        Self {
            cpu: self.cpu + next.cpu,
            peak: self.peak.max(next.peak),
            alone: self.alone && next.alone,
        }
    }
}
