//! Decides which variants are made next, and which of them a client is not given.
//!
//! Every decision depends on the results of earlier steps at a fixed distance only, so that it
//! does not depend on the number of threads.

mod edge_guide;
mod hang_limit;
mod input_scheduler;
mod pairs;
mod plan;
mod prerequisites;
mod suppression;

pub use edge_guide::{EdgeGuide, Reached};
pub use hang_limit::HangLimit;
pub use input_scheduler::InputScheduler;
pub use plan::{Plan, PlanStep, Request, SelectionRule};
pub use suppression::SuppressionRules;
