//! Reduction: the least set of choices, and the simplest values of these, that still show something.
//!
//! Searches ask by calling back. Who has to be asked instead, as `proptest` and AFL++ want it, runs a
//! search again with each further answer ([`next_question`]).

mod asked;
mod least;
mod lists;
mod minimize;
mod search;
mod simpler;

pub use asked::next_question;
pub use least::least;
pub use lists::of_length;
pub use minimize::{Answer, minimize};
pub use search::{Found, Verdict, nearest_failing};
pub use simpler::simpler_list;
