//! A campaign: one seed, many variants, all clients; then reduction to causes.

mod cached_subject;
mod client_session;
mod driver;
mod error;
mod exec;
mod records;
mod runtime;
mod schedule;
mod settings;
mod triage;

pub use client_session::{Again, Measure, again};
pub use driver::Campaign;
pub use error::CampaignError;
pub use exec::Shard;
pub(crate) use records::pack;
pub use records::words::{label, short};
pub use records::{
    Anew, Baseline, Cause, Depth, Earlier, Edge, FORMAT, FileKey, Journal, Kept, Log, Purpose,
    Record, Run, Small, State, Tested,
};
pub use runtime::Stop;
pub use settings::{About, Guidance, HANG_LIMIT, Settings};
