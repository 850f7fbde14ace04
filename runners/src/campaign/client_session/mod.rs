//! A client and all that it is given: execution, the cache of its replies, its baseline.

mod executor;
mod measure;
mod recheck;
mod session;

pub use executor::Asker;
pub use measure::{measure, reencoded, replay, slow_first};
pub use recheck::{Again, Measure, again};
pub use session::{Bench, Fresh};
