//! Translates C to guarded updates (section 3), by way of canonical programs.
//!
//! The location variable `s` is the position of the instruction counter. Guards and assignments become rules, and calls
//! are inlined. Functions that call themselves share an explicit stack of bounded depth. Arrays of fixed size and
//! structs are flattened. A pointer is 0 if it is null, else 1; a parameter that points to a struct points to one
//! object of that type, which all functions share.
//!
//! A call fails if a variable `err` is set ([`ErrorKind::Err`]), if it never returns because of `exit`, `abort` or
//! `assert`, and if it exceeds an array, divides by zero, reads through a null pointer, or nests deeper than the stack.
//! Integers wrap; 64-bit integers are modelled with 56 bits.

mod alias;
mod block;
mod calls;
mod expr;
mod external;
mod interface;
mod known;
mod lower;
mod memory;
mod options;
mod pointer;
mod recursion;
mod run;
mod scope;
mod slice;
mod state;

pub use options::{ErrorKind, Options, Translated};
pub use run::answers;

use std::path::PathBuf;

use canonical::c::is_about_attribute;
use canonical::order::{called, conflicts};
use canonical::{Effect, FunctionId, Program};

use crate::attributes::unfollowed;
use crate::client::exits::Always;
use crate::library::Problem;
use options::problem;

/// Reads a file of C and translates it.
///
/// # Errors
///
/// The error is the first construct that has no translation, with its place.
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
    if let Some(first) = unfollowed(program).into_iter().next() {
        let message = format!(
            "`{}` has no translation, as it changes what runs, or what a name means: leave it out of the model",
            first.name
        );
        return Err(problem(program, Some(first.place), message));
    }
    for d in &program.diagnostics {
        if is_about_attribute(&d.message) {
            continue;
        }
        // Functions in headers that are not used have no body here.
        let is_used = d.function.is_none_or(|f| program.function(f).body.is_some());
        if d.effect != Effect::OverApproximated || is_used {
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
    let entries: Vec<FunctionId> =
        options.functions.iter().filter_map(|f| program.function_named(f)).collect();
    let used = called(program, &entries);
    if let Some((place, name)) = conflicts(program, &[], |f| used.contains(&f)).into_iter().next() {
        let message = format!(
            "the order of evaluation is open in C, and matters for {name}: write several statements"
        );
        return Err(problem(program, place, message));
    }
    interface::library(name, program, options)
}
