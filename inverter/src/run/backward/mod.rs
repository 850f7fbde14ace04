//! `g`: makes a representation of a canonical value.
//!
//! Input: a [`Prepared`] canonical value and a source of choices. Output: a representation, with the choices recorded.
//! The interpreter (`interp`) runs the inverse's statements on the state of one run (`state`); its ensures are solved
//! by `scalars`, `elements` and `layout`, which share the residual `constraints`; `checks` decides write conflicts, and
//! `cache` keeps recurring results.

mod assignment;
mod cache;
mod checks;
mod constraints;
mod context;
mod elements;
mod encode;
mod interp;
mod invert;
mod layout;
mod limits;
mod names;
mod occurrences;
mod piece;
mod prepared;
mod sampler;
mod scalars;
pub(in crate::run) mod search;
mod sizes;
mod state;

pub(crate) use cache::SharedCache;
pub(in crate::run) use elements::filler::Filler;
pub(in crate::run) use encode::own_choices as own_stream_choices;
pub use invert::{Drawn, Made, invert_value};
pub(in crate::run) use layout::own::own_choices as own_layout_choices;
pub use limits::Limits;
pub use prepared::{Prepared, Runner};
pub use sampler::{Sampler, samplers_of};
pub(in crate::run) use sizes::draw_tail;
pub(in crate::run) use state::Backward;
