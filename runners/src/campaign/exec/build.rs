//! Making a step's variant, and what clients get instead that ignore some of its dimensions.

use std::sync::Arc;

use inverter::solve::{Choice, Choices, Vary};

use crate::campaign::client_session::replay;
use crate::campaign::records::Info;
use crate::campaign::runtime::guarded;
use crate::campaign::schedule::{Order, Pick, Step, describe};
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
    /// The dimension that was to vary by itself.
    pub alone: Option<String>,
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

/// The best variant that `order` asks for, in the run `seed`; on failure, with the choices
/// that show it.
pub fn make(
    subject: &dyn Subject,
    clients: &[Box<dyn Client + '_>],
    seed: u64,
    order: &Order,
) -> Result<Made, (VariantError, Choices)> {
    let (step, file) = pick(subject, seed, order).map_err(|error| (error, Choices::new()))?;
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
    let alone = match &step.vary {
        Vary::Only(names) if names.len() == 1 && step.wishes.is_empty() => names.first().cloned(),
        _ => None,
    };
    Ok(Made { vary: describe(step), alone, file: Arc::new(file), without })
}

/// The best of the candidates; where there is none, why the last is none.
fn pick<'o>(
    subject: &dyn Subject,
    seed: u64,
    order: &'o Order,
) -> Result<(&'o Step, File), VariantError> {
    let mut best: Option<(usize, &Step, File)> = None;
    let mut why = "nothing new".to_owned();
    for step in &order.candidates {
        let variant = guarded(|| subject.toward(seed, step.index, step.vary.clone(), &step.wishes))
            .unwrap_or_else(|panic| Err(VariantError::Internal(panic)));
        let file = match variant {
            Ok(variant) => File::of(subject, variant),
            Err(VariantError::Impossible(impossible)) => {
                why = impossible;
                continue;
            }
            Err(defect) => return Err(defect),
        };
        let class = |dimension: &str, value: &Choice| subject.value_class(dimension, value);
        let gain = match &order.pick {
            Pick::Only => return Ok((step, file)),
            Pick::New(dimension, known) => {
                let varied = file.info.varied.iter().find(|(d, _)| d == dimension);
                let new = varied.is_some_and(|(d, class)| known.occurrences(d, class) == 0);
                if new {
                    return Ok((step, file));
                }
                continue;
            }
            Pick::Pairs(known) => known.gain(&file.info.choices, class),
        };
        if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
            best = Some((gain, step, file));
        }
    }
    let best = best.map(|(_, step, file)| (step, file));
    best.ok_or(VariantError::Impossible(why))
}
