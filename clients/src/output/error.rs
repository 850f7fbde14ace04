//! Errors of decoders, and the limit on the size of pictures.

use crate::message::Scrubber;

/// The maximum number of pixels of a picture, which takes 256 MiB in memory.
pub const MOST_PIXELS: u64 = 1 << 25;

/// A reason why an output cannot be read as a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// It is damaged, or in another format.
    #[error("{0}")]
    Unreadable(String),
    /// It has no pixels.
    #[error("a picture of {0}x{1} pixels")]
    Empty(u32, u32),
    /// It has more pixels than [`MOST_PIXELS`].
    #[error("a picture of {0}x{1} pixels, more than {max} in all", max = MOST_PIXELS)]
    TooLarge(u32, u32),
}

impl OutputError {
    pub(super) fn unreadable(reason: impl std::fmt::Display) -> Self {
        Self::Unreadable(Scrubber::new().line(&reason.to_string()))
    }
}

/// Rejects pictures that are too large or empty.
pub(super) fn check_size(width: u32, height: u32) -> Result<(), OutputError> {
    match u64::from(width) * u64::from(height) {
        0 => Err(OutputError::Empty(width, height)),
        n if n > MOST_PIXELS => Err(OutputError::TooLarge(width, height)),
        _ => Ok(()),
    }
}
