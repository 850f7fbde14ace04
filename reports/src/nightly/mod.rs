//! Scheduled runs that report findings as new, worse, fixed or known, and what was covered.
//!
//! A night [reruns the example of each known bucket](recheck()), fuzzes all seeds, and compares its buckets with those
//! of earlier nights and with the findings that people [accepted](Accepted). The result is a [`Verdict`]; a
//! [`Coverage`] lists what was read at all. Both are presented as [text](summary()), as a [page](page()), as [JUnit
//! XML](junit()) and as [SARIF](sarif()).

mod accepted;
mod config;
mod confirm;
mod coverage;
mod division;
mod error;
mod gate;
mod outputs;
mod recheck;
mod remote;
mod time;
mod verdict;

pub use accepted::{ACCEPTED, Acceptance, Accepted, AcceptedLoss, Effect, Terms};
pub use config::{Config, FormatTable, RunNumber, SeedFile, SeedFiles, matching};
pub use confirm::{PATIENCE, disproved_hangs};
pub use coverage::{Broken, ClientCoverage, ClientFacts, Coverage, Loss, SeedFacts, Tonight, line};
pub use division::{Costs, SeedClients, Task, divide, divide_in_turn};
pub use error::{FileError, read_toml};
pub use gate::{Gate, check as check_gates, fails};
pub use outputs::{
    KeptReport, NightReport, junit, page, sarif, summary, write_night, write_unfinished,
};
pub use recheck::recheck;
pub use remote::{IsRead, Remote};
pub use time::{Ends, NightTime, SeedTime};
pub use verdict::{Item, Known, Libraries, Past, Verdict, judge};

use serde::{Deserialize, Serialize};

/// The identity of a night in its reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Night {
    /// Its day: `2026-11-22`.
    pub day: String,
    /// The run seed.
    pub number: u64,
    /// The clients that took part, by name and version.
    pub clients: Vec<(String, String)>,
}
