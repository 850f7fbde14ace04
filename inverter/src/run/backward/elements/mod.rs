//! Elements of arrays: those that an ensure assigns, and free ones.

mod agreeing;
mod connected;
pub mod constraints;
mod coupled;
mod definitions;
mod distinct;
mod ensure;
mod entries;
pub mod filler;
mod later;
mod split;
mod tried;
mod tuples;

pub use definitions::assign_defined;
pub use ensure::{agree, ensure_elements};
pub use entries::{too_few, too_few_places};
