//! Runs of a normalization program on inputs of which nothing is known.
//!
//! Whenever a run needs an unknown, [`Options`] proposes values for it, one is taken, and the run
//! goes on; then the program is run again with the next value. The trail of these decisions is all
//! that is kept between two runs. Inputs that agree on everything a run reads are one [`Class`].
//! The purpose of the runs (representations of a value, counterexamples) is their [`Goal`].

mod class;
mod goals;
mod open;
mod options;
mod outside;
mod run;
mod single;

pub use class::{Class, Element, Outside};
pub use goals::{AnyInput, Matches};
pub use options::{Options, Window};
pub use run::{Bounds, Goal, Halt, Run, Step, explore};
pub use single::{any_input, any_run};
