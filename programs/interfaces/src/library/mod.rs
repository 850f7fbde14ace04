//! Libraries as guarded updates (section 2.1): global variables, an initial condition, an error
//! condition, and functions, each a set of rules over the global and its local variables.
//!
//! A call of a function binds its parameters to any values in their ranges, sets its local
//! variables to their initial values, and applies enabled rules until none is enabled or the error
//! condition holds. An error is final.

mod check;
mod concrete;
mod expr;
mod fold;
mod interval;
mod lexer;
mod parse;
mod print;

pub use check::{check, check_products};
pub(crate) use check::{large_product, stays_in_range};
pub use concrete::{Outcome, STEP_LIMIT, State, call, initial_states, is_error};
pub use expr::{BinaryOp, Expr, UnaryOp};
pub(crate) use fold::folded;
pub use interval::{Interval, interval};
pub use parse::parse;

use std::fmt;

/// A place in a source file. Lines and columns count from 1; 0 means that there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// The reason, with its place, why a library, a client or a C file is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// File, as the user named it; empty if the text has none.
    pub file: String,
    /// Place in the file.
    pub place: Place,
    /// A one-line message that says what is wrong and, if known, what to do.
    pub message: String,
}

impl Problem {
    /// Creates a problem at a place of a file, which [`Self::in_file`] names.
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Self { file: String::new(), place, message: message.into() }
    }

    /// Sets the file, if none is set.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_empty() { "input" } else { &self.file };
        match self.place.line {
            0 => write!(f, "{file}: {}", self.message),
            line => write!(f, "{file}:{line}:{}: {}", self.place.column, self.message),
        }
    }
}

impl std::error::Error for Problem {}

/// The index of a variable in the scope of a function, in which globals come first, then parameters, then other locals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub usize);

/// A variable of a bounded range of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name, unique in its scope.
    pub name: String,
    /// Lowest value.
    pub low: i64,
    /// Highest value, not below `low`.
    pub high: i64,
    /// The value at the entry of a function, for locals that are not parameters.
    pub initial: i64,
    /// Declaration.
    pub place: Place,
}

/// The new value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// The value of an expression over the old values.
    Value(Expr),
    /// Any value of a range: an input, or an over-approximation.
    Any(i64, i64),
}

/// A rule `guard ==> updates`. Variables without an update keep their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Condition; nonzero is true.
    pub guard: Expr,
    /// Updates of different variables, all at once.
    pub updates: Vec<(VarId, Update)>,
    /// The place at which the rule begins.
    pub place: Place,
}

/// A function of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Parameters, then other local variables.
    pub locals: Vec<Variable>,
    /// Number of parameters.
    pub parameters: usize,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Declaration.
    pub place: Place,
}

/// A library (`Lib = (F_G, V_G, E, I)` of section 2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// Name.
    pub name: String,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Initial condition over the globals.
    pub initial: Expr,
    /// Error condition over the globals.
    pub error: Expr,
    /// Functions.
    pub functions: Vec<Function>,
    /// The places of the conditions.
    pub places: Places,
}

/// The places of the conditions of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Places {
    /// The beginning of the library.
    pub module: Place,
    /// The first initial condition, or the beginning if there is none.
    pub initial: Place,
    /// The error condition, or the variable that replaces the condition.
    pub error: Place,
}

impl Library {
    /// Returns the variable of an index in the scope of `function`, or among only the globals.
    pub fn variable(&self, function: Option<usize>, id: VarId) -> &Variable {
        match self.globals.get(id.0) {
            Some(v) => v,
            None => &self.functions[function.unwrap_or_default()].locals[id.0 - self.globals.len()],
        }
    }

    /// Keeps only the functions with the given names, in the given order, without repetitions.
    ///
    /// # Errors
    ///
    /// Returns a name that is not a function of this library.
    pub fn select(&mut self, names: &[String]) -> Result<(), Problem> {
        let mut kept: Vec<Function> = Vec::new();
        for name in names {
            let Some(f) = self.functions.iter().find(|f| f.name == *name) else {
                let all: Vec<&str> = self.functions.iter().map(|f| f.name.as_str()).collect();
                let message = format!("no function `{name}`; there are: {}", all.join(", "));
                return Err(Problem::new(Place::default(), message));
            };
            if !kept.contains(f) {
                kept.push(f.clone());
            }
        }
        self.functions = kept;
        Ok(())
    }
}
