//! Clients of libtiff: the consumer's side of TIFF, read off their sources before any file is made.
//!
//! The alphabet is libtiff's interface and TIFF's tags: a client consumes a tag if it asks for it, and
//! pixels by the interface that it calls. What no call asks for has no effect on the picture, except
//! through libtiff itself.

mod inherited;
mod lex;
pub mod predict;
pub mod prediction;
mod sketch;
mod trial;
mod tried;
pub mod uses;

pub use predict::predict;
pub use prediction::{Effect, LIBTIFF, Origin, Prediction};
pub use uses::{Interface, Uses, read};
