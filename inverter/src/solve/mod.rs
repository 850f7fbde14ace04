//! Ensures to values: choices, closed forms, and Z3 for the rest.

pub mod choice;
pub mod class;
pub mod domain;
pub mod interval;
pub mod layout;
pub mod smt;

pub use choice::{ChoiceError, ChoiceSource, Choices, Fill, Value, Vary};
pub use class::value_class;
pub use domain::Domain;
pub use interval::IntervalSet;
