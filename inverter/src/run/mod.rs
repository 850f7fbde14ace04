//! Runs both directions of a program, as code or interpreted.

mod backward;
pub mod bytes;
mod condition_values;
mod error;
pub mod eval;
mod executable;
pub mod explore;
mod failed;
mod fallible;
mod forward;
mod json;
mod machine;
pub mod outputs;
mod room;
mod steps;
pub mod store;
mod trace;
pub mod views;
mod walk;
mod wide;
mod writes;

pub(crate) use backward::SharedCache;
pub use backward::{Drawn, Limits, Made, Prepared, Runner, invert_value};
pub use backward::{Sampler, samplers_of};

/// The choices of the search for a representation.
pub mod search {
    pub use super::backward::search::{SEARCH, choices_for as search_choices};
}
pub use bytes::Bytes;
pub use condition_values::ConditionValues;
pub use error::RunError;
pub use executable::Executable;
pub use forward::{
    Branch, Course, branches_taken, course, normalize, normalize_in, normalize_with,
    normalize_within, normalizes_to,
};
pub use json::{AsJson, from_json, from_json_reader, from_json_text, to_json};
pub use machine::{CodeCounts, code_counts};
pub use room::{MAX_SIZE, Room};
pub use steps::Steps;
pub use store::{Array, Cells, FieldValue, Record, Slot, Store};
pub use trace::own_choices;
pub use walk::any_walk;

/// The maximum number of elements of an array: 2^28.
pub const MAX_CELLS: usize = 1 << 28;

/// Returns the maximum number of bytes of an array: [`MAX_CELLS`], or twice the number of elements of the data if that
/// is larger.
pub(crate) fn most_bytes(elements: usize) -> usize {
    MAX_CELLS.max(elements.saturating_mul(2))
}
