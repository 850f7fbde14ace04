//! Walks: loops that find the place of each record from the lengths of earlier ones.
//!
//! A program with walks has mutable variables. It is run as written in both directions: its inverse runs it on an
//! unknown file, and decides each number when the course of the run depends on it.

use serde::{Deserialize, Serialize};

use super::FieldId;
use super::codes::{Code, Summed};
use super::fold::statements;
use super::syntax::{Expr, Pred, Program, Stmt, StmtKind, VarId};
use super::views::Form;

/// The encoding of a number that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    /// A fixed number of bytes.
    Fixed(Form),
    /// As many bytes as they themselves state.
    Coded(Code),
}

/// A number that is read from bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// The variable that it is assigned to.
    pub number: VarId,
    /// For a number of variable length, the variable to which its number of bytes is assigned.
    pub width: Option<VarId>,
    /// The input array of bytes.
    pub array: FieldId,
    /// The index of the first byte.
    pub at: Expr,
    /// The encoding.
    pub encoding: Encoding,
    /// The name of its dimension, which is a list of the numbers read here.
    pub dimension: String,
}

/// The statements that only programs with walks have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Walk {
    /// `name = e;`, or `let name = e;`
    Set {
        /// The variable.
        var: VarId,
        /// Its new value.
        value: Expr,
    },
    /// `let name = u32be(x.file, at);`
    Read(Read),
    /// `while p { .. }`
    While {
        /// The condition under which there is another round.
        cond: Pred,
        /// The body.
        body: Vec<Stmt>,
        /// The name of the dimension that is its number of rounds.
        rounds: String,
    },
    /// `assume(e == crc32(x.file, start, end));`
    Sum {
        /// The number that equals the sum.
        number: Expr,
        /// The sum.
        of: Summed,
    },
}

/// Returns true if there are walks, or variables that change, among these statements.
pub(super) fn any(body: &[Stmt]) -> bool {
    let mut found = false;
    statements(body, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Walk(_)));
    found
}

impl Program {
    /// Returns true if the program has walks, or mutable variables.
    pub fn has_walks(&self) -> bool {
        self.walks
    }
}
