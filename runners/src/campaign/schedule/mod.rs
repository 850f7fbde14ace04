//! Which variants a campaign asks for, and which clients get them.

mod hang_limit;
mod input_scheduler;
mod pairs;
mod plan;
mod prerequisites;
mod suppression;

pub use hang_limit::Guard;
pub use input_scheduler::Guide;
pub use plan::{Order, Pick, Plan, Step, describe};
pub use suppression::Known;
