//! Scheduled runs that report findings as new, fixed or known.
//!
//! A night [reruns the example of each known bucket](recheck()), fuzzes all seeds, and compares
//! its buckets with those of earlier nights and with the findings that people
//! [accepted](Accepted). The result is a [`Verdict`], presented as [text](summary()), as a
//! [page](page()), as [JUnit XML](junit()) and as [SARIF](sarif()).

mod accepted;
mod config;
mod error;
mod examples;
mod junit;
mod page;
mod recheck;
mod sarif;
mod summary;
mod verdict;

pub use accepted::{Acceptance, Accepted};
pub use config::{Config, RunNumber};
pub use error::FileError;
pub use examples::{example_name, write_examples};
pub use junit::junit;
pub use page::page;
pub use recheck::recheck;
pub use sarif::sarif;
pub use summary::summary;
pub use verdict::{Item, Known, Verdict, judge};

/// The identity of a night in its reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Night {
    /// Its day: `2026-11-22`.
    pub day: String,
    /// The run seed.
    pub number: u64,
    /// The clients that took part, by name and version.
    pub clients: Vec<(String, String)>,
}
