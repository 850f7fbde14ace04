//! Settings and result of the translation.

use canonical::Program;

use crate::library::{Library, Place, Problem};
use crate::suite::CFunction;

/// The sign that a call has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Like `Err` if there is a global variable `err`, otherwise like `Exit`.
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
    /// The kind of an error.
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
    /// True if the variable `err` indicates errors.
    pub has_variable: bool,
}

impl Translated {
    /// Returns a C expression that is true after a call that failed, if there is one.
    pub fn error(&self) -> Option<&'static str> {
        self.has_variable.then_some("err != 0")
    }
}

/// A problem at a place of a program.
pub(super) fn problem(
    program: &Program,
    at: Option<canonical::Place>,
    message: impl Into<String>,
) -> Problem {
    let Some(at) = at else { return Problem::new(Place::default(), message) };
    let place = Place { line: at.line as usize, column: at.column as usize };
    let file = program.files.get(at.file.index()).map(|f| f.display().to_string());
    Problem::new(place, message).in_file(&file.unwrap_or_default())
}
