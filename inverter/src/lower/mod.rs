//! Lowering: translates the data-moving statements of a normalization program or its inverse into the form from which
//! code is generated.
//!
//! `run::machine` generates code for a register machine when a spec is first run; in this code, a nest of loops over
//! affine indices is one step.

mod kernel;
mod nest;
mod node;
mod scope;

pub(crate) use kernel::{Hull, reads};
pub(crate) use nest::{Lane, Step, Work, nest};
pub(crate) use node::Node;
pub(crate) use scope::{Mode, Scope};

use std::ops::Range;

use crate::invert::Inst;
use crate::program::Program;

/// The maximum number of loops of a nest.
pub(crate) const MOST_LOOPS: usize = 6;

/// The maximum number of elements that a round of a nest may read for one statement.
pub(crate) const MOST_LANES: usize = 4;

/// Returns a normalization program in the form for code generation; `None` if it calls a primitive.
pub(crate) fn whole(program: &Program) -> Option<Vec<Node<'_>>> {
    node::of_program(&program.body).map(node::unswitched)
}

/// Returns the statements of an inverse's body that are compiled, with their places: those that choose nothing and call
/// no primitive. A statement with loops stands alone; consecutive ones without loops are combined, except for those on
/// different sides of `split`.
pub(crate) fn pieces(body: &[Inst], split: usize) -> Vec<(Range<usize>, Vec<Node<'_>>)> {
    let mut out: Vec<(Range<usize>, Vec<Node<'_>>)> = Vec::new();
    let mut open = false;
    for (place, inst) in body.iter().enumerate() {
        let Some(nodes) = node::of_inverse(std::slice::from_ref(inst)) else {
            open = false;
            continue;
        };
        let nodes = node::unswitched(nodes);
        let loops = nodes.iter().any(Node::has_loop);
        match out.last_mut() {
            Some((places, row)) if open && !loops && place != split => {
                places.end = place + 1;
                row.extend(nodes);
            }
            _ => out.push((place..place + 1, nodes)),
        }
        open = !loops;
    }
    out
}

/// The bound within which arithmetic needs no check: if the ranges of both operands and of the result, which are
/// computed with saturation, are within it, nothing overflows.
pub(crate) const SURE: i128 = 1 << 120;
