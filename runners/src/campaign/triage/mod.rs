//! Reduction: from a variant that shows a difference to the few choices that make it, and
//! to simple values of these.

mod essence;
mod prober;
mod shrink;
mod simplify;

pub use equivalents::reduce::{Answer, Found, Verdict, minimize, nearest_failing};
pub use prober::{Confirmed, Prober, ReduceError, Reduced, Trial};
pub use shrink::{Shrinker, Small};
pub use simplify::{Edge, Simplified, Simplifier};
