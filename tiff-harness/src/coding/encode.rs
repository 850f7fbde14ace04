//! Encodes samples in segments.

use std::borrow::Cow;

use inverter::primitive::EncodeError;
use inverter::run::Bytes;
use inverter::run::bytes::{LARGE, Pieces, Shared};
use inverter::solve::ChoiceSource;

use super::{Coding, Rows};
use crate::container::ByteOrder;
use crate::image::{Grid, sample_bytes};

/// Stored segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segments {
    /// The samples, stored unchanged: the number of bytes of each segment.
    Plain(Vec<usize>),
    /// The bytes of each segment.
    Coded(Vec<Vec<u8>>),
}

impl Segments {
    /// Returns the length of each segment in bytes.
    pub fn lengths(&self) -> Vec<u64> {
        match self {
            Segments::Plain(lengths) => lengths.iter().map(|len| *len as u64).collect(),
            Segments::Coded(segments) => segments.iter().map(|s| s.len() as u64).collect(),
        }
    }

    /// Returns the bytes of each segment. `samples` are those of all segments.
    pub fn split(self, samples: &Bytes) -> Vec<Vec<u8>> {
        match self {
            Segments::Plain(lengths) => {
                let mut at = 0;
                let segments = lengths.into_iter().map(|len| {
                    let segment = samples.window(at..at + len);
                    at += len;
                    segment.into_owned()
                });
                segments.collect()
            }
            Segments::Coded(segments) => segments,
        }
    }

    /// Joins the segments, each padded with zeros to `length`, which no segment exceeds. `samples` are those of all
    /// segments.
    pub fn padded(self, samples: Cow<'_, Bytes>, length: usize) -> Bytes {
        if self.lengths().len().saturating_mul(length) >= LARGE {
            return self.pieces(&samples, length).into();
        }
        match self {
            // Only the last segment may need padding.
            Segments::Plain(lengths) if lengths.iter().rev().skip(1).all(|len| *len == length) => {
                let mut samples = samples.into_owned().into_vec();
                let all = lengths.len() * length;
                samples.reserve_exact(all.saturating_sub(samples.len()));
                samples.resize(all, 0);
                samples.into()
            }
            Segments::Plain(lengths) => {
                let mut rest = &samples[..];
                let segments = lengths.iter().map(|len| {
                    let (segment, after) = rest.split_at((*len).min(rest.len()));
                    rest = after;
                    segment
                });
                padded(segments, lengths.len() * length, length).into()
            }
            Segments::Coded(segments) => {
                let slices = segments.iter().map(Vec::as_slice);
                padded(slices, segments.len() * length, length).into()
            }
        }
    }

    /// As [`Segments::padded`], without a copy.
    fn pieces(self, samples: &Bytes, length: usize) -> Pieces {
        let mut pieces = Pieces::new(self.lengths().len() * length);
        match self {
            Segments::Plain(lengths) => {
                let mut from = 0;
                for (k, len) in lengths.into_iter().enumerate() {
                    pieces.push(k * length, samples, from..from + len);
                    from += len;
                }
            }
            Segments::Coded(segments) => {
                for (k, segment) in segments.into_iter().enumerate() {
                    let (range, segment) = (0..segment.len(), Shared::from(segment));
                    pieces.push(k * length, &segment.into(), range);
                }
            }
        }
        pieces
    }
}

fn padded<'s>(segments: impl Iterator<Item = &'s [u8]>, all: usize, length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(all);
    for (k, segment) in segments.enumerate() {
        out.extend_from_slice(segment);
        out.resize((k + 1) * length, 0);
    }
    out
}

/// Encodes the `samples` of all segments, one segment after another.
///
/// # Errors
///
/// Returns an error if a given choice does not fit, the samples do not match `grid`, or the predictor does not support
/// samples of this many bits.
pub fn encode(
    samples: &Bytes,
    grid: &Grid,
    coding: &Coding,
    order: ByteOrder,
    source: &mut ChoiceSource,
) -> Result<Segments, EncodeError> {
    let shape = Rows::of(grid, coding, order)?;
    let row = grid.row_samples() * sample_bytes(grid.bits);
    let length = |k| usize::try_from(row * u64::from(grid.rows(k))).unwrap_or(usize::MAX);
    let lengths = (0..grid.segments()).map(length);
    let too_few = || EncodeError::Impossible("there are too few samples".into());
    if coding.is_plain(&shape) {
        let lengths: Vec<usize> = lengths.collect();
        let all = lengths.iter().copied().fold(0, usize::saturating_add);
        return if all <= samples.len() { Ok(Segments::Plain(lengths)) } else { Err(too_few()) };
    }
    let mut at = 0;
    let mut out = Vec::new();
    for (index, len) in lengths.enumerate() {
        let segment = samples.window(at..at.saturating_add(len));
        if segment.len() < len {
            return Err(too_few());
        }
        at += len;
        let height = grid.rows(index as u64);
        let bytes = shape.encode(&segment, source)?;
        let mut stream =
            coding.compression.encode(bytes, grid, height, coding.t4_options, source)?.into_owned();
        if coding.reversed_bits {
            stream.iter_mut().for_each(|b| *b = b.reverse_bits());
        }
        out.push(stream);
    }
    Ok(Segments::Coded(out))
}
