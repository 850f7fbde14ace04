//! Program analyses that help one another without knowing one another.
//!
//! The method is that of *Anonymous On-line Communication Between Program Analyses* (arXiv:1511.02415). Clients analyse
//! the same program at the same time. At a place at which a client loses precision, it asks all others, through a
//! server, for the values in memory, and receives a formula. They share only the [`protocol`].

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod compare;
pub mod confirm;
pub mod flow;
#[cfg(feature = "nats")]
pub mod nats;
pub mod numbers;
pub mod picture;
pub mod protocol;
pub mod readable;
pub mod run;
#[cfg(feature = "specs")]
pub mod spec;
#[cfg(feature = "z3")]
pub mod symbolic;
pub mod unfold;
