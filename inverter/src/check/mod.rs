//! Checks of a spec before it is used. [`load`] proves that each output element is assigned once; without the feature `z3`
//! nothing is proved. Further checks, of the inverse and its samplers, are in `repfuzz-checks`.

mod cover;
pub mod coverage;
pub mod once;
pub mod outside;
mod record;

pub use coverage::{Coverage, assigned_once};
pub use outside::{RefusedInput, outside_reads};
pub use record::{Records, record};

use crate::invert::invert;
use crate::primitive::Primitives;
use crate::program::{Program, SpecError, SpecText, parse_all, parse_from};
use crate::run::Executable;

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
    load_recorded(spec, primitives, &Records::default())
}

/// [`load_all`], where a text of which there is a record is not checked again, and inverted when its inverse is first needed.
///
/// # Errors
///
/// As [`load_all`].
pub fn load_recorded(
    spec: &SpecText<'_>,
    primitives: &Primitives,
    records: &Records,
) -> Result<Vec<Executable>, SpecError> {
    let programs = parse_all(spec, primitives)?;
    let digest = programs.first().map(|program| record::digest(&program.source));
    let inverted = |program: Program| match digest
        .as_ref()
        .and_then(|digest| records.proved(&program, digest))
    {
        Some(proved) => Ok(Executable::lazy(program, primitives).with_proved(proved)),
        None => checked(&program, primitives),
    };
    programs.into_iter().map(inverted).collect()
}
