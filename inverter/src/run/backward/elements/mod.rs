//! Elements of arrays: those that an ensure assigns, and those that are free.

mod connected;
pub mod constraints;
mod coupled;
mod definitions;
mod ensure;
pub mod filler;
mod later;
mod split;

pub use ensure::ensure_elements;
