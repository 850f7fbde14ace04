//! A run of a program with walks; its steps are in the other files.

use super::choices::Numbers;
use super::plan::Rest;
use super::state::State;
use crate::program::{Program, Span};
use crate::run::store::Store;
use crate::solve::Stream;

/// The decisions on the way through a round, and the remaining alternatives.
#[derive(Debug, Default)]
pub struct Frame {
    /// The remaining alternatives of each decision, with the current one last.
    pub taken: Vec<Vec<i128>>,
    /// The number of decisions that this way has reached.
    pub at: usize,
}

impl Frame {
    /// Advances to the next way; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some(last) = self.taken.last_mut() {
            last.pop();
            if !last.is_empty() {
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

/// The purpose of a round of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// No particular purpose.
    Any,
    /// It assigns outputs.
    Progress,
    /// It assigns no output.
    Skip,
}

/// A run.
pub struct Walker<'a> {
    /// The program.
    pub program: &'a Program,
    /// The canonical value.
    pub y: &'a Store,
    /// The state.
    pub state: State,
    /// The random numbers of all decisions.
    pub rng: Stream,
    /// The decisions of the rounds that the run is in.
    pub frames: Vec<Frame>,
    /// The statements that the run has not reached yet, the next one last.
    pub rest: Vec<Rest<'a>>,
    /// The steps that are left.
    pub steps: u64,
    /// The purpose of the round.
    pub mode: Mode,
    /// The place of the statement that was run last.
    pub last: Span,
    /// The numbers that are given or kept.
    pub numbers: &'a Numbers,
    /// True if the canonical value is arbitrary.
    pub any: bool,
}
