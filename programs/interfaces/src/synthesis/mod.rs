//! Algorithms that compute interface graphs.

mod abstraction;
mod cegar;
mod learning;
mod paper;
mod parts;
mod stable;

pub use abstraction::{Abstraction, Predecessors};
pub use cegar::cegar;
pub use learning::learning;
pub use paper::{Explorer, Refinements};
pub(crate) use parts::{any_arguments, arguments, empty};
pub use stable::Stable;

use std::time::Duration;

use crate::explicit::{self, Stop};
use crate::graph::Graph;
use crate::library::{Library, Problem, check, stays_in_range};
use crate::symbolic::{Calls, Space};
use crate::watch::Watch;

/// An algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Three-valued abstraction refinement, as in the paper.
    Paper,
    /// Refines until the partition is stable. The graph is safe and permissive.
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

    /// Returns a line about how a graph of this mode differs from the library.
    pub fn remark(self, graph: &Graph) -> Option<String> {
        let has_errors = graph.nodes.iter().any(|n| n.is_error);
        let has_parameters = graph.parameters.iter().any(|p| !p.is_empty());
        match self {
            Self::Stable => None,
            Self::Paper => Some(
                "the mode `paper` is the algorithm as printed: this graph may allow calls that fail, later \
                 or with some arguments; the mode `stable` allows none"
                    .to_owned(),
            ),
            _ => (has_errors && has_parameters).then(|| {
                format!(
                    "the mode `{}` refuses a call with all arguments if it fails with some of them; the \
                     mode `stable` tells them apart",
                    self.name()
                )
            }),
        }
    }
}

/// The maximum number of nodes of a graph. A larger one is refused.
pub const MOST_NODES: usize = 2000;

/// Computes the interface graph of a library.
///
/// # Errors
///
/// Returns an error if the library has a problem or the time limit passes. The parts of the work check the clock only
/// from time to time; [`Watch::run`] always enforces the limit.
pub fn synthesize(library: Library, mode: Mode, limit: Option<Duration>) -> Result<Graph, Problem> {
    synthesize_within(library, mode, &Watch::new(limit))
}

/// Computes the interface graph of a library within the limit of a watch.
///
/// # Errors
///
/// As for [`synthesize`].
pub fn synthesize_within(library: Library, mode: Mode, watch: &Watch) -> Result<Graph, Problem> {
    check(&library)?;
    // For other libraries, diagrams decide whether updates stay in range.
    if matches!(mode, Mode::Stable | Mode::Direct) && stays_in_range(&library) {
        let space = Space::new(&library)?;
        if mode == Mode::Direct {
            return explicit::direct(&library, &space, watch).map_err(refused);
        }
        match explicit::stable(&library, &space, watch) {
            Ok(graph) => return Ok(graph),
            Err(Stop::Problem(problem)) => return Err(problem),
            Err(Stop::TooMuch(_)) => {}
        }
    }
    let calls = Calls::within(library, watch)?;
    watch.begin("the graph was computed");
    match mode {
        Mode::Paper => Explorer::new(&calls)?.explore(),
        Mode::Stable => Stable::new(&calls).explore(),
        Mode::Direct => explicit::direct(&calls.library, &calls.space, watch).map_err(refused),
        Mode::Learning => learning(&calls),
        Mode::Cegar => cegar(&calls),
    }
}

/// The reason why `direct` has no graph, with the mode or limit that would help.
fn refused(stop: Stop) -> Problem {
    match stop {
        Stop::Problem(problem) => problem,
        Stop::TooMuch(mut problem) => {
            problem.message += "; `direct` lists each state, so all variables that decide something \
                                must take few values: use the mode `stable`";
            problem
        }
    }
}
