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

mod expr;
mod lower;
mod memory;
mod recursion;
mod run;
mod slice;

pub use run::answers;

use std::path::PathBuf;

use canonical::{Effect, Program};

use crate::library::{Library, Place, Problem};
use crate::suite::CFunction;

/// The variable that a library sets when a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// As `Err` if there is a global variable `err`, else as `Exit`.
    Either,
    /// A global variable `err` that is not zero.
    Err,
    /// Only calls that do not return.
    Exit,
}

/// Settings of the translation.
#[derive(Debug, Clone)]
pub struct Options {
    /// Functions that clients call.
    pub functions: Vec<String>,
    /// What an error is.
    pub error: ErrorKind,
    /// Depth of the stack of functions that call themselves.
    pub stack: usize,
    /// Settings of the front end.
    pub front_end: canonical::c::Options,
}

/// A translated library.
#[derive(Debug, Clone)]
pub struct Translated {
    /// The guarded updates.
    pub library: Library,
    /// The functions, as C calls them.
    pub functions: Vec<CFunction>,
    /// True if the variable `err` tells of errors.
    pub has_variable: bool,
}

impl Translated {
    /// An expression of C that is true after a call that failed, if there is one.
    pub fn error(&self) -> Option<&'static str> {
        self.has_variable.then_some("err != 0")
    }
}

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
    let mut translated = lower::library(name, program, options)?;
    slice::slice(&mut translated.library);
    Ok(translated)
}

/// A problem at a place of a program.
fn problem(program: &Program, at: Option<canonical::Place>, message: impl Into<String>) -> Problem {
    let Some(at) = at else { return Problem::new(Place::default(), message) };
    let place = Place { line: at.line as usize, column: at.column as usize };
    let file = program.files.get(at.file.index()).map(|f| f.display().to_string());
    Problem::new(place, message).in_file(&file.unwrap_or_default())
}
