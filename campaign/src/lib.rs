//! A campaign: runs all clients on one seed and its variants, then reduces findings to causes.
//!
//! ```text
//! Campaign::run     measure ── ClientStates ─▶ execute ── ExecutionResults ─▶ triage ── Causes ─▶ Run
//!
//! Objects, each with the objects that it refers to:
//!
//! Base                the plainest file of the seed's picture, and the seed as a variant of it
//! CachedSubject       the file that variants derive from; caches variants for all clients
//! ClientExecutor      one per client: Client, Log with its Journal, Budget
//! ClientSession       one per client that can be judged: ClientExecutor, reference, reply cache
//! Engine              Context: CachedSubject, ClientSessions, Log, Budget; and
//!  ├ Tracks              clients with the same results, each with the
//!  │  └ InputScheduler     which requests their files: PairScheduler, Examples, SuppressionRules, Retries
//!  ├ Quota               one per client: the files that it is still to be given
//!  ├ HangLimit           one per client: variants that it skips because it hangs
//!  └ ExecutionResults    Rows (variant, client, Judgment)
//! TestOracle          one per client: CachedSubject, ClientSession, Gate, Budget, Log
//! Triage              one per client: TestOracle, Causes so far; its helpers are
//!  └ Canonicalizer, Simplifier, Shrinker, each with the TestOracle
//! ```
//!
//! A module uses only those that precede it in this list: `oracle`, `settings`, `error`, `records`, `runtime`, `base`,
//! `client_session`, `triage`, `schedule`, `exec`, `driver`; and `exec` does not use `triage`.
//!
//! # Invariants
//!
//! - A client reads no file that has not been normalized back to the seed's picture.
//! - Results do not depend on the number of threads, except through time limits.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod base;
mod cached_subject;
mod client_session;
mod driver;
mod error;
mod exec;
pub mod oracle;
mod records;
pub mod root_cause;
mod runtime;
mod schedule;
mod settings;
mod triage;

pub use cached_subject::CachedSubject;
pub use client_session::{Recheck, Rechecked, Reference, recheck, replay_from_base};
pub use driver::Campaign;
pub use error::CampaignError;
pub use exec::{Shard, Slice};
pub use records::pack;
pub use records::words::{label, short};
pub use records::{
    Baseline, Boundary, Cause, CauseForm, Classes, ClientId, ClientState, ClientSummary,
    Convention, Depth, EdgeSummary, FORMAT, FileKey, Journal, Log, OutcomeExample, Predicted,
    PriorWork, Purpose, Record, RecordedReply, ReencodedSeed, RefusedVariant, Run, RunCount,
    SmallExample, Standing, Verdict, WholeFile, WorkerCount, heads, other_dimensions, uncovered,
};
pub use runtime::Stop;
pub use runtime::guarded;
pub use runtime::{Budget, displays, map, processors};
pub use schedule::Plan;
pub use settings::{About, Guidance, HANG_LIMIT, Settings};
