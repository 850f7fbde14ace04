//! TIFF files to and from what the TIFF normalization programs take and give.

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
