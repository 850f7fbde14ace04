//! TIFF files to and from what the TIFF normalization programs take and give.
//!
//! [`Seed::open`] reads a file, checks it and normalizes it to its canonical [`Picture`].
//! [`Seed::variant`] makes an equivalent file: the one that a
//! [`ChoiceSource`](inverter::solve::ChoiceSource) decides on.
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
//! // The choices alone make it again; what they leave out is as in the seed.
//! let mut choices = inverter::solve::Choices::new();
//! choices.set("orientation", 6);
//! choices.set("byte order", "MM");
//! let turned = seed.variant(ChoiceSource::replaying(choices))?;
//! assert_eq!(&turned.bytes[..2], b"MM");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The layers, from bytes to meaning: [`container`] knows headers, directories and entries,
//! [`image`] a checked picture in strips or tiles, [`coding`] what is in them, [`pipeline`] the
//! normalization programs.
//!
//! # What holds
//!
//! - What is taken means one picture to every reader. All else is refused by name: see
//!   [`image`] for what is supported.
//! - Every variant is read back and normalized before it is handed out; one that does not mean
//!   what the seed means is [`VariantError::Internal`].
//! - Reading never panics, and takes no more memory than a small multiple of the file and of its
//!   picture.

mod ask;
pub mod class;
pub mod coding;
pub mod container;
pub mod error;
pub mod image;
pub mod meaning;
mod own;
pub mod palette;
pub mod picture;
pub mod pipeline;
pub mod seed;
mod variant;

pub use container::Container;
pub use error::{Kind, PlanError, TiffError};
pub use image::ImageFile;
pub use picture::Picture;
pub use seed::{Seed, Variant, VariantError};
