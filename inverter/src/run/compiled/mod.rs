//! Compiled specs and the small runtime that they call.
//!
//! [`emit`](crate::emit) turns both directions of a program into Rust. The emitted code moves data
//! and decides nothing: choices, ensures, lengths and messages are the interpreter's. On any
//! irregularity a compiled function returns [`Irregular`] and leaves its record unchanged; the
//! interpreter then runs the same piece, and reports the error if there is one.

mod budget;
mod copies;
mod copy;
mod element;
mod elements;
mod forward;
mod frame;
mod kernel;
mod known;
mod nest;

pub use budget::Budget;
pub use element::Element;
pub use elements::Lane;
pub use forward::{Output, Reads, Scalar, given};
pub(in crate::run) use frame::Log;
pub use frame::{Frame, Source};
pub use kernel::{attempt, holds};
pub(in crate::run) use known::Destination;
pub use known::{Aim, Target};
pub use nest::{AffineIndex, Nest};

use super::store::{Record, Store};
use crate::program::eval::apply;
use crate::program::{FieldId, Op, Program};

/// A spec, compiled.
#[derive(Debug, Clone, Copy)]
pub struct Compiled {
    /// The texts of the files that it was compiled from. A program of other texts never uses it.
    pub spec: &'static [&'static str],
    /// The function in it.
    pub function: &'static str,
    /// The normalization program; `None` if it calls primitives, and stays interpreted.
    pub normalize: Option<Normalize>,
    /// Statements of the inverse's body, by their place in it.
    pub pieces: &'static [(usize, Piece)],
    /// The output conditions: closed predicates over the canonical value.
    pub conditions: &'static [Condition],
}

/// A normalization program. With an expected value no array is made: each element is compared
/// with the one that it is to be, and is [`Irregular`] if it is another.
pub type Normalize = fn(&Record, Option<&Store>, Budget) -> Result<Record, Irregular>;

/// A statement of an inverse's body.
pub type Piece = fn(&mut Frame<'_>) -> Result<(), Halt>;

/// A predicate over the canonical value.
pub type Condition = fn(&Store) -> Result<bool, Irregular>;

impl Compiled {
    /// Returns true if it was compiled from this program.
    pub fn is_of(&self, program: &Program) -> bool {
        let texts = program.source.files().iter().map(|file| file.text.as_str());
        self.function == program.name && self.spec.iter().copied().eq(texts)
    }

    /// The compiled statement at `place` of the inverse's body.
    pub fn piece(&self, place: usize) -> Option<Piece> {
        let at = self.pieces.binary_search_by_key(&place, |(at, _)| *at).ok()?;
        Some(self.pieces[at].1)
    }
}

/// Something is not as compiled code expects it: the interpreter shall look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Irregular;

/// The reason why a piece ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The interpreter shall run it.
    Irregular,
    /// This input array shall be allocated; then the piece is called again.
    Allocate(FieldId),
}

impl From<Irregular> for Halt {
    fn from(_: Irregular) -> Self {
        Halt::Irregular
    }
}

/// Checks an assumption.
///
/// # Errors
///
/// If it does not.
pub fn assume(holds: bool) -> Result<(), Irregular> {
    if holds { Ok(()) } else { Err(Irregular) }
}

macro_rules! checked {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// If it has no value, or one beyond 128 bits.
        pub fn $name(a: i128, b: i128) -> Result<i128, Irregular> {
            apply(Op::$op, a, b).map_err(|_| Irregular)
        }
    )*};
}

checked! {
    /// `a + b`
    add = Add;
    /// `a - b`
    sub = Sub;
    /// `a * b`
    mul = Mul;
    /// `a / b`, downwards; `b` at least 1.
    div = Div;
    /// The remainder of `a / b`; `b` at least 1.
    rem = Rem;
    /// `a / b`, upwards; `b` at least 1.
    div_ceil = DivCeil;
}
