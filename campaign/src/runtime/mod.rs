//! Threads and limits: the environment in which a campaign runs.

mod budget;
mod gate;
mod parallel;
mod stop;

pub use budget::Budget;
pub use gate::Gate;
pub use parallel::{displays, guarded, map, processors};
pub use stop::Stop;
