//! Equivalent files for the tests and fuzz targets of decoders.
//!
//! Two files are equivalent if they mean the same, however they store it: a decoder must return the same result for
//! both. This crate turns one file into any number of equivalent ones, for TIFF or for any [`Format`] that a spec
//! describes.
//!
//! ```
//! use equivalents::{Format, Reference, equivalents, shrink};
//!
//! // A decoder that reads only little-endian files.
//! fn decode(file: &[u8]) -> Option<u8> {
//!     file.starts_with(b"II").then_some(1)
//! }
//!
//! let seed = std::fs::read("../corpus/seeds/tiny.tif")?;
//! let reference = Reference::new(Format::Tiff, &seed, decode)?;
//! let fails = |file: &[u8]| reference.check(file, decode).is_err();
//! let mut failing = equivalents(&seed)?.take(20).filter(|file| fails(file));
//! let found = failing.next().expect("a big-endian file");
//! assert!(Format::Tiff.means_the_same(&seed, &found));
//!
//! // The file that differs least from the seed and still fails: only its byte order is another.
//! // Files whose choices cannot be replayed on the seed do not shrink.
//! let mut shrunk = failing.filter_map(|file| shrink(&Format::Tiff, &seed, &file, fails).ok()?);
//! let least = shrunk.next().expect("one that shrinks");
//! assert_eq!(serde_json::to_string(&least.choices)?, r#"{"byte order":"MM"}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | in | use |
//! |---|---|
//! | a loop | [`equivalents()`], [`Format::equivalents`] |
//! | a test with `proptest` | [`equivalent_to`], which also shrinks a failing file |
//! | a fuzz target | [`Reference`], which compares a decoder with itself |
//! | a fuzzer's custom mutator | [`mutate()`], [`Mutator`] |
//! | any of these, with few dimensions | [`Restriction`], [`Equivalents::vary`] |
//! | a search for the cause of a failure | [`shrink()`], [`Shrinking`] |
//!
//! # What holds
//!
//! - Every file that is returned has been read back and normalized: it means what the seed means.
//! - The same seed and numbers give the same files.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod canonical;
mod equivalent;
mod format;
#[doc(hidden)]
pub mod max_size;
mod mutate;
mod not_read;
#[doc(hidden)]
pub mod reduce;
mod reference;
mod restriction;
mod shrink;
#[cfg(feature = "proptest")]
mod strategy;
#[doc(hidden)]
pub mod subject;

pub use canonical::Canonical;
pub use equivalent::{Equivalent, Equivalents, NotReplayed};
pub use format::{Format, equivalents};
pub use inverter::run::MAX_SIZE;
pub use inverter::solve::{Choice, Choices};
pub use mutate::{Mutator, mutate};
pub use not_read::NotRead;
pub use reference::{Reference, decoded_differently};
pub use restriction::{Restriction, RestrictionError};
pub use shrink::{Shrinking, shrink};
#[cfg(feature = "proptest")]
pub use strategy::{EquivalentTo, EquivalentTree, equivalent_to};
pub use tiff_harness::Picture;
pub use tiff_harness::container::Class;
