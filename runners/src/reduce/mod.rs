//! Reduction: from a variant that shows a difference to the few choices that make it, and
//! to simple values of these.

mod essence;
mod lists;
mod minimize;
mod prober;
mod search;
mod shrink;
mod simplify;

pub use minimize::{Answer, minimize};
pub use prober::{Confirmed, Prober, ReduceError, Reduced, Trial};
pub use search::{Found, Verdict, nearest_failing};
pub use shrink::{Shrinker, Small};
pub use simplify::{Edge, Simplified, Simplifier};
