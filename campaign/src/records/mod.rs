//! The data of a campaign that is logged, stored and reported.
//!
//! This module neither runs clients nor makes variants. All other parts of a campaign use its types.

mod baseline;
mod boundary;
mod cause;
mod client_id;
mod edges;
mod fold;
mod journal;
mod judgment;
mod log;
mod outcome_example;
pub mod pack;
mod predicted;
mod record;
mod refused;
mod row;
mod run;
mod run_count;
mod small;
mod uncovered;
pub mod words;
mod worker_count;

pub use baseline::{Baseline, ClientState, ReadFile, ReencodedSeed};
pub use boundary::Boundary;
pub(crate) use cause::rank;
pub use cause::{Cause, CauseForm, Convention, Depth, Standing, Verdict, WholeFile};
pub use client_id::ClientId;
pub use edges::{EdgeSummary, SeedEdges};
pub(crate) use fold::{explain_refusals, place};
pub use fold::{heads, other_dimensions};
pub use journal::{FileKey, Journal, PriorWork, RecordedReply};
pub use judgment::{Judgment, Trial};
pub use log::Log;
pub use outcome_example::OutcomeExample;
pub use predicted::Predicted;
pub use record::{FORMAT, Purpose, Record};
pub use refused::RefusedVariant;
pub use row::{ExecutionResults, GIVEN, Omission, Row, VariantInfo};
pub use run::{Classes, ClientSummary, Run};
pub use run_count::RunCount;
pub use small::SmallExample;
pub use uncovered::uncovered;
pub use worker_count::WorkerCount;
