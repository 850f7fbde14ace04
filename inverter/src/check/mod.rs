//! Checks of a spec before it is used. [`load`] proves that each output element is assigned once.
//! Further checks report whether the inverse is sound and its samplers are exact, which
//! representations it reaches, and how evenly. Without the feature `z3` nothing is proved, and the checks that only
//! prove are absent.

#[cfg(feature = "z3")]
mod barren;
pub mod complete;
mod cover;
pub mod coverage;
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
pub mod once;
pub mod outside;
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

#[cfg(feature = "z3")]
pub use barren::{Barren, barren};
pub use complete::{Completeness, completeness, completeness_until, reaches};
pub use coverage::{Coverage, assigned_once};
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
pub use outside::{RefusedInput, outside_reads};
pub use samplers::{Samplers, samplers};
#[cfg(feature = "z3")]
pub use sound::{Soundness, Stopped, soundness};
pub use spread::{Spread, spread, spread_into};
#[cfg(feature = "z3")]
pub use vacuous::vacuous;
pub use values::{small_values, small_values_until};

use crate::invert::invert;
use crate::primitive::Primitives;
use crate::program::{Program, SpecError, SpecText, parse_all, parse_from};
use crate::run::Executable;
use crate::run::compiled::Compiled;

/// Reads a spec that uses no other file, checks that it assigns each output element once, and
/// inverts it. The proof takes some 10 ms, and at most 3 s; a search follows only if it fails.
///
/// # Errors
///
/// The problems of the spec, or the obstacles to its inversion.
pub fn load(name: &str, text: &str) -> Result<Executable, SpecError> {
    load_with(name, text, &Primitives::shipped())
}

/// [`load`], with other primitives than those that ship.
///
/// # Errors
///
/// As [`load`].
pub fn load_with(name: &str, text: &str, primitives: &Primitives) -> Result<Executable, SpecError> {
    load_from(&SpecText::alone(name, text), primitives)
}

/// [`load_with`] for a spec that may use other files.
///
/// # Errors
///
/// As [`load`].
pub fn load_from(spec: &SpecText<'_>, primitives: &Primitives) -> Result<Executable, SpecError> {
    checked(&parse_from(spec, primitives)?, primitives)
}

/// Checks that a program assigns each output element once, and inverts it.
fn checked(program: &Program, primitives: &Primitives) -> Result<Executable, SpecError> {
    let proved = assigned_once(program)?.proved(program);
    Ok(Executable::with_primitives(invert(program)?, primitives).with_proved(proved))
}

/// [`load_from`] for a spec of several functions, each a stage of a pipeline, in the order
/// written. At least one.
///
/// # Errors
///
/// As [`load`], for the first function that has an error.
pub fn load_all(
    spec: &SpecText<'_>,
    primitives: &Primitives,
) -> Result<Vec<Executable>, SpecError> {
    load_compiled(spec, primitives, &[])
}

/// [`load_all`], where some specs are compiled. A spec with the same text as a compiled one runs as
/// compiled code, and is not checked again, as compilation has checked it.
///
/// # Errors
///
/// As [`load_all`].
pub fn load_compiled(
    spec: &SpecText<'_>,
    primitives: &Primitives,
    compiled: &[&'static Compiled],
) -> Result<Vec<Executable>, SpecError> {
    let inverted = |program: &Program| match compiled.iter().find(|c| c.is_of(program)) {
        Some(compiled) => {
            Executable::with_primitives(invert(program)?, primitives).with_compiled(compiled)
        }
        None => checked(program, primitives),
    };
    parse_all(spec, primitives)?.iter().map(inverted).collect()
}
