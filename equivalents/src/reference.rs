//! The result of a decoder on a seed, with which a fuzz target compares other results.

use std::sync::Arc;

use inverter::solve::Choices;

use crate::subject::Subject;
use crate::{Format, NotRead, Shrinking};

/// A seed with the result of a decoder on it. The expected result comes from the decoder itself: it must return this
/// result for every other file that means the same.
///
/// ```
/// use equivalents::{Format, Reference};
///
/// # fn decode(file: &[u8]) -> Option<u8> { file.first().map(|_| 7) }
/// let seed = std::fs::read("../corpus/seeds/tiny.tif")?;
/// let reference = Reference::new(Format::Tiff, &seed, decode)?;
/// // A fuzz target passes all bytes that it gets.
/// reference.check(b"II*\0 and no file", decode)?;
/// for file in equivalents::equivalents(&seed)?.take(5) {
///     reference.check(&file, decode)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reference<T> {
    seed: Arc<dyn Subject>,
    decoded: T,
}

impl<T: PartialEq> Reference<T> {
    /// Reads a seed, and runs the decoder on it.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`].
    pub fn new(
        format: Format,
        seed: &[u8],
        decode: impl FnOnce(&[u8]) -> T,
    ) -> Result<Self, NotRead> {
        let read = format.seed(seed)?;
        Ok(Self { seed: read, decoded: decode(seed) })
    }

    /// Returns the result of the decoder on the seed.
    pub fn decoded(&self) -> &T {
        &self.decoded
    }

    /// Returns true if `file` means what the seed means.
    pub fn means_the_same(&self, file: &[u8]) -> bool {
        file == self.seed.seed_bytes() || self.seed.reopened(file.to_vec()).is_some()
    }

    /// Starts to shrink `file` towards this seed, as [`Shrinking::of`] does.
    pub fn shrinking(&self, file: &[u8]) -> Option<Shrinking> {
        Shrinking::between(self.seed.clone(), file)
    }

    /// Runs the decoder on `file` if it means what the seed means. Other files pass, because no result is expected for
    /// them.
    ///
    /// # Errors
    ///
    /// Returns an error if the decoder returns another result: the choices in which the file differs from the seed, as
    /// JSON.
    pub fn check(&self, file: &[u8], decode: impl FnOnce(&[u8]) -> T) -> Result<(), String> {
        let Some(read) = self.seed.reopened(file.to_vec()) else { return Ok(()) };
        if decode(file) == self.decoded {
            return Ok(());
        }
        Err(decoded_differently(&self.between(&*read)))
    }

    /// Returns the choices in which `file` differs from this seed; `None` if it means something else.
    pub fn differing(&self, file: &[u8]) -> Option<Choices> {
        self.seed.reopened(file.to_vec()).map(|read| self.between(&*read))
    }

    fn between(&self, read: &dyn Subject) -> Choices {
        read.own_choices().differing_from(self.seed.own_choices())
    }
}

/// Returns the message that a file is decoded differently from its seed. It ends with the choices in which the two
/// differ, as JSON.
pub fn decoded_differently(differs: &Choices) -> String {
    match serde_json::to_string(differs) {
        Ok(differs) => {
            format!("a file that means the same is decoded differently; it differs in {differs}")
        }
        Err(why) => why.to_string(),
    }
}
