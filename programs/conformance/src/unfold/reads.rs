//! The edges of a graph that read, and the facts about them.

use std::collections::{BTreeMap, BTreeSet};

use canonical::Expr;

use super::home::Home;

/// The edges of a graph that read.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    /// The positions of all of them.
    pub edges: BTreeSet<usize>,
    /// The homes that edges fill, if known.
    pub homes: BTreeMap<usize, Home>,
    /// All values that edges may read, if known.
    pub written: BTreeMap<usize, BTreeSet<i128>>,
    /// Some of the values that may be read, of the others.
    pub partly: BTreeMap<usize, BTreeSet<i128>>,
    /// The status of the edges with which the run may end.
    pub statuses: BTreeMap<usize, Expr>,
    /// True for the first function, before which nothing runs.
    pub begins: bool,
    /// True if the choices of the consumer count. A producer may take all of its choices.
    pub choices: bool,
    /// The maximum number of distinct numbers of one variable, if that is more than usual.
    pub numbers: usize,
}
