//! Lowering: the statements that move data, of a normalization program or of its inverse, in the
//! form that code is made of.
//!
//! Two back ends begin here: [`emit`](crate::emit) writes Rust for the specs of a crate, and
//! `run::machine` makes the code of a register machine when a spec is loaded.
//! Both run nests of loops over affine indices as one step.

mod kernel;
mod nest;
pub(crate) mod node;
mod scope;

pub(crate) use kernel::{Hull, reads};
pub(crate) use nest::{Aim, Lane, Step, Work, nest};
pub(crate) use node::{Kind, Node};
pub(crate) use scope::{Mode, Scope};

/// The bound up to which arithmetic needs no check: if the ranges of both operands and of the
/// result, which are computed with saturation, are within it, nothing overflows.
pub(crate) const SURE: i128 = 1 << 120;
