//! Analyses of programs that help one another without knowing one another.
//!
//! After *Anonymous On-line Communication Between Program Analyses* (arXiv:1511.02415). Clients analyse one
//! program at the same time. Where one of them loses precision, it asks all others, through a server, for
//! the values of memory at that place, and gets a formula. The [`protocol`] is all that they share.

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
