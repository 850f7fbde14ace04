//! Diagnostics about the parts of a program that were not understood.

use serde::{Deserialize, Serialize};

use super::{FunctionId, Place};

/// The effect of a diagnostic on results about the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Something is over-approximated. The graph has all behaviours of the source, and perhaps more.
    OverApproximated,
    /// Some behaviours of the source are not in the graph, so results about it need not hold.
    Unsound,
    /// The function has no graph, as if it were only declared.
    NoBody,
    /// A declaration, or a whole file, was left out.
    LeftOut,
}

/// Something that was not understood, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// One line for a person, without the place.
    pub message: String,
    /// The place, if it has one.
    pub place: Option<Place>,
    /// The function in which it occurs.
    pub function: Option<FunctionId>,
    /// The consequence.
    pub effect: Effect,
}
