//! The register machine that runs data-moving statements.
//!
//! These statements are assembled into [`Code`] when they are first run: the normalization program, the statements of
//! its inverse that choose nothing, and the output conditions. Code makes no decisions; choices, ensures, lengths and
//! messages are left to the interpreter. On any irregularity it leaves its record unchanged, and the interpreter runs
//! the same statement and reports the error if there is one.
//!
//! - Scalars are 128-bit registers, one for each subexpression and constant; control flow uses jumps.
//! - A nest of loops over affine indices is one instruction for each of its statements: a fill, a copy, or a kernel. It
//!   runs on *vectors*: up to 256 elements are gathered in the narrower of 32 and 64 bits that no operation exceeds,
//!   each operation is applied to all of them, and the results are stored, or compared with the expected values.

mod assemble;
mod budget;
mod code;
mod copies;
mod copy;
mod element;
mod elements;
mod frame;
mod halt;
mod host;
mod lanes;
mod moves;
mod nest;
mod output;
mod run;
mod target;
mod vector;
mod words;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::store::{Record, Store};
use crate::invert::{Inverse, OutputConditions};
use crate::lower::{self, Mode, Node};
use crate::program::{FieldId, Program};
use assemble::assemble;
pub use budget::Budget;
pub use code::Code;
pub use frame::{Frame, Log};
pub use halt::{Halt, Irregular};
use host::{Conditions, Forward};

/// The code of a spec. Each part is assembled when it is first run.
#[derive(Debug, Default)]
pub struct Machine {
    /// The normalization program; `None` if it calls primitives.
    normalize: OnceLock<Option<Code>>,
    inverse: OnceLock<InverseCode>,
}

/// The parts of an inverse from which code is generated.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'i> {
    /// The inverse.
    pub inverse: &'i Inverse,
    /// The inverse's conditions on the canonical value alone.
    pub conditions: &'i OutputConditions,
    /// The number of the inverse's statements up to the last one that chooses anything but the content of free
    /// elements.
    pub decided: usize,
}

/// The code of an inverse.
#[derive(Debug)]
struct InverseCode {
    /// Ranges of statements of the body, with their code.
    pieces: Vec<(Range<usize>, Code)>,
    /// The output conditions.
    conditions: Vec<Option<Code>>,
}

impl InverseCode {
    fn new(Parts { inverse, conditions, decided }: Parts<'_>) -> Self {
        let program = &inverse.program;
        let pieces = lower::pieces(&inverse.body, decided).into_iter();
        let pieces = pieces.filter_map(|(places, nodes)| {
            Some((places, assemble(program, Mode::Backward, &nodes)?))
        });
        let condition = |p| assemble(program, Mode::Condition, &[Node::assumption(p)]);
        let conditions = conditions.closed.iter().map(condition).collect();
        Self { pieces: pieces.collect(), conditions }
    }
}

impl Machine {
    /// Runs the normalization program, where each element of the outputs `proved` is proved to be assigned once. If
    /// there is an expected value, arrays are only compared with it. `None` if there is no code.
    pub fn normalize(
        &self,
        (program, proved): (&Program, &BTreeSet<FieldId>),
        x: &Record,
        expected: Option<&Store>,
        budget: Budget,
    ) -> Option<Result<Record, Irregular>> {
        let assembled = || assemble(program, Mode::Forward, &lower::whole(program)?);
        let code = self.normalize.get_or_init(assembled).as_ref()?;
        let run = || {
            let mut host = Forward::new(program, proved, x, expected, budget)?;
            match run::run(code, &mut host) {
                Ok(true) => host.into_record(),
                Ok(false) | Err(_) => Err(Irregular),
            }
        };
        Some(run())
    }

    fn inverse(&self, inverse: Parts<'_>) -> &InverseCode {
        self.inverse.get_or_init(|| InverseCode::new(inverse))
    }

    /// Returns the code of the statements of the inverse's body that begin at `place`, and their number.
    pub fn piece(&self, inverse: Parts<'_>, place: usize) -> Option<(usize, &Code)> {
        let pieces = &self.inverse(inverse).pieces;
        let at = pieces.binary_search_by_key(&place, |(places, _)| places.start).ok()?;
        let (places, code) = &pieces[at];
        Some((places.len(), code))
    }

    /// Returns the truth of the output condition at `at` for the canonical value `y`; `None` if the code cannot
    /// decide it.
    pub fn condition(&self, inverse: Parts<'_>, at: usize, y: &Store) -> Option<bool> {
        let code = self.inverse(inverse).conditions.get(at)?.as_ref()?;
        run::run(code, &mut Conditions::new(y)).ok()
    }
}

thread_local! {
    static COUNTS: Cell<CodeCounts> = const { Cell::new(CodeCounts { run: 0, left: 0 }) };
}

/// Counts of statements of inverses that a thread ran.
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

/// Runs a statement of an inverse.
///
/// # Errors
///
/// Returns an error if an array has to be allocated first, or if the interpreter must run it.
pub fn run_piece(code: &Code, frame: &mut Frame<'_>) -> Result<(), Halt> {
    let result = match run::run(code, frame) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Halt::Irregular),
        Err(halt) => Err(halt),
    };
    let CodeCounts { run, left } = COUNTS.get();
    match result {
        Ok(()) => COUNTS.set(CodeCounts { run: run + 1, left }),
        Err(Halt::Irregular) => COUNTS.set(CodeCounts { run, left: left + 1 }),
        Err(Halt::Allocate(_)) => {}
    }
    result
}
