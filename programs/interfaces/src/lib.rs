//! Interface graphs of libraries.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod graph;
pub mod library;
pub mod symbolic;
pub mod synthesis;
