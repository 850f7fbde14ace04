//! The limit on the memory of a run, because a few bytes of a file can expand to gigabytes.

use super::error::RunError;
use crate::program::{Source, Span};

/// The maximum number of bytes to which a file may expand unless its reader is given another limit: 256 MiB.
pub const MAX_SIZE: u64 = 1 << 28;

/// The bytes that the arrays of a canonical value may still use. Code that makes an array first takes its bytes from
/// here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    left: u64,
    most: u64,
}

impl Room {
    /// No limit except those of single arrays.
    pub const UNLIMITED: Self = Self::of(u64::MAX);

    /// Room for `most` bytes.
    pub const fn of(most: u64) -> Self {
        Self { left: most, most }
    }

    /// Returns the bytes that are left, at most `most`.
    pub fn at_most(self, most: usize) -> usize {
        usize::try_from(self.left).map_or(most, |left| left.min(most))
    }

    /// Takes `bytes`, if enough are left; returns true on success.
    pub fn try_take(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Takes the bytes of `what`, which the statement at `span` makes.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::TooLarge`] if fewer are left.
    pub fn take(
        &mut self,
        bytes: u64,
        what: &str,
        source: &Source,
        span: Span,
    ) -> Result<(), RunError> {
        match self.try_take(bytes) {
            true => Ok(()),
            false => Err(self.exceeded(&format!("{what} has {bytes} bytes"), source, span)),
        }
    }

    /// Returns the error for a statement that makes more than there is room for.
    pub fn exceeded(&self, what: &str, source: &Source, span: Span) -> RunError {
        let most = self.most;
        RunError::TooLarge { what: format!("{what} ({})", source.place(span)), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once() {
        let mut room = Room::of(10);
        assert_eq!((room.at_most(7), room.at_most(70)), (7, 10));
        assert!(room.try_take(7) && !room.try_take(4) && room.try_take(3));
        assert!(!room.try_take(1) && room.try_take(0));
        assert_eq!(Room::UNLIMITED.at_most(usize::MAX), usize::MAX);
    }
}
