//! What a decoder makes of a seed: what a fuzz target compares with.

use std::sync::Arc;

use crate::subject::Subject;
use crate::{Format, NotRead, Shrinking};

/// A seed, and what a decoder makes of it. The decoder is compared with itself: what it makes of the seed is
/// what it must make of every other file that means the same.
///
/// ```
/// use equivalents::{Format, Reference};
///
/// # fn decode(file: &[u8]) -> Option<u8> { file.first().map(|_| 7) }
/// let seed = std::fs::read("../corpus/seeds/tiny.tif")?;
/// let reference = Reference::new(Format::Tiff, &seed, decode)?;
/// // In a fuzz target: whatever bytes there are.
/// reference.check(b"II*\0 and no file", decode)?;
/// for file in equivalents::equivalents(&seed)?.take(5) {
///     reference.check(&file, decode)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reference<T> {
    format: Format,
    seed: Arc<dyn Subject>,
    decoded: T,
}

impl<T: PartialEq> Reference<T> {
    /// Reads a seed, and gives it to the decoder.
    ///
    /// # Errors
    ///
    /// [`NotRead::File`].
    pub fn new(
        format: Format,
        seed: &[u8],
        decode: impl FnOnce(&[u8]) -> T,
    ) -> Result<Self, NotRead> {
        let read = format.seed(seed)?;
        Ok(Self { format, seed: read, decoded: decode(seed) })
    }

    /// What the decoder makes of the seed.
    pub fn decoded(&self) -> &T {
        &self.decoded
    }

    /// Whether `file` means what the seed means.
    pub fn means_the_same(&self, file: &[u8]) -> bool {
        file == self.seed.seed_bytes()
            || self.format.seed(file).is_ok_and(|read| read.picture() == self.seed.picture())
    }

    /// [`Shrinking::of`] this seed.
    pub fn shrinking(&self, file: &[u8]) -> Option<Shrinking> {
        Shrinking::between(&self.format, self.seed.clone(), file)
    }

    /// Gives `file` to the decoder if it means what the seed means; nothing is known of other files.
    ///
    /// # Errors
    ///
    /// If the decoder makes something else of it: in which choices the file differs from the seed, as JSON.
    pub fn check(&self, file: &[u8], decode: impl FnOnce(&[u8]) -> T) -> Result<(), String> {
        let Ok(read) = self.format.seed(file) else { return Ok(()) };
        if read.picture() != self.seed.picture() || decode(file) == self.decoded {
            return Ok(());
        }
        let differs = read.own_choices().differing_from(self.seed.own_choices());
        let differs = serde_json::to_string(&differs).map_err(|e| e.to_string())?;
        Err(format!("a file that means the same is decoded differently; it differs in {differs}"))
    }
}
