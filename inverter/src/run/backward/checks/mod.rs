//! Run-time checks that no element of an array receives two different values.

pub mod nest;
mod runs;
pub mod writes;
