//! Deflate without a header and a checksum (RFC 1951), as in ZIP.

use inverter::primitive::PrimitiveError;
use inverter::solve::{ChoiceError, ChoiceSource};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::Policies;

/// The dimensions of [`Raw::choose`].
pub(crate) const DIMENSIONS: [&str; 5] = ["matches", "blocks", "coding", "tables", "spare bits"];

/// An encoder, with its choices.
pub(crate) struct Raw(Policies);

impl Raw {
    /// Chooses all but the fields of a header.
    pub(crate) fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        Policies::without_header(source).map(Self)
    }

    /// Returns a stream of `data`.
    pub(crate) fn write(&self, data: &[u8]) -> Vec<u8> {
        self.0.stream(data, Default::default()).out
    }
}

/// Decodes a stream that fills `stored` to `length` bytes.
///
/// # Errors
///
/// Returns an error if it is damaged, or if its stored or its decoded length is not as expected.
pub(crate) fn decode(stored: &[u8], length: usize) -> Result<Vec<u8>, PrimitiveError> {
    // A byte of Deflate represents at most 258 bytes in two bits.
    if length / 1032 > stored.len() {
        return Err(format!("{} bytes do not hold {length}", stored.len()).into());
    }
    // Room for one byte more than expected: without it, the decoder stops before the end.
    let mut out = vec![0; length + 1];
    let mut state = Box::<DecompressorOxide>::default();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    match decompress(&mut state, stored, &mut out, 0, flags) {
        (TINFLStatus::Done, read, written) if read == stored.len() && written == length => {
            out.truncate(length);
            Ok(out)
        }
        (status, read, written) => Err(format!(
            "a stream of {} bytes does not decode to {length} bytes: {status:?} after {read} of them and {written} decoded",
            stored.len()
        )
        .into()),
    }
}
