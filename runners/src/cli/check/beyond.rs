//! Claims that Z3 leaves undecided and that other analyses prove.
//!
//! The analyses prove properties of single runs, such as that no index is out of bounds. That each element is assigned
//! exactly once is not a property of single runs, so Z3 alone proves it.

use std::time::Duration;

use analyses::run::Options;
use analyses::spec::inside;
use inverter::check::Coverage;
use inverter::check::once::{Claim, Unproved, unproved_if_inside};
use inverter::program::Program;

/// The facts that are known beyond Z3's proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// The analyses that prove that every index is inside.
    pub by: Vec<&'static str>,
    /// The claims that are still undecided.
    pub open: Vec<Unproved>,
}

/// Runs the analyses if they support a claim that is undecided. Skips a spec for which no accepted input was seen,
/// because every claim holds for it.
pub fn beyond(program: &Program, coverage: &Coverage, time: Duration) -> Option<Beyond> {
    let Coverage::Searched { inputs: 1.., unproved, .. } = coverage else { return None };
    if unproved.iter().all(|claim| claim.what != Claim::Inside) {
        return None;
    }
    let mut options = Options::default();
    options.clients.retain(|client| !client.executes_paths());
    options.run.time = time;
    let by = inside(program, &options).ok()??;
    Some(Beyond { by, open: unproved_if_inside(program) })
}
