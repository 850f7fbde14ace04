//! Checks of a spec: whether its inverse is sound and its samplers are exact, which representations it reaches, and how
//! evenly. Without the feature `z3` nothing is proved, and the checks that consist only of a proof are absent.
//! [`inverter::check`] checks that each output element is assigned once, whenever a spec is loaded.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[cfg(feature = "z3")]
mod barren;
pub mod complete;
mod evaluated;
pub mod failures;
#[cfg(feature = "z3")]
mod far;
#[cfg(feature = "z3")]
pub mod lint;
#[cfg(feature = "z3")]
pub mod loss;
#[cfg(feature = "z3")]
mod lost;
pub mod marks;
mod moderate;
mod parallel;
pub mod samplers;
mod segments;
mod sharing;
#[cfg(feature = "z3")]
pub mod sound;
pub mod spread;
#[cfg(feature = "z3")]
mod terms;
#[cfg(feature = "z3")]
mod untried;
#[cfg(feature = "z3")]
mod vacuous;
mod values;
mod variety;

#[cfg(feature = "z3")]
pub use barren::{Barren, barren};
pub use complete::{Completeness, completeness, completeness_until, reaches};
pub use failures::Failures;
#[cfg(feature = "z3")]
pub use far::{far_numbers, far_reads, far_writes};
#[cfg(feature = "z3")]
pub use lint::{implied, unreachable};
#[cfg(feature = "z3")]
pub use loss::losses;
#[cfg(feature = "z3")]
pub use lost::Loss;
pub use marks::{Mark, marks};
pub use moderate::moderate_values_until;
pub use samplers::{Samplers, samplers};
#[cfg(feature = "z3")]
pub use sound::{Soundness, Stopped, soundness};
pub use spread::{Spread, spread, spread_into};
#[cfg(feature = "z3")]
pub use vacuous::vacuous;
pub use values::{small_values, small_values_until};
pub use variety::Stuck;
