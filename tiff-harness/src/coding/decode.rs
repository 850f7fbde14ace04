//! Decodes stored segments to samples.

use std::borrow::Cow;

use super::{Coding, Rows};
use crate::error::TiffError;
use crate::image::{ImageFile, Layout, Segment};

/// Decodes all segments of `image`, whose stored bytes `stored` returns, and joins them. A sample becomes the minimum
/// number of bytes that hold its bits, in the order of [`sample_order`](super::sample_order). A strip contributes its
/// rows, a tile all of its pixels.
///
/// # Errors
///
/// The first segment that cannot be decoded, and why.
pub fn decode<'s, S: Into<Cow<'s, [u8]>>>(
    image: &ImageFile,
    stored: impl Fn(usize) -> S,
) -> Result<Vec<u8>, TiffError> {
    let what = match image.layout {
        Layout::Strips { .. } => "strip",
        Layout::Tiles { .. } => "tile",
    };
    let grid = image.grid();
    let coding = Coding::of(image).ok_or_else(|| {
        let (compression, predictor) = (image.compression, image.predictor);
        TiffError::Refused(format!("compression {compression} with predictor {predictor}"))
    })?;
    let rows =
        Rows::of(&grid, &coding, image.order).map_err(|e| TiffError::Refused(e.to_string()))?;
    let mut out = Vec::new();
    for (index, segment) in image.segments.iter().enumerate() {
        let at = segment.offset;
        let damaged = |why: String| TiffError::Undecodable { what, index, at, why };
        let needs = grid.bytes(index as u64);
        let most = usize::try_from(needs).map_err(|_| damaged("it is too large".to_owned()))?;
        let stored: Cow<'_, [u8]> = stored(index).into();
        let stream: Cow<'_, [u8]> = match coding.reversed_bits {
            true => stored.iter().map(|b| b.reverse_bits()).collect(),
            false => stored,
        };
        let height = grid.rows(index as u64);
        let bytes = coding
            .compression
            .decode(&stream, &grid, height, coding.t4_options, most)
            .map_err(|e| damaged(e.to_string()))?;
        if bytes.len() < most {
            return Err(damaged(format!(
                "it holds {} bytes, but its rows need {most}",
                bytes.len()
            )));
        }
        let mut bytes = bytes;
        bytes.truncate(most);
        out.extend(rows.decode(bytes).map_err(|e| damaged(e.to_string()))?);
    }
    Ok(out)
}

/// Returns the number of sample bytes of each segment, if samples are stored unchanged and no segment is too short.
pub fn plain(image: &ImageFile) -> Option<Vec<usize>> {
    let (grid, coding) = (image.grid(), Coding::of(image)?);
    let rows = Rows::of(&grid, &coding, image.order).ok()?;
    if !coding.is_plain(&rows) {
        return None;
    }
    let samples = |(k, segment): (usize, &Segment)| {
        let needs = grid.bytes(k as u64);
        usize::try_from(needs).ok().filter(|_| needs <= segment.byte_count)
    };
    image.segments.iter().enumerate().map(samples).collect()
}
