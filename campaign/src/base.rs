//! The file from which variants derive: the plainest one of the seed's picture, if there is one.
//!
//! The seed itself is a variant of it, so a fault that the seed shows is a finding, and a cause names a property of the
//! seed only if it is needed. Under a restriction, only dimensions that vary have their plainest values; the others
//! keep the seed's.

use inverter::solve::Choices;

use super::cached_subject::CachedSubject;
use equivalents::subject::{Subject, Variant};

/// The file from which variants derive, and the seed as a variant of it.
pub struct Base<'a> {
    /// The subject of that file.
    pub subject: CachedSubject<'a>,
    /// The seed file with the choices that differ from the base; `None` if the seed is the base, or if a restriction
    /// fixes values that the seed does not have.
    pub given: Option<Variant>,
}

impl<'a> Base<'a> {
    /// Returns the base of `seed`: the plainest file of its picture, or the seed itself if there is
    /// no such file, or if the seed cannot be expressed as a variant of it.
    pub fn of(seed: &'a dyn Subject) -> Self {
        let itself = CachedSubject::new(seed);
        let plainest = itself.plainest_cached();
        let other = plainest.filter(|plain| plain.seed_bytes() != seed.seed_bytes());
        let Some(subject) = other else { return Self { subject: itself, given: None } };
        if !seed.includes_seed() {
            return Self { subject, given: None };
        }
        match subject.variant_like(seed.own_choices()) {
            Ok(again) => {
                let given = Variant { bytes: seed.seed_bytes().to_vec(), ..again };
                Self { subject, given: Some(given) }
            }
            Err(_) => Self { subject: itself, given: None },
        }
    }

    /// Translates choices that differ from those of `seed` to choices that differ from the base.
    /// `None` if there is no such file.
    pub fn translate(&self, seed: &dyn Subject, choices: &Choices) -> Option<Choices> {
        if self.given.is_none() {
            return Some(choices.clone());
        }
        let variant = CachedSubject::new(seed).replay(choices).ok()?;
        let variant = self.subject.variant_like(&variant.choices).ok()?;
        Some(variant.differing_from(self.subject.own_choices()))
    }
}
