//! The rows of a segment: unpacks samples, or differences of them, to whole bytes.
//!
//! Rows are packed with the most significant bit first, and each begins at a byte (TIFF 6.0, section 3, "Compression",
//! and section 8, "FillOrder"). An unpacked sample has the minimum number of bytes that hold its bits. Their order is
//! that of [`sample_order`].

use std::borrow::Cow;

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError};
use inverter::solve::ChoiceSource;
use normalizers::primitive::{self, FloatPredictor, PackedBits};

use super::predictor::FLOATING_POINT;
use super::{Coding, Predictor};
use crate::container::ByteOrder;
use crate::image::{Grid, sample_bytes};

/// Returns the order of the bytes of an unpacked sample of `bits` bits, in a file whose byte order is
/// `order`.
///
/// | bits | order | source |
/// |---|---|---|
/// | 16, 32 | the file's | section 8, "Compression": arrays of SHORT and of LONG |
/// | 64 | the file's | libtiff's `_TIFFSwab64BitData`; GDAL and tifffile agree |
/// | 24, floating point | the file's | libtiff's `_TIFFSwab24BitData`, made for them; GDAL and tifffile agree |
/// | any other | most significant first | section 8: otherwise an array of BYTE, packed as FillOrder says; DNG 1.4, "BitsPerSample", says so of files that start with II, too |
///
/// The two components of a complex sample (SampleFormat 5 and 6) are numbers with half as many bits, the real one
/// first: libtiff's `_TIFFVSetField` swaps the bytes of each, as GDAL and tifffile do.
///
/// According to the letter of section 8, integers of 24 bits are treated like others, as tifffile does
/// (`packints_decode`). libtiff swaps their bytes as it does for floating-point numbers, and GDAL reads them from
/// libtiff in the reverse order. Only files that start with MM therefore mean the same to most readers.
pub fn sample_order(bits: u16, sample_format: u16, order: ByteOrder) -> ByteOrder {
    match bits / components(bits, sample_format) {
        16 | 32 | 64 => order,
        24 if sample_format == FLOATING_POINT => order,
        _ => ByteOrder::Big,
    }
}

/// Returns the number of components of a sample whose bytes are ordered separately: 2 for complex samples of whole
/// bytes (SampleFormat 5 and 6), otherwise 1.
pub fn components(bits: u16, sample_format: u16) -> u16 {
    if matches!(sample_format, 5 | 6) && bits.is_multiple_of(16) { 2 } else { 1 }
}

/// The arguments of the predictor and of the unpacking, for the rows of a segment.
pub(super) struct Rows {
    predictor: Option<(&'static dyn Primitive, [i128; 4])>,
    packed: Option<[i128; 2]>,
}

impl Rows {
    /// Returns the arguments for segments of `grid`; an error if samples have more than 64 bits, or more than the
    /// predictor supports.
    pub(super) fn of(
        grid: &Grid,
        coding: &Coding,
        order: ByteOrder,
    ) -> Result<Self, PrimitiveError> {
        let samples = i128::from(grid.row_samples());
        let predictor: Option<&dyn Primitive> = match coding.predictor {
            Predictor::None => None,
            Predictor::Horizontal => Some(&primitive::Predictor),
            Predictor::FloatingPoint => Some(&FloatPredictor),
        };
        if !(1..=64).contains(&grid.bits) {
            return Err(format!("samples of {} bits", grid.bits).into());
        }
        if !coding.predictor.has_size(grid.bits) {
            let code = coding.predictor.code();
            return Err(format!("samples of {} bits with Predictor {code}", grid.bits).into());
        }
        // Samples of every size that supports a predictor are in the file's byte order, except single bytes.
        let big = i128::from(order == ByteOrder::Big);
        let args = [samples, grid.stride().into(), sample_bytes(grid.bits).into(), big];
        Ok(Self {
            predictor: predictor.map(|primitive| (primitive, args)),
            packed: (!grid.bits.is_multiple_of(8)).then_some([grid.bits.into(), samples]),
        })
    }

    /// Returns true if the rows are the unchanged samples.
    pub(super) fn are_plain(&self) -> bool {
        self.predictor.is_none() && self.packed.is_none()
    }

    /// Decodes the rows of a segment to samples.
    pub(super) fn decode(&self, mut rows: Vec<u8>) -> Result<Vec<u8>, PrimitiveError> {
        if let Some((predictor, args)) = &self.predictor {
            rows = predictor.decode(&rows, args, rows.len())?;
        }
        match &self.packed {
            Some(args) => {
                // An unpacked sample has at most 8 bits for each bit of the packed one.
                let most = rows.len().saturating_mul(8);
                PackedBits.decode(&rows, args, most)
            }
            None => Ok(rows),
        }
    }

    /// Encodes the samples of a segment to rows, as `source` decides.
    pub(super) fn encode<'s>(
        &self,
        samples: &'s [u8],
        source: &mut ChoiceSource,
    ) -> Result<Cow<'s, [u8]>, EncodeError> {
        let mut rows = Cow::Borrowed(samples);
        if let Some(args) = &self.packed {
            keep_low_bits(rows.to_mut(), args[0]);
            rows = PackedBits.encode(&rows, Encoding::any_length(args, source))?.into();
        }
        if let Some((predictor, args)) = &self.predictor {
            rows = predictor.encode(&rows, Encoding::any_length(args, source))?.into();
        }
        Ok(rows)
    }
}

/// Clears the bits above those of each sample of `bits` bits, because bytes outside the picture may have any value.
fn keep_low_bits(samples: &mut [u8], bits: i128) {
    let low = (1u8 << (bits % 8)) - 1;
    match bits {
        ..=8 => samples.iter_mut().for_each(|sample| *sample &= low),
        _ => samples.chunks_mut((bits as usize).div_ceil(8)).for_each(|sample| sample[0] &= low),
    }
}
