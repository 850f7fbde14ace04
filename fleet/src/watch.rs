//! Remembers the choices of the variants that a campaign makes, so that a worker can recreate them.

use std::sync::Arc;

use inverter::solve::{Choice, ChoiceSource, Choices, Classify};
use quick_cache::sync::Cache;
use tiff_harness::Picture;

use super::wire::{FileSource, SeedRef};
use clients::digest;
use equivalents::subject::{Class, Subject, Variant, VariantError};

/// The number of variants that are remembered. Clients read most variants soon after they are made.
const VARIANTS: usize = 20_000;

/// A file's seed, and how it is made.
#[derive(Debug, Clone)]
pub struct Source {
    /// The seed.
    pub seed: Arc<SeedRef>,
    /// The choices, or the seed itself.
    pub file: FileSource,
}

/// The sources of files, by their digests.
#[derive(Debug)]
pub struct Sources(Cache<digest::Key, Arc<Source>>);

impl Default for Sources {
    fn default() -> Self {
        Self::new()
    }
}

impl Sources {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self(Cache::new(VARIANTS))
    }

    /// Returns the source of the file with this digest, if known.
    pub fn get(&self, file: &digest::Key) -> Option<Arc<Source>> {
        self.0.get(file)
    }
}

/// A seed whose variants are remembered.
pub struct Watched {
    inner: Arc<dyn Subject>,
    sources: Arc<Sources>,
    seed: Arc<SeedRef>,
    plainest: bool,
}

impl Watched {
    /// Wraps the seed `inner`, which `seed` names.
    pub fn new(inner: Arc<dyn Subject>, sources: Arc<Sources>, seed: SeedRef) -> Self {
        Self::of(inner, sources, Arc::new(seed), false)
    }

    fn of(
        inner: Arc<dyn Subject>,
        sources: Arc<Sources>,
        seed: Arc<SeedRef>,
        plainest: bool,
    ) -> Self {
        let own = Source { seed: Arc::clone(&seed), file: FileSource::Own { plainest } };
        sources.0.insert(digest::key(inner.seed_bytes()), Arc::new(own));
        Self { inner, sources, seed, plainest }
    }

    fn remember(&self, made: Result<Variant, VariantError>) -> Result<Variant, VariantError> {
        if let Ok(variant) = &made {
            let choices = variant.differing_from(self.inner.own_choices());
            let file = FileSource::Choices { plainest: self.plainest, choices };
            let source = Source { seed: Arc::clone(&self.seed), file };
            let key = digest::key(&variant.bytes);
            // The first source stays, because it may be the seed's own file.
            let known = self.sources.0.get(&key);
            if known.is_none_or(|known| known.seed != source.seed) {
                self.sources.0.insert(key, Arc::new(source));
            }
        }
        made
    }
}

impl Subject for Watched {
    fn seed_bytes(&self) -> &[u8] {
        self.inner.seed_bytes()
    }

    fn own_choices(&self) -> &Choices {
        self.inner.own_choices()
    }

    fn picture(&self) -> &Picture {
        self.inner.picture()
    }

    fn further_pages(&self) -> Vec<String> {
        self.inner.further_pages()
    }

    fn note(&self) -> Option<String> {
        self.inner.note()
    }

    fn value(&self) -> Option<String> {
        self.inner.value()
    }

    fn colors(&self) -> Option<&Picture> {
        self.inner.colors()
    }

    fn format_text(&self) -> Option<String> {
        self.inner.format_text()
    }

    fn dimensions(&self) -> &[String] {
        self.inner.dimensions()
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        self.remember(self.inner.variant_from(source))
    }

    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        self.inner.choices_from(source)
    }

    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        self.remember(self.inner.replay(choices))
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        self.inner.of_picture(picture)
    }

    fn plainest(&self) -> Option<Arc<dyn Subject>> {
        let plainest = self.inner.plainest()?;
        if self.plainest {
            return Some(plainest);
        }
        let (sources, seed) = (Arc::clone(&self.sources), Arc::clone(&self.seed));
        Some(Arc::new(Self::of(plainest, sources, seed, true)))
    }

    fn plainest_choices(&self) -> Option<Choices> {
        self.inner.plainest_choices()
    }

    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        self.inner.reopened(bytes)
    }

    fn includes_seed(&self) -> bool {
        self.inner.includes_seed()
    }

    fn variant_like(&self, own: &Choices) -> Result<Variant, VariantError> {
        self.remember(self.inner.variant_like(own))
    }

    fn is_feature(&self, dimension: &str) -> bool {
        self.inner.is_feature(dimension)
    }

    fn class_of(&self, dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
        self.inner.class_of(dimension, value, all)
    }

    fn decides(&self, dimension: &str, value: &Choice) -> bool {
        self.inner.decides(dimension, value)
    }

    fn value_class(&self, dimension: &str, value: &Choice) -> String {
        self.inner.value_class(dimension, value)
    }

    fn classify(&self) -> Classify {
        self.inner.classify()
    }
}
