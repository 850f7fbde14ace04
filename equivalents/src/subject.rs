//! The interface between a seed file and everything that varies it.
//!
//! A [`Subject`] turns a source of choices into a checked variant. [`Seed`] implements it for TIFF,
//! [`spec::SpecSeed`] for any format that a spec describes.

mod restricted;
pub mod spec;
mod survey;

use std::path::Path;
use std::sync::Arc;

use inverter::solve::{Choice, ChoiceSource, Choices, Classify, Vary, value_class};
use tiff_harness::{Page, Picture, Seed};

pub use restricted::Restricted;
pub use survey::{Need, Survey, Surveyed, SurveyedClass};
pub use tiff_harness::container::Class;
pub use tiff_harness::{Variant, VariantError, WriteError};

/// One seed file and its equivalence class. It is pure: the same arguments give the same bytes on
/// any thread.
pub trait Subject: Send + Sync {
    /// Returns the seed file's bytes.
    fn seed_bytes(&self) -> &[u8];
    /// Returns the baseline: the choices that the seed file embodies.
    fn own_choices(&self) -> &Choices;
    /// Returns the canonical picture of the seed and of every variant. If the canonical value is not a picture, returns
    /// a picture that represents it. For a file with several pages it is the picture of the first.
    fn picture(&self) -> &Picture;
    /// Returns the canonical values of the pages after the first, each in one line: the size and the digest of its
    /// picture, or the form of [`Subject::value`].
    fn further_pages(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns true if both files mean the same. A variant may have additional pages after those of its seed: the pages
    /// of one must be the first pages of the other.
    fn means_the_same(&self, other: &dyn Subject) -> bool {
        self.picture() == other.picture() && self.differing_page(other).is_none()
    }
    /// Returns the first page after the first one whose canonical values differ between the two files: its number, and
    /// both values as in [`Subject::further_pages`]. Pages that only one file has are not compared.
    fn differing_page(&self, other: &dyn Subject) -> Option<(usize, String, String)> {
        let pages = self.further_pages().into_iter().zip(other.further_pages());
        let mut pages = (2..).zip(pages).map(|(number, (own, other))| (number, own, other));
        pages.find(|(_, own, other)| own != other)
    }
    /// Returns a note on the seed file, in one line: a part of it is not in the canonical value, because it is damaged
    /// or not supported.
    fn note(&self) -> Option<String> {
        None
    }
    /// Returns the canonical value as one line of text, if it is not a picture: as JSON, or a summary of
    /// many samples.
    fn value(&self) -> Option<String> {
        None
    }
    /// Returns the canonical picture, if the canonical value is one.
    fn colors(&self) -> Option<&Picture> {
        self.value().is_none().then(|| self.picture())
    }
    /// Returns the texts that define the format, of all stages and of all files that they use, as one
    /// text; `None` for a format that is built in.
    fn format_text(&self) -> Option<String> {
        None
    }
    /// Returns the names of all dimensions of the seed's equivalence class, in a fixed order.
    fn dimensions(&self) -> &[String];
    /// Builds the variant that `source` determines, and checks that it has the canonical value of the seed. Dimensions
    /// that do not vary keep the value of the source's own baseline, or otherwise that of the seed, where it fits.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError>;
    /// Returns the choices of the variant that `source` determines. An implementation may skip the check, because
    /// callers use this to try many variants and keep few.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        Ok(self.variant_from(source)?.choices)
    }
    /// Builds variant `index` of the run `seed`.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    fn variant(&self, seed: u64, index: u64, vary: Vary) -> Result<Variant, VariantError> {
        self.variant_from(ChoiceSource::seeded(seed, index).with_vary(vary))
    }
    /// Builds variant `index` of the run `seed`; dimensions that do not vary take their value from
    /// `overrides` where it fits.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        overrides: &Choices,
    ) -> Result<Variant, VariantError> {
        let source = ChoiceSource::seeded(seed, index).with_overrides(overrides.clone());
        self.variant_from(source.with_vary(vary))
    }
    /// Builds the variant with these choices; dimensions that they leave out are as in the seed.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError::Impossible`], which names a choice that does not fit, and the reason.
    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        self.variant_from(ChoiceSource::replaying(choices.clone()))
    }
    /// Writes the variant with these choices to a file, and checks it.
    ///
    /// # Errors
    ///
    /// The errors of [`Subject::replay`], or that the file cannot be written; in one line.
    fn replay_to(&self, choices: &Choices, path: &Path) -> Result<(), WriteError> {
        let variant = self.replay(choices)?;
        let failed = |why| WriteError::File(format!("{}: {why}", path.display()));
        std::fs::write(path, variant.bytes).map_err(failed)
    }
    /// Returns a seed with another picture that is stored like this one, as far as possible; `None` if it does not fit,
    /// or if this subject has no other pictures.
    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let _ = picture;
        None
    }
    /// Returns the plainest file with the same canonical value as a subject: every dimension has its simplest value.
    /// `None` if there is none, or if the format does not define it.
    fn plainest(&self) -> Option<Arc<dyn Subject>> {
        None
    }
    /// Returns the choices in which the plainest file with the same canonical value does not have the simplest values.
    /// `None` if the format does not define it.
    fn plainest_choices(&self) -> Option<Choices> {
        None
    }
    /// Reads another file with the same canonical value as a subject like this one. `None` if it means something else,
    /// or if this subject cannot read files.
    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        let _ = bytes;
        None
    }
    /// Returns true if the seed file itself is one of the files that this subject makes: no restriction fixes a value
    /// that differs from its own.
    fn includes_seed(&self) -> bool {
        true
    }
    /// Returns the variant with the baseline of another file with the same canonical value, where it fits; `own` are
    /// the choices that the other file embodies.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    fn variant_like(&self, own: &Choices) -> Result<Variant, VariantError> {
        self.variant_from(ChoiceSource::replaying(Choices::new()).with_baseline(own.clone()))
    }
    /// Returns true if the values of `dimension` select features that a reader need not support.
    fn is_feature(&self, dimension: &str) -> bool {
        let _ = dimension;
        false
    }
    /// Returns the legality class that `value` in `dimension` gives a file with the choices `all`; `None` if the format
    /// has no legality classes.
    fn class_of(&self, dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
        let _ = (dimension, value, all);
        None
    }
    /// Returns true if a reader probably branches on `value` of `dimension`, because the format compares the dimension
    /// with this number.
    fn decides(&self, dimension: &str, value: &Choice) -> bool {
        let _ = (dimension, value);
        false
    }
    /// Returns the value class of a dimension's value, for tables: `reversed`, `small`, `1`.
    fn value_class(&self, dimension: &str, value: &Choice) -> String;
    /// Returns [`Subject::value_class`] as a function that does not borrow the subject.
    fn classify(&self) -> Classify {
        Arc::new(value_class)
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

    fn value(&self) -> Option<String> {
        self.value()
    }

    fn colors(&self) -> Option<&Picture> {
        self.has_colors().then(|| self.picture())
    }

    fn further_pages(&self) -> Vec<String> {
        self.pages().iter().map(Page::summary).collect()
    }

    fn note(&self) -> Option<String> {
        self.pages_left_out().map(ToString::to_string)
    }

    fn dimensions(&self) -> &[String] {
        self.dimensions()
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        self.variant(source)
    }

    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        self.choices(source)
    }

    fn replay_to(&self, choices: &Choices, path: &Path) -> Result<(), WriteError> {
        self.variant_to(ChoiceSource::replaying(choices.clone()), path).map(|_| ())
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        self.of_picture(picture).map(|seed| Arc::new(seed) as Arc<dyn Subject>)
    }

    fn plainest(&self) -> Option<Arc<dyn Subject>> {
        self.plainest().map(|seed| Arc::new(seed) as Arc<dyn Subject>)
    }

    fn plainest_choices(&self) -> Option<Choices> {
        Some(self.plainest_choices())
    }

    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        self.reopened(bytes).map(|seed| Arc::new(seed) as Arc<dyn Subject>)
    }

    fn class_of(&self, dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
        Some(self.class_of(dimension, value, all).unwrap_or(Class::Baseline))
    }

    fn is_feature(&self, dimension: &str) -> bool {
        let (_, dimension) = tiff_harness::dimension::of_page(dimension);
        tiff_harness::dimension::FEATURES.contains(&dimension)
    }

    fn value_class(&self, dimension: &str, value: &Choice) -> String {
        self.value_class(dimension, value)
    }

    fn classify(&self) -> Classify {
        self.classify()
    }
}
