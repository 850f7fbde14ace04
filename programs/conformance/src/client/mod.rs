//! Clients of libtiff, which are the consumers of TIFF. Predictions about them are derived from their sources before
//! any file is made.
//!
//! The alphabet consists of libtiff's interface and TIFF's tags. A client consumes a tag if it requests it, and pixels
//! through the interface that it calls. A tag that no call requests does not affect the picture, except through libtiff
//! itself.

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
