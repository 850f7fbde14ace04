//! Results of campaigns: [reports](report) for people and programs, the [store] that keeps them, and [nights](nightly),
//! which compare a run with earlier ones.
//!
//! The modules use each other: the report of a night shows what the store knows about earlier nights, and a night is a
//! batch in the store.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod files;
pub mod nightly;
pub mod report;
pub mod store;
