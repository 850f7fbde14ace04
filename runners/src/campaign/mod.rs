//! A campaign: runs all clients on one seed and its variants, then reduces findings to causes.
//!
//! ```text
//! Campaign ── run ──┬─ client_session::measure   states, costs: each client on the seed
//!                   ├─ exec::execute             ExecutionResults: clients x variants
//!                   └─ triage::triage            causes: findings reduced and deduplicated
//!                                                        ── Run: what is stored and reported
//!
//! what holds what                     (│ by reference, ├ └ owned)
//! CachedSubject                        the seed and its variants, shared by all
//! ClientExecutor                       one per client: Client, Log with its Journal, Budget
//!  │
//! ClientSession                        one per client that can be judged: reference, reply cache
//!  │           │
//! Context     TestOracle               session, CachedSubject, Gate, Budget, Log
//!  │           │
//! Engine      Triage                   causes so far; Canonicalizer, Simplifier and Shrinker
//!  └ State                             borrow its TestOracle
//!     ├ InputScheduler                 what to request: PairScheduler, Prerequisites
//!     ├ SuppressionRules, HangLimit    what each client skips
//!     └ ExecutionResults               rows, variants
//! ```
//!
//! Modules use those above them only: [`settings`], [`error`], `records`, `runtime`,
//! `client_session`; then `triage`, `schedule` and `exec`, which do not use triage; then `driver`.

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

pub use client_session::{Recheck, Reference, recheck};
pub use driver::Campaign;
pub use error::CampaignError;
pub use exec::Shard;
pub(crate) use records::pack;
pub use records::words::{label, short};
pub use records::{
    Baseline, Boundary, Cause, ClientId, ClientState, ClientSummary, Depth, FORMAT, FileKey,
    Journal, Log, PriorWork, Purpose, Record, RecordedReply, ReencodedSeed, Run, SmallExample,
};
pub use runtime::Stop;
pub use settings::{About, Guidance, HANG_LIMIT, Settings};
