//! The client that executes programs symbolically.

pub mod access;
pub mod begin;
pub mod client;
pub mod execute;
pub mod knowledge;
pub mod left;
pub mod path;
pub mod solve;
pub mod term;
