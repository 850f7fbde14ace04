//! Elements of arrays: those that an ensure assigns, and those that are free.

mod coupled;
mod definitions;
mod ensure;
pub mod filler;

pub use ensure::ensure_elements;
