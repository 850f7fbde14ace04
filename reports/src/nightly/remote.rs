//! The interface between a night and the machines that run its clients.

use std::io;
use std::sync::Arc;

use equivalents::Restriction;

use crate::nightly::{Config, Ends};
use crate::store::Batch;
use campaign::Stop;
use clients::Selections;
use equivalents::max_size::MaxSize;
use equivalents::subject::Subject;
use tiff_harness::container::Profile;

/// Other machines, which run the clients of a night that this one plans and judges.
pub trait Remote: Sync {
    /// Selects the requested clients for files with each of these `extensions`. If none is requested, all clients are
    /// selected, and those of `expected` that are missing are failures.
    fn select(&self, config: &Config, expected: &[String], extensions: &[&str]) -> Selections;
    /// Returns the number of threads for each seed. Each thread waits for one run.
    fn jobs(&self, clients: usize, seeds: usize) -> usize;
    /// Returns the number of seeds that are processed at once.
    fn seeds_at_once(&self) -> usize;
    /// Begins or resumes a night. `stop` has the user's requests to end the night, and `time` has the ends of its time.
    ///
    /// # Errors
    ///
    /// Returns a one-line message about what cannot be reached or read.
    fn begin(&self, batch: &Batch, stop: &Stop, time: Option<Ends>) -> io::Result<()>;
    /// Wraps a seed so that the choices of its variants are known when clients read them, and makes it available to the
    /// machines, which read it as `is_read` says.
    ///
    /// # Errors
    ///
    /// As [`Remote::begin`].
    fn watched(
        &self,
        subject: Box<dyn Subject>,
        is_read: IsRead<'_>,
    ) -> io::Result<Box<dyn Subject>>;
}

/// The way in which a seed is read.
#[derive(Debug, Clone, Copy)]
pub struct IsRead<'r> {
    /// The range of the values that are drawn.
    pub profile: Profile,
    /// The restriction of its dimensions.
    pub restriction: &'r Restriction,
    /// The bytes that it may take once it is decoded.
    pub size: MaxSize,
    /// The texts of its format ([`Format::texts`](equivalents::Format::texts)); `None` for TIFF.
    pub texts: Option<&'r Arc<str>>,
}
