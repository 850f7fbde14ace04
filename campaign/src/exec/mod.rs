//! The execution phase: builds variants and runs all clients on them.

mod build;
mod context;
mod costly;
mod execute;
mod given;
mod join;
mod shard;
mod single;
mod slice;
mod start;

pub use context::Context;
pub use costly::find_costly;
pub use execute::execute;
pub use shard::Shard;
pub use single::single;
pub use slice::Slice;
