//! The seam between a night and the machines that run its clients.

use std::io;

use equivalents::Restriction;

use crate::nightly::{Config, Ends};
use crate::store::Batch;
use campaign::Stop;
use clients::Selection;
use equivalents::max_size::MaxSize;
use equivalents::subject::Subject;
use tiff_harness::container::Profile;

/// Other machines, which run the clients of a night that this one plans and judges.
pub trait Remote: Sync {
    /// Selects the clients that are asked for. If none is, these are all that there are, and those of
    /// `expected` that are missing are failures.
    fn select(&self, config: &Config, expected: &[String]) -> Selection;
    /// Returns the number of threads for each seed: each waits for one run.
    fn jobs(&self, clients: usize, seeds: usize) -> usize;
    /// Returns the number of seeds that are worked on at once.
    fn seeds_at_once(&self) -> usize;
    /// Begins or resumes a night. `stop` has the requests of the user to end it, `time` the ends of its time.
    ///
    /// # Errors
    ///
    /// One line: what cannot be reached or read.
    fn begin(&self, batch: &Batch, stop: &Stop, time: Option<Ends>) -> io::Result<()>;
    /// Wraps a seed, so that the choices of its variants are known when clients are to read them, and
    /// makes it available to the machines, which may decode it to `size` bytes.
    ///
    /// # Errors
    ///
    /// As [`Remote::begin`].
    fn watched(
        &self,
        subject: Box<dyn Subject>,
        profile: Profile,
        restriction: &Restriction,
        size: MaxSize,
    ) -> io::Result<Box<dyn Subject>>;
}
