//! Elements of arrays: those that an ensure assigns, and those that are free.

mod agreeing;
mod connected;
mod definitions;
mod distinct;
mod ensure;
mod entries;
pub mod filler;
mod later;
pub mod split;
mod tried;
mod tuples;

pub use definitions::assign_defined;
pub use ensure::{agree, ensure_elements};
pub use entries::{too_few, too_few_places};
