//! A subject whose variants comply with a restriction.

use std::sync::{Arc, OnceLock};

use inverter::solve::{Choice, ChoiceSource, Choices, Classify, Restriction};
use tiff_harness::Picture;

use super::{Class, Subject, Variant, VariantError};

/// A subject whose variants comply with a restriction, however they are made.
pub struct Restricted {
    inner: Arc<dyn Subject>,
    restriction: Arc<Restriction>,
    dimensions: OnceLock<Vec<String>>,
}

impl Restricted {
    /// Restricts the variants of `inner`.
    pub fn new(inner: Arc<dyn Subject>, restriction: impl Into<Arc<Restriction>>) -> Self {
        Self { inner, restriction: restriction.into(), dimensions: OnceLock::new() }
    }

    /// Returns the restriction.
    pub fn restriction(&self) -> &Arc<Restriction> {
        &self.restriction
    }

    /// Returns the subject without the restriction.
    pub fn unrestricted(&self) -> &dyn Subject {
        &*self.inner
    }

    /// Makes the variant that `source` determines. If fixed values are incompatible with values drawn before them, it
    /// draws again, so that they restrict earlier choices as well.
    fn making<T>(
        &self,
        source: ChoiceSource,
        make: impl Fn(ChoiceSource) -> Result<T, VariantError>,
    ) -> Result<T, VariantError> {
        /// The number of further attempts.
        const ATTEMPTS: u64 = 24;
        let source = source.with_restriction(Arc::clone(&self.restriction));
        let attempts = if self.restriction.fixed().is_empty() { 0 } else { ATTEMPTS };
        let first = make(source.clone());
        let Err(VariantError::Impossible(_)) = first else { return first };
        (1..=attempts)
            .map_while(|k| source.attempt(k))
            .map(make)
            .find(|made| !matches!(made, Err(VariantError::Impossible(_))))
            .unwrap_or(first)
    }

    /// Returns the file of `subject` with these defaults as a separate subject. Dimensions that may vary have the
    /// defaults; the others have their fixed values, or keep the values of `kept`.
    fn rebuilt(
        &self,
        subject: &dyn Subject,
        defaults: &Choices,
        kept: Choices,
    ) -> Option<Arc<dyn Subject>> {
        let restriction = Arc::new(Restriction::clone(&self.restriction).with_kept(kept));
        let source = ChoiceSource::replaying(Choices::new()).with_baseline(defaults.clone());
        let made = subject.variant_from(source.with_restriction(Arc::clone(&restriction))).ok()?;
        let inner = subject.reopened(made.bytes)?;
        Some(Arc::new(Self::new(inner, restriction)))
    }
}

impl Subject for Restricted {
    fn seed_bytes(&self) -> &[u8] {
        self.inner.seed_bytes()
    }

    fn own_choices(&self) -> &Choices {
        self.inner.own_choices()
    }

    fn picture(&self) -> &Picture {
        self.inner.picture()
    }

    fn value(&self) -> Option<String> {
        self.inner.value()
    }

    fn colors(&self) -> Option<&Picture> {
        self.inner.colors()
    }

    fn further_pages(&self) -> Vec<String> {
        self.inner.further_pages()
    }

    fn note(&self) -> Option<String> {
        self.inner.note()
    }

    fn format_text(&self) -> Option<String> {
        self.inner.format_text()
    }

    fn dimensions(&self) -> &[String] {
        let may_vary = |name: &&String| self.restriction.may_vary(name.as_str());
        self.dimensions
            .get_or_init(|| self.inner.dimensions().iter().filter(may_vary).cloned().collect())
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        self.making(source, |source| self.inner.variant_from(source))
    }

    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        self.making(source, |source| self.inner.choices_from(source))
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let small = self.inner.of_picture(picture)?;
        if self.restriction.fixed().is_empty() {
            return Some(Arc::new(Self::new(small, Arc::clone(&self.restriction))));
        }
        let kept = Choices::clone(self.restriction.kept());
        self.rebuilt(&*small, small.own_choices(), kept)
    }

    fn plainest(&self) -> Option<Arc<dyn Subject>> {
        let own = self.inner.own_choices();
        let Some(plain) = self.inner.plainest_choices() else {
            // The seed itself has the simplest known values, except for the fixed ones.
            let other =
                (!self.includes_seed()).then(|| self.rebuilt(&*self.inner, own, own.clone()));
            return other.flatten();
        };
        let mut kept = plain.clone();
        own.entries().for_each(|(id, value)| kept.set(id, value.clone()));
        self.rebuilt(&*self.inner, &plain, kept)
    }

    fn plainest_choices(&self) -> Option<Choices> {
        self.inner.plainest_choices()
    }

    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        let inner = self.inner.reopened(bytes)?;
        Some(Arc::new(Self::new(inner, Arc::clone(&self.restriction))))
    }

    fn includes_seed(&self) -> bool {
        let own = self.inner.own_choices();
        let mut fixed = self.restriction.fixed().entries();
        fixed.all(|(id, value)| own.get(id).is_none_or(|own| own == value))
    }

    fn is_feature(&self, dimension: &str) -> bool {
        self.inner.is_feature(dimension)
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

    fn class_of(&self, dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
        self.inner.class_of(dimension, value, all)
    }
}
