//! Samples to stored segments.

use std::borrow::Cow;

use inverter::primitive::{EncodeError, Primitive};
use inverter::solve::ChoiceSource;
use normalizers::primitive::{PackedBits, Predictor};

use super::{Coding, Rows, sample_bytes};
use crate::container::ByteOrder;
use crate::image::Grid;

/// The stored bytes of each segment, of all segments' `samples`, one after the other.
///
/// # Errors
///
/// If a given choice does not fit, or the samples are not those of `grid`.
pub fn encode<'s>(
    samples: &'s [u8],
    grid: &Grid,
    coding: &Coding,
    order: ByteOrder,
    source: &mut ChoiceSource,
) -> Result<Vec<Cow<'s, [u8]>>, EncodeError> {
    let shape = Rows::of(grid, coding, order);
    let row = grid.row_samples() * sample_bytes(grid.bits);
    let mut rest = samples;
    let mut out = Vec::new();
    for index in 0..grid.segments() {
        let height = grid.rows(index);
        let len = usize::try_from(row * u64::from(height)).unwrap_or(usize::MAX);
        let Some((segment, after)) = rest.split_at_checked(len) else {
            return Err(EncodeError::Impossible("there are too few samples".to_owned()));
        };
        rest = after;
        let bytes = shape.encode(segment, source)?;
        let mut stream =
            coding.compression.encode(bytes, grid, height, coding.t4_options, source)?;
        if coding.reversed_bits {
            stream.to_mut().iter_mut().for_each(|b| *b = b.reverse_bits());
        }
        out.push(stream);
    }
    Ok(out)
}

impl Rows {
    fn encode<'s>(
        &self,
        samples: &'s [u8],
        source: &mut ChoiceSource,
    ) -> Result<Cow<'s, [u8]>, EncodeError> {
        let mut rows = Cow::Borrowed(samples);
        let free = 0..=usize::MAX;
        if let Some(args) = &self.packed {
            // What is free may be any byte; a sample keeps its low bits.
            let low = (1u8 << args[0].clamp(0, 7)) - 1;
            rows.to_mut().iter_mut().for_each(|sample| *sample &= low);
            rows = PackedBits.encode(&rows, args, &free, source)?.into();
        }
        if let Some(args) = &self.predictor {
            rows = Predictor.encode(&rows, args, &free, source)?.into();
        }
        Ok(rows)
    }
}
