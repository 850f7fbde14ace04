//! Is a consumer prepared for all that a producer can emit?
//!
//! From each of two programs an automaton is inferred: the words of types that the one may write,
//! and that the other is prepared to read. Every word of the first must be one of the second. The
//! method is that of Driscoll, Burton and Reps, *Checking Conformance of a Producer and a Consumer*
//! (ESEC/FSE 2011), "the paper" in this crate.

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
