//! Ensures to values: choices, closed forms, and Z3 for the rest.

pub mod choice;
pub mod interval;

pub use choice::{ChoiceError, ChoiceSource, Choices, Fill, Value, Vary};
pub use interval::IntervalSet;
