//! Making a step's variant, and what clients get instead that ignore some of its dimensions.

use std::sync::Arc;

use inverter::solve::Choices;

use super::baseline::replay;
use super::parallel::guarded;
use super::plan::{Step, describe};
use super::row::Info;
use crate::client::Client;
use crate::subject::{Subject, Variant, VariantError};

/// A file to give to clients.
pub struct File {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it is.
    pub info: Arc<Info>,
}

impl File {
    fn of(subject: &dyn Subject, variant: Variant) -> Self {
        let info = Arc::new(Info::of(subject, &variant));
        Self { bytes: variant.bytes, info }
    }
}

/// A variant, and its stand-ins.
pub struct Made {
    /// What varied.
    pub vary: String,
    /// The variant.
    pub file: Arc<File>,
    /// What clients get that ignore just these dimensions.
    pub without: Vec<(Vec<String>, Without)>,
}

/// A stand-in.
pub enum Without {
    /// They ignore all that varies.
    Nothing,
    /// Without what they ignore there is no such file.
    Impossible(String),
    /// This.
    File(Arc<File>),
}

/// The variant of `step` in the run `seed`; on failure, with the choices that show it.
pub fn make(
    subject: &dyn Subject,
    clients: &[Box<dyn Client + '_>],
    seed: u64,
    step: &Step,
) -> Result<Made, (VariantError, Choices)> {
    let variant = guarded(|| subject.variant(seed, step.index, step.vary.clone()))
        .unwrap_or_else(|panic| Err(VariantError::Defect(panic)))
        .map_err(|error| (error, Choices::new()))?;
    let file = File::of(subject, variant);
    let mut without: Vec<(Vec<String>, Without)> = Vec::new();
    for client in clients {
        let ignores = client.ignores();
        let touched = ignores.iter().any(|d| file.info.choices.get(d).is_some());
        if !touched || without.iter().any(|(known, _)| known == ignores) {
            continue;
        }
        let mut rest = file.info.choices.clone();
        for dimension in ignores {
            rest.remove(dimension);
        }
        let other = if rest.is_empty() {
            Without::Nothing
        } else {
            match replay(subject, &rest) {
                Ok(variant) => Without::File(Arc::new(File::of(subject, variant))),
                Err(VariantError::Impossible(why)) => Without::Impossible(why),
                Err(defect) => return Err((defect, rest)),
            }
        };
        without.push((ignores.to_vec(), other));
    }
    Ok(Made { vary: describe(&step.vary), file: Arc::new(file), without })
}
