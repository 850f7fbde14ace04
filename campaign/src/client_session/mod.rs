//! Runs clients on files: execution with a journal, a reply cache, and baselines.

mod executor;
mod measure;
mod recheck;
mod seed_edges;
mod session;

pub use executor::ClientExecutor;
pub use measure::{measure, reencoded};
pub use recheck::{Recheck, Rechecked, Reference, recheck, replay_from_base};
pub use seed_edges::seed_edges;
pub use session::{ClientSession, JudgedRun};
