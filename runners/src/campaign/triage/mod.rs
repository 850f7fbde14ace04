//! Triage: from findings to causes, each reduced to the few choices that it takes.

mod canonicalize;
mod deduplicate;
mod enumerate_values;
mod finalize;
mod minimize;
mod shrink;
mod simplify;
mod test_oracle;

pub use deduplicate::Finder;
pub use enumerate_values::Values;
pub use finalize::settle;
pub use test_oracle::{Prober, ReduceError};
