//! What a campaign varies: one seed file, and the equivalent files made of it. It is TIFF with its
//! harness, or any format that a spec alone describes ([`spec`]).

mod bytes;
pub mod spec;

use std::sync::Arc;

use inverter::solve::{ChoiceSource, Choices, Classify, Value, Vary, value_class};
use tiff_harness::{Picture, Seed};

pub use bytes::picture as of_bytes;
pub use tiff_harness::container::Class;
pub use tiff_harness::{Variant, VariantError};

/// One seed file and its equivalence class. Pure: the same arguments give the same bytes
/// on any thread.
pub trait Subject: Send + Sync {
    /// The seed file's bytes.
    fn seed_bytes(&self) -> &[u8];
    /// The seed's own representation, as choices.
    fn own_choices(&self) -> &Choices;
    /// The canonical picture of the seed and of every variant.
    fn picture(&self) -> &Picture;
    /// The canonical value as JSON, if it is no picture.
    fn value(&self) -> Option<String> {
        None
    }
    /// The names of all dimensions that the seed's class has, in a fixed order.
    fn dimensions(&self) -> &[String];
    /// Variant `index` of the run `seed`, checked to normalize to [`Subject::picture`].
    /// Dimensions that do not vary keep the seed's own value where it fits.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    fn variant(&self, seed: u64, index: u64, vary: Vary) -> Result<Variant, VariantError>;
    /// The same, where dimensions that do not vary have the value that `wishes` have for them,
    /// if it fits. A subject that cannot be steered leaves the wishes out.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        wishes: &Choices,
    ) -> Result<Variant, VariantError> {
        let _ = wishes;
        self.variant(seed, index, vary)
    }
    /// The variant of these choices; what they leave out is as in the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError::Impossible`] names the choice that does not fit, and why.
    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError>;
    /// A seed of another picture, stored as this one is, as far as that fits; `None` if it
    /// does not, or this subject knows no other pictures.
    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let _ = picture;
        None
    }
    /// The value class of a dimension's value, for tables: `reversed`, `small`, `1`.
    fn value_class(&self, dimension: &str, value: &Value) -> String;
}

/// A subject that takes any source of choices.
pub trait Sourced: Subject {
    /// The variant that `source` decides on. What does not vary is as in the source's own baseline,
    /// or else as in the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    fn made(&self, source: ChoiceSource) -> Result<Variant, VariantError>;
    /// Its choices. Where many are tried and few are kept, the file need not be read back.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    fn tried(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        Ok(self.made(source)?.choices)
    }
    /// [`Subject::value_class`], as a function that does not hold on to the subject.
    fn classify(&self) -> Classify {
        Arc::new(value_class)
    }
}

impl Sourced for Seed {
    fn made(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        self.variant(source)
    }

    fn tried(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        self.choices(source)
    }

    fn classify(&self) -> Classify {
        self.classify()
    }
}

impl Subject for Seed {
    fn seed_bytes(&self) -> &[u8] {
        self.bytes()
    }

    fn own_choices(&self) -> &Choices {
        self.own_choices()
    }

    fn picture(&self) -> &Picture {
        self.picture()
    }

    fn dimensions(&self) -> &[String] {
        self.dimensions()
    }

    fn variant(&self, seed: u64, index: u64, vary: Vary) -> Result<Variant, VariantError> {
        self.variant(ChoiceSource::seeded(seed, index).with_vary(vary))
    }

    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        wishes: &Choices,
    ) -> Result<Variant, VariantError> {
        let source = ChoiceSource::seeded(seed, index).with_preferred(wishes.clone());
        self.variant(source.with_vary(vary))
    }

    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        self.variant(ChoiceSource::replaying(choices.clone()))
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        self.of_picture(picture).map(|seed| Arc::new(seed) as Arc<dyn Subject>)
    }

    fn value_class(&self, dimension: &str, value: &Value) -> String {
        self.value_class(dimension, value)
    }
}
