//! Reduction: finds the smallest set of choices that still fails, with the simplest values.
//!
//! A search calls its test function. `proptest` and AFL++ need the reverse: they request a file and report its result
//! later. [`next_question`] serves them by running the search again with one more answer each time.

mod least;
mod lists;
mod minimize;
mod nearest;
mod questions;
mod simpler;

pub use least::least;
pub use lists::{is_order, of_length};
pub use minimize::{AHEAD, Answer, minimize, minimize_ahead};
pub use nearest::{Found, Verdict, nearest_failing};
pub use questions::next_question;
pub use simpler::simpler_list;
