//! The values of unused bits in encoded streams: zeros, ones, or random bits.

use inverter::solve::{ChoiceError, ChoiceSource, Fill};
use rand::RngExt;

/// The values of unused bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Padding {
    Zeros,
    Ones,
    Random(u64),
}

impl Padding {
    /// The values that have a name.
    pub(super) const WORDS: [(&str, Padding); 2] =
        [("zeros", Padding::Zeros), ("ones", Padding::Ones)];

    /// Chooses the padding.
    pub(super) fn choose(
        source: &mut ChoiceSource,
        dimension: &str,
    ) -> Result<Padding, ChoiceError> {
        source.policy(dimension, &Self::WORDS, Padding::Random)
    }

    /// Returns a generator of bytes, one for each position in turn; the encoder uses some bits of each.
    pub(super) fn bytes(self) -> impl FnMut() -> u8 {
        let mut rng = match self {
            Padding::Random(seed) => Some(Fill::rng(seed)),
            _ => None,
        };
        let plain = if self == Padding::Ones { u8::MAX } else { 0 };
        move || rng.as_mut().map_or(plain, |rng| rng.random())
    }
}
