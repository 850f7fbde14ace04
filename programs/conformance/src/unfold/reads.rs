//! The edges of a graph that read, and the facts about them.

use std::collections::{BTreeMap, BTreeSet};

use canonical::Expr;

use super::home::Home;

/// The edges of a graph that read.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    /// The positions of the edges that read.
    pub edges: BTreeSet<usize>,
    /// The homes that edges fill, if known.
    pub homes: BTreeMap<usize, Home>,
    /// All values that edges may read, if known.
    pub written: BTreeMap<usize, BTreeSet<i128>>,
    /// For other edges, some of the values that they may read.
    pub partly: BTreeMap<usize, BTreeSet<i128>>,
    /// For edges with which the run may end, the exit status.
    pub statuses: BTreeMap<usize, Expr>,
    /// True for the first function, before which nothing runs.
    pub begins: bool,
    /// True if the choices of the consumer count. A producer may take any of its choices.
    pub choices: bool,
    /// The maximum number of distinct numbers of one variable, if that is more than usual.
    pub numbers: usize,
}
