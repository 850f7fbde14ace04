//! Claims that Z3 leaves open, and that other analyses prove.
//!
//! The analyses speak of one run: that no index is outside. That no element is assigned twice or never is no
//! property of a run, so that these claims stay with Z3.

use std::time::Duration;

use analyses::run::Options;
use analyses::spec::inside;
use inverter::check::Coverage;
use inverter::check::once::{Claim, Unproved, unproved_if_inside};
use inverter::program::Program;

/// All that is known beyond Z3's own proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// The analyses that prove that every index is inside.
    pub by: Vec<&'static str>,
    /// The claims that are open still.
    pub open: Vec<Unproved>,
}

/// Asks the analyses, if a claim is open that they know of. A spec of which no accepted input was seen is left
/// alone: everything is true of it.
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
