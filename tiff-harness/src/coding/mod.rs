//! The coding of strips and tiles: from stored bytes to one byte or more for each sample, and back.
//!
//! ```text
//! stored --FillOrder--> stream --Compression--> rows --Predictor--> rows --bits--> samples
//! ```
//!
//! Each arrow is a primitive ([`inverter::primitive`], [`normalizers::primitive`]), run on one segment after another.
//! Encoding uses the same encoder policies for all segments of a file: a dimension is chosen once per file, not once
//! per segment.

mod choose;
mod compression;
mod decode;
mod encode;
mod predictor;
mod rows;

pub use choose::{SampleContent, SampleLayout, baseline, choose, class_of};
pub use compression::Compression;
pub use decode::{decode, plain};
pub use encode::{Segments, encode};
pub use predictor::Predictor;
pub use rows::{components, sample_order};

use crate::image::ImageFile;
use rows::Rows;

/// The coding of all segments of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coding {
    /// Compression.
    pub compression: Compression,
    /// T4Options (TIFF 6.0, section 11).
    pub t4_options: u32,
    /// Predictor (section 14).
    pub predictor: Predictor,
    /// True if FillOrder is 2 (section 8), so that each byte begins with its least significant bit.
    pub reversed_bits: bool,
}

impl Coding {
    /// Returns the coding of `image`; `None` if its compression or its predictor is not supported.
    pub fn of(image: &ImageFile) -> Option<Self> {
        Some(Self {
            compression: Compression::of_code(image.compression)?,
            t4_options: image.t4_options,
            predictor: Predictor::of_code(image.predictor)?,
            reversed_bits: image.fill_order == 2,
        })
    }

    /// Returns true if segments with these rows store their samples unchanged.
    fn is_plain(&self, rows: &Rows) -> bool {
        let coded = self.compression != Compression::None || self.reversed_bits;
        !coded && rows.are_plain()
    }
}
