//! Threads and limits: what a campaign runs within.

mod budget;
mod gate;
mod parallel;
mod stop;

pub use budget::Budget;
pub use gate::Gate;
pub use parallel::{guarded, map};
pub use stop::Stop;
