//! The edges of a graph that read, and what is known of them.

use std::collections::{BTreeMap, BTreeSet};

use canonical::Expr;

use super::home::Home;

/// The edges of a graph that read.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    /// The positions of all of them.
    pub edges: BTreeSet<usize>,
    /// The home that is filled, of those of which it is known.
    pub homes: BTreeMap<usize, Home>,
    /// All values that may be read, of the edges of which they are known.
    pub written: BTreeMap<usize, BTreeSet<i128>>,
    /// Some of the values that may be read, of the others.
    pub partly: BTreeMap<usize, BTreeSet<i128>>,
    /// The status of the edges with which the run may end.
    pub statuses: BTreeMap<usize, Expr>,
    /// True for the first function, before which nothing runs.
    pub begins: bool,
    /// True if the consumer's choices count: those of a producer are all taken.
    pub choices: bool,
    /// Numbers of one variable that are told apart, if that is more than usual.
    pub numbers: usize,
}
