//! Checks whether a consumer is prepared for all that a producer can emit.
//!
//! An automaton is inferred from each of two programs. It accepts the sequences of types that the producer may write,
//! or that the consumer is prepared to read. The consumer's automaton must accept every word of the producer's. The
//! method is that of Driscoll, Burton and Reps, *Checking Conformance of a Producer and a Consumer* (ESEC/FSE 2011),
//! "the paper" in this crate.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod automata;
pub mod check;
pub mod client;
mod error;
mod flow;
pub mod format;
pub mod granularity;
pub mod infer;
mod inline;
mod library;
pub mod lower;
pub mod misspelled;
pub mod model;
pub mod program;
pub mod read;
pub mod remark;
pub mod score;
mod search;
pub mod second;
pub mod settings;
pub mod sites;
pub mod story;
pub mod unfold;

pub use error::Error;
