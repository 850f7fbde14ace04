//! The interpreter of both directions.

mod backward;
mod error;
pub mod eval;
pub mod explore;
mod forward;
mod json;
pub mod store;
mod trace;
pub mod views;

pub use backward::{Limits, invert_value};

/// What the search for a representation decides, as choices.
pub mod search {
    pub use super::backward::search::{SEARCH, choices_for as search_choices};
}
pub use error::RunError;
pub use forward::normalize;
pub use json::{from_json, from_json_text, to_json};
pub use store::{Array, Cells, Datum, Value};
pub use trace::own_choices;
