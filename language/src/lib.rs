//! The language of normalization programs, and their inversion.
//!
//! [`program`] has the syntax tree and the front end, and depends on no other module. [`invert`](mod@invert)
//! synthesizes the nondeterministic inverse of a program, with the constraints on its choices, and never sees a value.
//! `repfuzz-inverter` runs both; its documentation has the reference of the language.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

/// A digest of the sources of this crate.
pub const SOURCES: &str = env!("SOURCES");

pub mod invert;
pub mod program;
