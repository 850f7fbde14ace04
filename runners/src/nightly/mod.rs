//! Every night the same: what is new, what is fixed, what is known.
//!
//! A night [runs the file of each known bucket again](recheck()), fuzzes all seeds, and holds
//! the buckets that it has then against those of earlier nights and against the findings that
//! people [accepted](Accepted). What comes of that is a [`Verdict`], told in [words](summary()),
//! as a [page](page()), as [JUnit XML](junit()) and as [SARIF](sarif()).

mod accepted;
mod config;
mod error;
mod files;
mod junit;
mod page;
mod recheck;
mod sarif;
mod summary;
mod verdict;

pub use accepted::{Acceptance, Accepted};
pub use config::{Config, RunNumber};
pub use error::FileError;
pub use files::{example_name, write_examples};
pub use junit::junit;
pub use page::page;
pub use recheck::recheck;
pub use sarif::sarif;
pub use summary::summary;
pub use verdict::{Item, Known, Verdict, judge};

/// What a night is called in what it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Night {
    /// Its day: `2026-11-22`.
    pub day: String,
    /// The number of its runs.
    pub number: u64,
    /// The clients that took part, by name and version.
    pub clients: Vec<(String, String)>,
}
