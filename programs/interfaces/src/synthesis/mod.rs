//! Algorithms that compute interface graphs.

mod abstraction;
mod cegar;
mod direct;
mod learning;
mod paper;
mod stable;

pub use abstraction::{Abstraction, Predecessors};
pub use cegar::cegar;
pub use direct::direct;
pub use learning::learning;
pub use paper::{Explorer, Refinements};
pub use stable::Stable;

use std::time::{Duration, Instant};

use crate::graph::Graph;
use crate::library::{Library, Problem};
use crate::symbolic::Calls;

/// An algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Three-valued abstraction refinement, as in the paper.
    Paper,
    /// Refinement until the partition is stable: safe and permissive.
    Stable,
    /// One node for each state.
    Direct,
    /// Angluin's L* (Alur et al.).
    Learning,
    /// Refinement by Boolean variables (Henzinger et al.).
    Cegar,
}

impl Mode {
    /// All modes, in the order of Figure 4.
    pub const ALL: [Self; 5] =
        [Self::Paper, Self::Stable, Self::Direct, Self::Learning, Self::Cegar];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Stable => "stable",
            Self::Direct => "direct",
            Self::Learning => "learning",
            Self::Cegar => "cegar",
        }
    }
}

/// Computes the interface graph of a library.
///
/// # Errors
///
/// The library has a problem, or the time limit passes.
pub fn synthesize(library: Library, mode: Mode, limit: Option<Duration>) -> Result<Graph, Problem> {
    let mut calls = Calls::new(library)?;
    calls.deadline = limit.map(|limit| Instant::now() + limit);
    match mode {
        Mode::Paper => Explorer::new(&calls)?.explore(),
        Mode::Stable => Stable::new(&calls).explore(),
        Mode::Direct => direct(&calls),
        Mode::Learning => learning(&calls),
        Mode::Cegar => cegar(&calls),
    }
}
