//! The subject of a campaign: it caches variants, and survives those that repfuzz's own reader refuses.
//!
//! Clients fail on similar files, so their reductions request the same ones. All clients share the cache, and triage
//! mostly replays known choices. A variant that is not equivalent to the seed, or whose construction panics, is
//! recorded and becomes an impossible one, so that the campaign continues.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use inverter::solve::{Choice, ChoiceSource, Choices, Classify, Vary};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tiff_harness::Picture;

use super::records::RefusedVariant;
use super::runtime::guarded;
use clients::digest;
use equivalents::subject::{Class, Subject, Variant, VariantError, WriteError};

/// The approximate capacity for files of one picture, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The approximate size of the choices of a file, in bytes.
const CHOICES_BYTES: u64 = 8 << 10;

/// The number of smaller pictures that are cached.
const PICTURES: usize = 64;

type Replayed = Arc<Result<Variant, VariantError>>;

/// The refused variants of all pictures.
type Refused = Arc<Mutex<Vec<RefusedVariant>>>;

/// A subject that caches the variants of [`Subject::replay`] and the seeds of smaller pictures. It never returns
/// [`VariantError::Internal`].
pub struct CachedSubject<'a> {
    subject: Base<'a>,
    refused: Refused,
    replayed: Cache<digest::Key, Replayed, ByBytes>,
    /// The variants of steps. Several tracks of clients request the same one, one after another.
    drawn: Cache<digest::Key, Replayed, ByBytes>,
    smaller: Cache<String, Option<Arc<dyn Subject>>>,
}

enum Base<'a> {
    Borrowed(&'a dyn Subject),
    Shared(Arc<dyn Subject>),
}

/// Weighs an entry by its size.
#[derive(Clone)]
struct ByBytes;

impl Weighter<digest::Key, Replayed> for ByBytes {
    fn weight(&self, _: &digest::Key, replayed: &Replayed) -> u64 {
        CHOICES_BYTES + replayed.as_ref().as_ref().map_or(0, |variant| variant.bytes.len()) as u64
    }
}

impl<'a> CachedSubject<'a> {
    /// Wraps `subject` with an empty cache.
    pub fn new(subject: &'a dyn Subject) -> Self {
        Self::of(Base::Borrowed(subject), Refused::default())
    }

    fn of(subject: Base<'a>, refused: Refused) -> Self {
        let cache =
            |bytes: u64| Cache::with_weighter((bytes / CHOICES_BYTES) as usize, bytes, ByBytes);
        let (replayed, drawn) = (cache(MAX_BYTES), cache(MAX_BYTES / 4));
        Self { subject, refused, replayed, drawn, smaller: Cache::new(PICTURES) }
    }

    /// Returns the plainest file with the same canonical value as a campaign's subject, which records refused variants
    /// together with this one.
    pub fn plainest_cached(&self) -> Option<CachedSubject<'static>> {
        let plainest = guarded(|| self.subject().plainest());
        let plainest = plainest.map_err(|panic| self.record(panic, Choices::new())).ok().flatten();
        plainest.map(|subject| self.beside(subject))
    }

    /// Wraps another subject, whose refused variants are recorded together with those of this one.
    fn beside(&self, subject: Arc<dyn Subject>) -> CachedSubject<'static> {
        CachedSubject::of(Base::Shared(subject), Arc::clone(&self.refused))
    }

    /// Returns the variants refused so far, each once, in an order that does not depend on the number of threads.
    pub fn refused(&self) -> Vec<RefusedVariant> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        refused.sort_by_cached_key(|r| (digest::of_choices(&r.choices), r.what.clone()));
        refused.dedup();
        refused
    }

    fn record(&self, what: String, choices: Choices) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.push(RefusedVariant { what, choices });
    }

    /// Makes a variant of this subject, or its choices. If that causes an internal error, the error is recorded with
    /// the `choices` that reproduce it, and the variant does not exist.
    fn survive<T>(
        &self,
        make: impl FnOnce(&dyn Subject) -> Result<T, VariantError>,
        choices: impl FnOnce() -> Choices,
    ) -> Result<T, VariantError> {
        let what = match guarded(|| make(self.subject())) {
            Ok(Err(VariantError::Internal(what))) | Err(what) => what,
            Ok(made) => return made,
        };
        self.record(what.clone(), choices());
        Err(VariantError::Impossible(format!("an internal error: {what}")))
    }

    /// Returns the choices of the variant of `source` that differ from the subject's own, as far as
    /// they can be made.
    fn choices_of(&self, source: ChoiceSource) -> Choices {
        let made = guarded(|| self.subject().choices_from(source));
        let choices = made.ok().and_then(Result::ok).unwrap_or_default();
        let own = self.own_choices();
        let differs = |(name, value): &(&str, &Choice)| own.get(name) != Some(*value);
        choices.iter().filter(differs).map(|(n, v)| (n.to_owned(), v.clone())).collect()
    }

    fn subject(&self) -> &dyn Subject {
        match &self.subject {
            Base::Borrowed(subject) => *subject,
            Base::Shared(subject) => &**subject,
        }
    }
}

impl Subject for CachedSubject<'_> {
    fn seed_bytes(&self) -> &[u8] {
        self.subject().seed_bytes()
    }

    fn own_choices(&self) -> &Choices {
        self.subject().own_choices()
    }

    fn picture(&self) -> &Picture {
        self.subject().picture()
    }

    fn value(&self) -> Option<String> {
        self.subject().value()
    }

    fn colors(&self) -> Option<&Picture> {
        self.subject().colors()
    }

    fn further_pages(&self) -> Vec<String> {
        self.subject().further_pages()
    }

    fn note(&self) -> Option<String> {
        self.subject().note()
    }

    fn format_text(&self) -> Option<String> {
        self.subject().format_text()
    }

    fn dimensions(&self) -> &[String] {
        self.subject().dimensions()
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let again = source.clone();
        self.survive(|subject| subject.variant_from(source), || self.choices_of(again))
    }

    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        // There are no choices to record, because making them is what failed.
        self.survive(|subject| subject.choices_from(source), Choices::new)
    }

    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        overrides: &Choices,
    ) -> Result<Variant, VariantError> {
        let key = format!("{seed} {index} {vary:?} {}", serde_json::json!(overrides));
        let source = ChoiceSource::seeded(seed, index).with_overrides(overrides.clone());
        let make = || Ok::<_, VariantError>(Arc::new(self.variant_from(source.with_vary(vary))));
        Result::clone(&*self.drawn.get_or_insert_with(&digest::key(key), make)?)
    }

    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        let replayed = || self.survive(|subject| subject.replay(choices), || choices.clone());
        let make = || Ok::<_, VariantError>(Arc::new(replayed()));
        let made = self.replayed.get_or_insert_with(&digest::of_choices(choices), make)?;
        Result::clone(&made)
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let smaller = || {
            let smaller = guarded(|| self.subject().of_picture(picture)).ok().flatten();
            let cached = |subject| Arc::new(self.beside(subject)) as Arc<dyn Subject>;
            Ok::<_, ()>(smaller.map(cached))
        };
        self.smaller.get_or_insert_with(&picture.digest(), smaller).ok().flatten()
    }

    fn plainest(&self) -> Option<Arc<dyn Subject>> {
        self.plainest_cached().map(|plainest| Arc::new(plainest) as Arc<dyn Subject>)
    }

    fn plainest_choices(&self) -> Option<Choices> {
        self.subject().plainest_choices()
    }

    fn replay_to(&self, choices: &Choices, path: &Path) -> Result<(), WriteError> {
        self.subject().replay_to(choices, path)
    }

    fn reopened(&self, bytes: Vec<u8>) -> Option<Arc<dyn Subject>> {
        let reopened = guarded(|| self.subject().reopened(bytes)).ok().flatten();
        reopened.map(|subject| Arc::new(self.beside(subject)) as Arc<dyn Subject>)
    }

    fn variant_like(&self, own: &Choices) -> Result<Variant, VariantError> {
        let like = |subject: &dyn Subject| subject.variant_like(own);
        self.survive(like, || own.clone())
    }

    fn includes_seed(&self) -> bool {
        self.subject().includes_seed()
    }

    fn is_feature(&self, dimension: &str) -> bool {
        self.subject().is_feature(dimension)
    }

    fn class_of(&self, dimension: &str, value: &Choice, all: &Choices) -> Option<Class> {
        self.subject().class_of(dimension, value, all)
    }

    fn decides(&self, dimension: &str, value: &Choice) -> bool {
        self.subject().decides(dimension, value)
    }

    fn value_class(&self, dimension: &str, value: &Choice) -> String {
        self.subject().value_class(dimension, value)
    }

    fn classify(&self) -> Classify {
        self.subject().classify()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use equivalents::subject::Class;

    /// Counts the variants that it builds. Choices with `no` are impossible.
    struct Counting {
        own: Choices,
        picture: Picture,
        made: AtomicUsize,
    }

    impl Subject for Counting {
        fn seed_bytes(&self) -> &[u8] {
            b"seed"
        }

        fn own_choices(&self) -> &Choices {
            &self.own
        }

        fn picture(&self) -> &Picture {
            &self.picture
        }

        fn dimensions(&self) -> &[String] {
            &[]
        }

        fn variant_from(&self, _: ChoiceSource) -> Result<Variant, VariantError> {
            Err(VariantError::Impossible("none".into()))
        }

        fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
            self.made.fetch_add(1, Ordering::SeqCst);
            if choices.get("no").is_some() {
                return Err(VariantError::Impossible("no".into()));
            }
            let bytes = serde_json::to_vec(choices).unwrap();
            let (choices, translated) = (choices.clone(), Choices::new());
            Ok(Variant { bytes, choices, translated, class: Class::Baseline })
        }

        fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
            self.made.fetch_add(1, Ordering::SeqCst);
            let (own, made) = (Choices::new(), AtomicUsize::new(0));
            Some(Arc::new(Counting { own, picture: picture.clone(), made }))
        }

        fn value_class(&self, _: &str, value: &Choice) -> String {
            value.to_string()
        }
    }

    #[test]
    fn what_was_made_is_not_made_again() {
        let picture = |v: u16| Picture::new(1, 1, vec![v; 4]);
        let (own, made) = (Choices::new(), AtomicUsize::new(0));
        let subject = Counting { own, picture: picture(1), made };
        let cached = CachedSubject::new(&subject);
        let choices = |name: &str| Choices::from_iter([(name.to_owned(), Choice::Int(1))]);
        for _ in 0..3 {
            assert_eq!(cached.replay(&choices("a")).unwrap().bytes, b"{\"a\":1}");
            assert_eq!(cached.replay(&choices("b")).unwrap().bytes, b"{\"b\":1}");
            assert_eq!(cached.replay(&choices("no")).unwrap_err().to_string(), "no");
        }
        assert_eq!(subject.made.load(Ordering::SeqCst), 3);
        for _ in 0..3 {
            assert_eq!(cached.of_picture(&picture(2)).unwrap().picture(), &picture(2));
            assert_eq!(cached.of_picture(&picture(3)).unwrap().picture(), &picture(3));
        }
        assert_eq!(subject.made.load(Ordering::SeqCst), 5);
    }
}
