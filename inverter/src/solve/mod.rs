//! Predicates to values: the choices of an inverse, closed forms, layouts, and Z3 for the rest.
//!
//! The input is the predicates of an ensure with one or more unknowns; the output is their values.
//! Everything that is free is decided by one [`ChoiceSource`], by dimension. Of the language this
//! module uses only predicates and expressions.

mod choices;
mod class;
pub(crate) mod count;
mod dimension;
pub mod discover;
pub(crate) mod domain;
pub(crate) mod draw;
pub(crate) mod interval;
pub(crate) mod layout;
mod origin;
mod pick;
mod propose;
pub(crate) mod smt;
mod soft;
mod source;
mod vary;

pub use choices::{Choice, Choices};
pub use class::value_class;
pub use count::{Counts, counts};
pub use dimension::{DimensionId, IntoDimension};
pub use domain::Domain;
pub use interval::IntervalSet;
pub use origin::Origin;
pub use pick::{Fill, policy, random_word};
pub use soft::{Classify, SoftConstraint, SoftConstraints};
pub use source::{ChoiceError, ChoiceSource};
pub use vary::Vary;
