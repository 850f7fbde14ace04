//! Learns a client's contract from its output on plain files.
//!
//! For each property, the candidates are the conventions whose predicted output equals what the client returns. Nothing
//! is fitted: output that no convention predicts leaves the property unknown, with a note of what was observed. Each
//! file is read twice, in fresh processes.

mod files;
mod learn;
mod plain;
mod reading;

pub(crate) use files::plainest;
pub use files::{ProbeFile, all};
pub use learn::{Learned, Remark, learn};
pub use reading::difference;
