//! Runs a normalization program on unknown inputs.
//!
//! Whenever a run needs an unknown, [`Options`] proposes values for it, one is taken, and the run continues; later the
//! program is run again with the next value. Only the trail of these decisions is kept between two runs. Inputs that
//! agree on everything that a run reads form one [`Class`]. The purpose of the runs (representations of a value,
//! counterexamples) is their [`Goal`].

mod class;
mod goals;
mod halt;
mod open;
mod options;
mod outside;
mod run;
mod single;

pub use class::{Class, Element, Outside};
pub use goals::{AnyInput, Matches};
pub use halt::{Halt, Step};
pub use options::{Options, Window};
pub use run::{Bounds, Goal, Run, explore};
pub use single::{any_input, any_run};
