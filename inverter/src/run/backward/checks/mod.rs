//! Checks at run time: no element of an array gets two different values.

pub mod nest;
mod runs;
pub mod writes;
