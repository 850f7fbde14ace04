//! TIFF files as seeds: reading them, and building equivalent ones.
//!
//! [`Seed::open`] reads a file, checks it and normalizes it to the canonical [`Picture`] of each page, or to its
//! [`Samples`] if these have no exact colors. [`Seed::variant`] builds the equivalent file that a
//! [`ChoiceSource`](inverter::solve::ChoiceSource) determines.
//!
//! ```
//! use inverter::solve::ChoiceSource;
//! use tiff_harness::Seed;
//!
//! let seed = Seed::open(std::fs::read("../corpus/seeds/tiny.tif")?)?;
//! let variant = seed.variant(ChoiceSource::seeded(1, 17))?;
//! assert_ne!(variant.bytes, seed.bytes());
//! assert_eq!(Seed::open(variant.bytes)?.picture(), seed.picture());
//!
//! // The choices alone give the file again; dimensions that they leave out are as in the seed.
//! let mut choices = inverter::solve::Choices::new();
//! choices.set("orientation", 6);
//! choices.set("byte order", "MM");
//! let turned = seed.variant(ChoiceSource::replaying(choices))?;
//! assert_eq!(&turned.bytes[..2], b"MM");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! From bytes to meaning, [`container`] reads headers, directories and entries, [`image`] checks a picture in strips or
//! tiles, [`coding`] decodes these, [`pipeline`] runs the normalization programs.
//!
//! # What holds
//!
//! - An accepted file means the same picture to every reader. All others are refused with a reason; [`image`] lists the
//!   supported features.
//! - Every variant is read back and normalized before it is returned. One that does not mean the
//!   same as its seed is [`VariantError::Internal`].
//! - Reading never panics, and takes no more memory than a small multiple of the file and of its
//!   picture.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod alternatives;
mod baseline;
mod class;
pub mod coding;
pub mod container;
pub mod dimension;
pub mod error;
mod floats;
pub mod image;
#[doc(hidden)]
pub mod jpeg;
pub mod mapped;
pub mod meaning;
pub mod pages;
mod palette;
pub mod picture;
#[doc(hidden)]
pub mod pipeline;
mod reading;
pub mod samples;
mod seed;
mod unspecified;
mod variant;

pub use container::{Class, Container, Profile};
pub use error::{ErrorKind, PlanError, TiffError, VariantError};
pub use image::ImageFile;
pub use pages::Page;
pub use picture::Picture;
pub use samples::Samples;
pub use seed::{Seed, Variant, WriteError, Written};
pub use unspecified::with_unspecified_as_alpha;
