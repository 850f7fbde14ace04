//! The conventions of a client: computes the right output for it from the canonical picture.
//!
//! A client that shows 8 bits of 16 or leaves the orientation to its caller is not wrong. Its [`Contract`] records such
//! conventions, from the closed list in [`convention`], and computes the output that the client should give for a file.
//! A client can therefore be compared with the truth instead of with itself. [`probe`] learns a contract from plain
//! files.

mod complete;
pub mod convention;
mod expected;
mod facts;
mod levels;
pub mod probe;
mod table;
mod terms;
mod turn;

pub use expected::Expected;
pub use facts::{Colors, Facts};
pub use terms::Contract;
