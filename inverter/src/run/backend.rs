//! The three ways to run statements that move data: the interpreter, code that a build script compiled,
//! and the machine. All three make the same values, choices and messages; code gives up where it has no
//! answer, and the interpreter has the last word.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use super::compiled::{Budget, Compiled, Frame, Halt, Irregular, Piece};
use super::machine::{self, Code, Machine, Parts};
use super::room::Room;
use super::store::{Record, Store};

/// The way in which the statements of a spec are run.
#[derive(Debug, Clone)]
pub(super) enum Backend {
    Interpreter,
    Compiled(&'static Compiled),
    /// Assembled when it is first needed.
    Machine(Arc<OnceLock<Machine>>),
}

impl Default for Backend {
    fn default() -> Self {
        Backend::Machine(Arc::default())
    }
}

/// A statement of an inverse's body, as code.
pub(super) enum PieceCode<'a> {
    Compiled(Piece),
    Machine(&'a Code),
}

thread_local! {
    static COUNTS: Cell<CodeCounts> = const { Cell::new(CodeCounts { run: 0, left: 0 }) };
}

/// Counts of statements that a thread ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeCounts {
    /// Statements that code ran.
    pub run: u64,
    /// Statements that code left to the interpreter.
    pub left: u64,
}

/// Returns the counts of this thread so far.
pub fn code_counts() -> CodeCounts {
    COUNTS.get()
}

impl PieceCode<'_> {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If an array has to be allocated first, or the interpreter shall run the statement.
    pub fn run(&self, frame: &mut Frame<'_>) -> Result<(), Halt> {
        let result = match self {
            PieceCode::Compiled(piece) => piece(frame),
            PieceCode::Machine(code) => machine::run_piece(code, frame),
        };
        let CodeCounts { run, left } = COUNTS.get();
        match result {
            Ok(()) => COUNTS.set(CodeCounts { run: run + 1, left }),
            Err(Halt::Irregular) => COUNTS.set(CodeCounts { run, left: left + 1 }),
            Err(Halt::Allocate(_)) => {}
        }
        result
    }
}

impl Backend {
    /// Runs the code of the normalization program; with an expected value its arrays are only compared, and
    /// otherwise made in `room`. `None` if there is no such code.
    pub fn normalize(
        &self,
        spec: &Parts<'_>,
        x: &Record,
        expected: Option<&Store>,
        room: Room,
    ) -> Option<Result<Record, Irregular>> {
        let budget = || Budget::for_value(x).within(room);
        match self {
            Backend::Interpreter => None,
            Backend::Compiled(compiled) => compiled.normalize.map(|f| f(x, expected, budget())),
            Backend::Machine(machine) => {
                assembled(machine, spec).normalize(spec, x, expected, budget())
            }
        }
    }

    /// Returns the code of the statement at `place` of the inverse's body.
    pub fn piece(&self, spec: &Parts<'_>, place: usize) -> Option<PieceCode<'_>> {
        match self {
            Backend::Interpreter => None,
            Backend::Compiled(compiled) => compiled.piece(place).map(PieceCode::Compiled),
            Backend::Machine(machine) => {
                assembled(machine, spec).piece(place).map(PieceCode::Machine)
            }
        }
    }

    /// Returns the truth of the output condition at `at` for the canonical value `y`, if code decides it.
    pub fn condition(&self, spec: &Parts<'_>, at: usize, y: &Store) -> Option<bool> {
        match self {
            Backend::Interpreter => None,
            Backend::Compiled(compiled) => compiled.conditions.get(at).and_then(|c| c(y).ok()),
            Backend::Machine(machine) => assembled(machine, spec).condition(at, y),
        }
    }
}

fn assembled<'m>(machine: &'m OnceLock<Machine>, spec: &Parts<'_>) -> &'m Machine {
    machine.get_or_init(|| Machine::new(spec))
}
