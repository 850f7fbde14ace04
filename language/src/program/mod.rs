//! Normalization programs: syntax tree, front end, checks and printing.
//!
//! A normalization program maps a record of bounded integers and arrays of them (the
//! representation) to another such record (the canonical value). Nothing here depends on
//! inversion.

mod bit_fields;
pub mod callee;
pub mod codes;
mod constants;
pub mod diagnostic;
pub mod eval;
pub mod fold;
mod id;
pub mod iteration;
mod parse;
pub mod poly;
pub mod print;
pub mod range;
pub mod source;
pub mod streams;
pub mod syntax;
pub mod views;
pub mod walk;
mod wellformed;

pub use callee::{Callee, Signatures};
pub use constants::{Constants, constants};
pub use diagnostic::{Diagnostic, SpecError};
pub use fold::{Fold, Visit};
pub use id::FieldId;
pub(crate) use id::index_type;
pub use parse::{parse, parse_all, parse_from, parse_with};
pub use poly::{Atom, Monomial, Poly};
pub use source::{Disk, Embedded, Files, Source, SourceFile, Span, SpecText};
pub use syntax::{
    Cmp, Expr, Field, IntType, Length, Op, Pred, Program, RecordType, Ref, Side, Stmt, StmtKind,
    VarId,
};
