//! How a campaign runs: variants times clients, on all threads or shared out over machines.

mod build;
mod context;
mod execute;
mod join;
mod shard;
mod single;

pub use context::Context;
pub use execute::execute;
pub use shard::Shard;
pub use single::single;
