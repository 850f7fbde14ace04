//! Checks at run time: no element of an array gets two different values.

mod dependencies;
pub mod nest;
mod runs;
pub mod writes;

pub use dependencies::write_dependencies;
