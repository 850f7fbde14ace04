//! What a campaign varies: one seed file, and the equivalent files made of it.

use inverter::solve::{Choices, Vary};
use tiff_harness::Picture;

/// How surely every reader must take a file, by the format's own standard.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Every reader must take it (TIFF 6.0, part 1).
    Baseline,
    /// A published extension (TIFF 6.0, part 2; what part 1 marks as optional).
    Extension,
    /// Seen in the wild, not clearly legal.
    Questionable,
}

/// A file that means the same as the seed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The file.
    pub bytes: Vec<u8>,
    /// Every choice that made it.
    pub choices: Choices,
    /// The worst class of any choice that differs from the seed's.
    pub class: Class,
}

/// Why a variant could not be made.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VariantError {
    /// These choices have no file: one of them breaks a constraint, which the text names.
    #[error("{0}")]
    Impossible(String),
    /// The file that was made does not normalize to the seed's picture: a defect of
    /// repfuzz. Stops the run.
    #[error("internal error: {0}; please report this with the seed file and the choices")]
    Defect(String),
}

/// One seed file and its equivalence class. Pure: the same arguments give the same bytes
/// on any thread.
pub trait Subject: Sync {
    /// The seed file's bytes.
    fn seed_bytes(&self) -> &[u8];
    /// The seed's own representation, as choices.
    fn own_choices(&self) -> &Choices;
    /// The canonical picture of the seed and of every variant.
    fn picture(&self) -> &Picture;
    /// The names of all dimensions that the seed's class has, in a fixed order.
    fn dimensions(&self) -> &[String];
    /// Variant `index` of the run `seed`, checked to normalize to [`Subject::picture`].
    /// Dimensions that do not vary keep the seed's own value where it fits.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    fn variant(&self, seed: u64, index: u64, vary: Vary) -> Result<Variant, VariantError>;
    /// The variant of these choices; what they leave out is as in the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError::Impossible`] names the choice that does not fit, and why.
    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError>;
    /// The value class of a dimension's value, for tables: `reversed`, `small`, `1`.
    fn value_class(&self, dimension: &str, value: &inverter::solve::Value) -> String;
}
