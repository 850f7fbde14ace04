//! A subject that remembers: clients fail alike, so their reductions ask for the same files.

use std::sync::Arc;

use inverter::solve::{Choice, ChoiceSource, Choices, Classify, Vary};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tiff_harness::Picture;

use crate::digest;
use crate::subject::{Subject, Variant, VariantError};

/// The most bytes of files of one picture that are remembered, about.
const MOST_BYTES: u64 = 64 << 20;

/// About how many bytes the choices of a file take.
const CHOICES_BYTES: u64 = 8 << 10;

/// How many smaller pictures of the seed are remembered.
const PICTURES: usize = 64;

type Made = Arc<Result<Variant, VariantError>>;

/// What is replayed again is not made again, and a smaller picture's seed is read once.
pub struct Memo<'a> {
    subject: Base<'a>,
    made: Cache<digest::Key, Made, Bytes>,
    smaller: Cache<String, Option<Arc<dyn Subject>>>,
}

enum Base<'a> {
    Borrowed(&'a dyn Subject),
    Shared(Arc<dyn Subject>),
}

#[derive(Clone)]
struct Bytes;

impl Weighter<digest::Key, Made> for Bytes {
    fn weight(&self, _: &digest::Key, made: &Made) -> u64 {
        CHOICES_BYTES + made.as_ref().as_ref().map_or(0, |variant| variant.bytes.len()) as u64
    }
}

impl<'a> Memo<'a> {
    /// `subject`, of which nothing is remembered yet.
    pub fn new(subject: &'a dyn Subject) -> Self {
        Self::of(Base::Borrowed(subject))
    }

    fn of(subject: Base<'a>) -> Self {
        let files = (MOST_BYTES / CHOICES_BYTES) as usize;
        let made = Cache::with_weighter(files, MOST_BYTES, Bytes);
        Self { subject, made, smaller: Cache::new(PICTURES) }
    }

    fn subject(&self) -> &dyn Subject {
        match &self.subject {
            Base::Borrowed(subject) => *subject,
            Base::Shared(subject) => &**subject,
        }
    }
}

impl Subject for Memo<'_> {
    fn seed_bytes(&self) -> &[u8] {
        self.subject().seed_bytes()
    }

    fn own_choices(&self) -> &Choices {
        self.subject().own_choices()
    }

    fn picture(&self) -> &Picture {
        self.subject().picture()
    }

    fn dimensions(&self) -> &[String] {
        self.subject().dimensions()
    }

    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        self.subject().variant_from(source)
    }

    fn variant(&self, seed: u64, index: u64, vary: Vary) -> Result<Variant, VariantError> {
        self.subject().variant(seed, index, vary)
    }

    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        overrides: &Choices,
    ) -> Result<Variant, VariantError> {
        self.subject().toward(seed, index, vary, overrides)
    }

    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        let make = || Ok(Arc::new(self.subject().replay(choices)));
        match self
            .made
            .get_or_insert_with::<_, VariantError>(&digest::of_choices(choices), make)?
            .as_ref()
        {
            Ok(variant) => Ok(variant.clone()),
            Err(error) => Err(error.clone()),
        }
    }

    fn of_picture(&self, picture: &Picture) -> Option<Arc<dyn Subject>> {
        let smaller = || {
            let smaller = self.subject().of_picture(picture);
            let memo = |subject| Arc::new(Memo::of(Base::Shared(subject))) as Arc<dyn Subject>;
            Ok::<_, ()>(smaller.map(memo))
        };
        self.smaller.get_or_insert_with(&picture.digest(), smaller).ok().flatten()
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
    use crate::subject::Class;

    /// Counts what it makes; of choices with `no` it makes nothing.
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
        let memo = Memo::new(&subject);
        let choices = |name: &str| Choices::from_iter([(name.to_owned(), Choice::Int(1))]);
        for _ in 0..3 {
            assert_eq!(memo.replay(&choices("a")).unwrap().bytes, b"{\"a\":1}");
            assert_eq!(memo.replay(&choices("b")).unwrap().bytes, b"{\"b\":1}");
            assert_eq!(memo.replay(&choices("no")).unwrap_err().to_string(), "no");
        }
        assert_eq!(subject.made.load(Ordering::SeqCst), 3);
        for _ in 0..3 {
            assert_eq!(memo.of_picture(&picture(2)).unwrap().picture(), &picture(2));
            assert_eq!(memo.of_picture(&picture(3)).unwrap().picture(), &picture(3));
        }
        assert_eq!(subject.made.load(Ordering::SeqCst), 5);
    }
}
