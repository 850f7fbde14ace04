//! C to guarded updates (section 3), over canonical programs.
//!
//! The location variable `s` is the position of the instruction counter; a guard or an assignment is
//! a rule, a call is inlined, and functions that call themselves share one explicit stack of bounded
//! depth. Arrays of fixed size and structs are flattened. A pointer is 0 if it is null, else 1; a
//! parameter that points to a struct points to one object of that type, which all functions share.
//!
//! A call fails if a variable `err` is set ([`ErrorKind::Err`]), if it never returns because of
//! `exit`, `abort` or `assert`, and if it leaves an array, divides by zero, reads through a null
//! pointer, or nests deeper than the stack. Integers wrap; those of 64 bits have 56 here.

mod calls;
mod expr;
mod interface;
mod lower;
mod memory;
mod options;
mod recursion;
mod run;
mod slice;
mod state;

pub use options::{ErrorKind, Options, Translated};
pub use run::answers;

use std::path::PathBuf;

use canonical::{Effect, Program};

use crate::client::exits::Always;
use crate::library::Problem;
use options::problem;

/// Reads a file of C and translates it.
///
/// # Errors
///
/// The first thing that has no translation, with its place.
pub fn read(file: PathBuf, options: &Options) -> Result<Translated, Problem> {
    let name = file.file_stem().map_or("library".to_owned(), |s| s.to_string_lossy().into_owned());
    let program = canonical::c::read(&[file], &options.front_end);
    translate(&name, &program, options)
}

/// Translates a program.
///
/// # Errors
///
/// The first thing that has no translation, with its place.
pub fn translate(name: &str, program: &Program, options: &Options) -> Result<Translated, Problem> {
    for d in &program.diagnostics {
        if d.effect != Effect::OverApproximated {
            return Err(problem(program, d.place, d.message.clone()));
        }
    }
    if let Some(first) = Always::of(program).constructors.first() {
        let f = program.function(*first);
        let message = format!(
            "`{}` runs before `main`, so that the initial state is not known: use initializers, or name \
             it as a function that clients call",
            f.name
        );
        return Err(problem(program, f.place, message));
    }
    let mut translated = interface::library(name, program, options)?;
    slice::slice(&mut translated.library);
    Ok(translated)
}
