//! The coding of strips and tiles: from stored bytes to one byte or more for each sample, and back.
//!
//! ```text
//! stored --FillOrder--> stream --Compression--> rows --Predictor--> rows --bits--> samples
//! ```
//!
//! Each arrow is a primitive ([`inverter::primitive`], [`normalizers::primitive`]), run on one
//! segment after the other. Encoding uses the same encoder policies for all segments of a file:
//! a dimension is chosen once a file, not once a segment.

mod choose;
mod compression;
mod decode;
mod encode;

pub use choose::{SampleContent, SampleLayout, baseline, choose, class_of};
pub use compression::Compression;
pub use decode::{decode, plain};
pub use encode::{Segments, encode};

use inverter::primitive::{Primitive, PrimitiveError};
use normalizers::primitive::{PackedBits, Predictor};

use crate::container::ByteOrder;
use crate::image::{Grid, ImageFile, sample_bytes};

/// The coding of all segments of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coding {
    /// Compression.
    pub compression: Compression,
    /// T4Options (TIFF 6.0, section 11).
    pub t4_options: u32,
    /// True if Predictor is 2, horizontal differencing (section 14).
    pub predictor: bool,
    /// True if FillOrder is 2 (section 8): each byte begins with its least significant bit.
    pub reversed_bits: bool,
}

impl Coding {
    /// Returns the coding of `image`; `None` if its compression is not supported.
    pub fn of(image: &ImageFile) -> Option<Self> {
        Some(Self {
            compression: Compression::of_code(image.compression)?,
            t4_options: image.t4_options,
            predictor: image.predictor == 2,
            reversed_bits: image.fill_order == 2,
        })
    }

    /// Returns true if segments with these rows store their samples as they are.
    fn is_plain(&self, rows: &Rows) -> bool {
        let coded = self.compression != Compression::None || self.reversed_bits;
        !coded && rows.predictor.is_none() && rows.packed.is_none()
    }
}

/// Returns true if samples of `bits` bits can be decoded and encoded.
pub fn takes_bits(bits: u16) -> bool {
    [1, 2, 4, 8, 16, 32].contains(&bits)
}

/// The arguments of the predictor and of the unpacking, for the rows of a segment.
struct Rows {
    predictor: Option<[i128; 4]>,
    packed: Option<[i128; 2]>,
}

impl Rows {
    fn of(grid: &Grid, coding: &Coding, order: ByteOrder) -> Self {
        let samples = i128::from(grid.row_samples());
        let big = i128::from(order == ByteOrder::Big);
        let bytes = i128::from(sample_bytes(grid.bits));
        let predictor = [samples, grid.stride().into(), bytes, big];
        Self {
            predictor: coding.predictor.then_some(predictor),
            packed: (grid.bits < 8).then_some([grid.bits.into(), samples]),
        }
    }

    fn decode(&self, mut rows: Vec<u8>) -> Result<Vec<u8>, PrimitiveError> {
        if let Some(args) = &self.predictor {
            rows = Predictor.decode(&rows, args, rows.len())?;
        }
        match &self.packed {
            Some(args) => {
                let most = rows.len().saturating_mul(8);
                PackedBits.decode(&rows, args, most)
            }
            None => Ok(rows),
        }
    }
}
