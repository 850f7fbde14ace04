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
//! [`strips`] a checked picture in strips, [`seed`] the pipeline of normalization programs.
//!
//! # What holds
//!
//! - What is taken means one picture to every reader. All else is refused by name: see
//!   [`strips`] for what is supported.
//! - Every variant is read back and normalized before it is handed out; one that does not mean
//!   what the seed means is [`VariantError::Defect`].
//! - Reading never panics, and takes no more memory than a small multiple of the file and of its
//!   picture.

pub mod container;
pub mod error;
pub mod picture;
pub mod seed;
pub mod strips;

pub use container::Container;
pub use error::{Kind, PlanError, TiffError};
pub use picture::Picture;
pub use seed::{Seed, Variant, VariantError};
pub use strips::StripFile;
