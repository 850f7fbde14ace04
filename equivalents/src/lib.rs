//! Files that mean the same, for the tests and the fuzz targets of decoders.
//!
//! [`equivalents()`] gives files that mean exactly what a TIFF file means; a [`Format`] does it for
//! what a spec describes. A decoder must make the same of all of them.
//!
//! ```
//! let seed = std::fs::read("../corpus/seeds/tiny.tif")?;
//! for file in equivalents::equivalents(&seed)?.take(20) {
//!     assert!(equivalents::Format::Tiff.means_the_same(&seed, &file));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`equivalent_to`] is the same as a strategy of `proptest`: what fails is shrunk to the few
//!   choices that it takes, with simple values. [`shrink()`] does that for a file that was found in
//!   another way.
//! - [`mutate()`] and [`Mutator`] are for the custom mutators of fuzzers: what they make of a file
//!   means the same.
//! - [`Reference`] is what a fuzz target compares with.
//!
//! Below these are what `repfuzz` itself is built on: [`subject`], a seed file with its
//! equivalents, and [`reduce`], which finds the least that shows a difference.
//!
//! # What holds
//!
//! - Every file that is given has been read back: it means what the seed means.
//! - The same seed and numbers give the same files.

mod equivalent;
mod format;
mod mutate;
pub mod reduce;
mod reference;
mod shrink;
#[cfg(feature = "proptest")]
mod strategy;
pub mod subject;

pub use equivalent::{Equivalent, Equivalents, equivalents};
pub use format::{Format, NotRead};
pub use mutate::{Mutator, mutate};
pub use reference::Reference;
pub use shrink::{Shrinking, shrink};
#[cfg(feature = "proptest")]
pub use strategy::{EquivalentTo, EquivalentTree, equivalent_to};
