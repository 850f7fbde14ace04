//! Ensures to values: choices, closed forms, and Z3 for the rest.

pub mod choices;
pub mod class;
pub mod count;
pub mod discover;
pub mod domain;
pub mod draw;
pub mod interval;
pub mod layout;
pub mod pick;
pub mod smt;
pub mod source;
pub mod wish;

pub use choices::{Choice, Choices};
pub use class::value_class;
pub use count::{Counts, counts};
pub use domain::Domain;
pub use interval::IntervalSet;
pub use pick::{Fill, habit, random_word};
pub use source::{ChoiceError, ChoiceSource, Vary};
pub use wish::{Classify, Wish, Wishes};
