//! Solves the predicates of ensures: by closed forms, by layouts, and by Z3 for the rest.
//!
//! The input is predicates with one or more unknowns; the output is a value for each unknown. One [`ChoiceSource`]
//! decides everything that is free, by dimension. The crate uses only the language's predicates and expressions.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

/// A digest of the sources of this crate.
pub const SOURCES: &str = env!("SOURCES");

mod choices;
mod class;
pub mod count;
mod dimension;
pub mod discover;
pub mod domain;
pub mod draw;
pub mod evenly;
pub mod interval;
pub mod layout;
pub mod memo;
pub mod network;
mod origin;
mod pick;
mod piecewise;
mod propose;
mod restriction;
pub mod smt;
mod soft;
mod source;
mod stream;
mod vary;

pub use choices::{Choice, Choices};
pub use class::{ClassConstants, value_class};
pub use count::{Counts, counts};
pub use dimension::{DimensionId, IntoDimension};
pub use domain::Domain;
pub use interval::IntervalSet;
pub use origin::Origin;
pub use pick::list_of;
pub use pick::{Fill, policy, random_word};
pub use restriction::Restriction;
pub use smt::require_z3;
pub use soft::{Classify, SoftConstraint, SoftConstraints};
pub use source::{ChoiceError, ChoiceSource};
pub use stream::{Purpose, Stream};
pub use vary::Vary;
