//! Checks of a spec before it is used. [`load`] proves that each output element is assigned once; without the feature `z3`
//! nothing is proved. Further checks, of the inverse and its samplers, are in `repfuzz-checks`.

mod cover;
pub mod coverage;
pub mod once;
pub mod outside;

pub use coverage::{Coverage, assigned_once};
pub use outside::{RefusedInput, outside_reads};

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
