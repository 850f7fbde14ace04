//! Triage: derives causes from findings.
//!
//! Each finding is attributed to a known cause or reduced to a new one: delta debugging over
//! choices instead of bytes. Causes are deduplicated, completed, simplified and put into words.

mod all_clients;
mod appearances;
mod canonicalize;
mod deduplicate;
mod dependence;
mod elimination;
mod enumerate_values;
mod finalize;
mod implied;
mod judge;
mod met;
mod minimize;
mod read_base;
mod readers;
mod shrink;
mod simplify;
mod test_oracle;
mod without;
mod workers;

pub use all_clients::{Evidence, Triaged, triage};
