//! Clients, campaigns, reduction, reports and the command line of `repfuzz`.
//!
//! A [`campaign`] takes a [`subject`] (a seed file with its equivalents) and [clients](client).
//! Each client reads the seed first: its picture of the seed is what the [`oracle`] measures it
//! by. Then it reads the variants. A difference that no known cause explains is confirmed by
//! a second run and reduced to the few choices that it takes, with simple values;
//! findings with one cause are merged, and the file that shows a cause is confirmed, too.
//! The [`report`] presents the causes to people, and [`campaign::Log`] writes all results as JSON
//! lines. The subcommands are in [`cli`], a file each.
//!
//! # Invariants
//!
//! - A client is compared with itself only. No code here decides whether a picture is right.
//! - A client reads no file that has not been normalized back to the seed's picture.
//! - Everything that a client does is a result: [`client::Client::run`] fails only for problems
//!   on the side of repfuzz. A client's output is sanitized before it is shown.
//! - Results do not depend on the number of threads, except through time limits.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod calls;
pub mod campaign;
pub mod cli;
pub mod client;
pub mod contract;
mod digest;
mod files;
#[cfg(feature = "fleet")]
pub mod fleet;
pub mod max_size;
pub mod nightly;
pub mod oracle;
pub mod report;
pub mod root_cause;
pub mod store;

pub use equivalents::subject;
