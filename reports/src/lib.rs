//! Results of campaigns: [reports](report) for people and programs, the [store] that keeps them, and [nights](nightly),
//! which compare one run with those before it.
//!
//! The modules use each other: a report of a night shows what the store has of earlier ones, and a night is a batch in
//! the store.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod files;
pub mod nightly;
pub mod report;
pub mod store;
