//! The file that variants derive from: the plainest one of the seed's picture, where there is one.
//!
//! The seed itself is a variant of it, so a fault that the seed shows is a finding, and a cause names
//! a property of the seed only where it is needed.

use inverter::solve::Choices;

use super::cached_subject::CachedSubject;
use super::error::CampaignError;
use super::runtime::guarded;
use crate::subject::{Subject, Variant, VariantError};

/// The file that variants derive from, and the seed as a variant of it.
pub struct Base<'a> {
    /// The subject of that file.
    pub subject: CachedSubject<'a>,
    /// The seed file with the choices that differ from the base; `None` if the seed is the base.
    pub given: Option<Variant>,
}

impl<'a> Base<'a> {
    /// Returns the base of `seed`: the plainest file of its picture, or the seed itself if there is
    /// no such file, or if the seed cannot be expressed as a variant of it.
    ///
    /// # Errors
    ///
    /// [`CampaignError::Internal`] if that variant is not equivalent to the seed.
    pub fn of(seed: &'a dyn Subject) -> Result<Self, CampaignError> {
        let plainest = guarded(|| seed.plainest());
        let plainest = plainest.map_err(|panic| internal(panic, seed.own_choices()))?;
        let Some(plain) = plainest.filter(|plain| plain.seed_bytes() != seed.seed_bytes()) else {
            return Ok(Self { subject: CachedSubject::new(seed), given: None });
        };
        match like(&*plain, seed.own_choices()) {
            Ok(again) => {
                let given = Variant { bytes: seed.seed_bytes().to_vec(), ..again };
                Ok(Self { subject: CachedSubject::shared(plain), given: Some(given) })
            }
            Err(VariantError::Impossible(_)) => {
                Ok(Self { subject: CachedSubject::new(seed), given: None })
            }
            Err(VariantError::Internal(what)) => Err(internal(what, seed.own_choices())),
        }
    }

    /// Translates choices that differ from those of `seed` to choices that differ from the base.
    /// `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// [`CampaignError::Internal`].
    pub fn translate(
        &self,
        seed: &dyn Subject,
        choices: &Choices,
    ) -> Result<Option<Choices>, CampaignError> {
        if self.given.is_none() {
            return Ok(Some(choices.clone()));
        }
        let variant = replay(seed, choices).and_then(|v| like(&self.subject, &v.choices));
        match variant {
            Ok(variant) => Ok(Some(variant.differing_from(self.subject.own_choices()))),
            Err(VariantError::Impossible(_)) => Ok(None),
            Err(VariantError::Internal(what)) => Err(internal(what, choices)),
        }
    }
}

/// Calls [`Subject::replay`] and turns a panic in it into an internal error.
///
/// # Errors
///
/// As [`Subject::replay`].
pub fn replay(subject: &dyn Subject, choices: &Choices) -> Result<Variant, VariantError> {
    guarded(|| subject.replay(choices)).unwrap_or_else(|panic| Err(VariantError::Internal(panic)))
}

/// Calls [`Subject::variant_like`] and turns a panic in it into an internal error.
fn like(subject: &dyn Subject, own: &Choices) -> Result<Variant, VariantError> {
    guarded(|| subject.variant_like(own)).unwrap_or_else(|panic| Err(VariantError::Internal(panic)))
}

fn internal(what: String, choices: &Choices) -> CampaignError {
    CampaignError::Internal { what, choices: choices.clone() }
}
