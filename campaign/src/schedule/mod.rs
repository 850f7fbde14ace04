//! Decides which files are made next, and for which clients.
//!
//! Every decision depends only on the results of earlier steps at a fixed distance, so it does not depend on the number
//! of threads.

mod avoided;
mod edge_guide;
mod examples;
mod hang_limit;
mod input_scheduler;
mod pairs;
mod plan;
mod progress;
mod quota;
mod rare;
mod retries;
mod suppression;
mod tracks;

pub use avoided::Avoided;
pub use edge_guide::{EdgeGuide, Reached};
pub use hang_limit::HangLimit;
pub use input_scheduler::{Background, InputScheduler};
pub use plan::{Plan, PlanStep, Request, SelectionRule};
pub use quota::Quota;
pub use suppression::Class;
pub use tracks::Tracks;
