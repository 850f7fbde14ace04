//! Solves the predicates of ensures: by closed forms, by layouts, and by Z3 for the rest.
//!
//! The input is predicates with one or more unknowns; the output is a value for each unknown. One
//! [`ChoiceSource`] decides everything that is free, by dimension. This module depends on the
//! language only through its predicates and expressions.

mod choices;
mod class;
pub(crate) mod count;
mod dimension;
pub mod discover;
pub(crate) mod domain;
pub(crate) mod draw;
pub(crate) mod evenly;
pub(crate) mod interval;
pub(crate) mod layout;
pub(crate) mod memo;
pub(crate) mod network;
mod origin;
mod pick;
mod piecewise;
mod propose;
mod restriction;
pub(crate) mod smt;
mod soft;
mod source;
mod vary;

pub use choices::{Choice, Choices};
pub use class::{ClassConstants, value_class};
pub use count::{Counts, counts};
pub use dimension::{DimensionId, IntoDimension};
pub use domain::Domain;
pub use interval::IntervalSet;
pub use origin::Origin;
pub(crate) use pick::list_of;
pub use pick::{Fill, policy, random_word};
pub use restriction::Restriction;
pub use smt::require_z3;
pub use soft::{Classify, SoftConstraint, SoftConstraints};
pub use source::{ChoiceError, ChoiceSource};
pub use vary::Vary;
