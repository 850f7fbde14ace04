//! Builds the variant of a request, and reduced variants for clients that ignore some dimensions.

use std::sync::Arc;

use inverter::solve::{Choice, Choices, Vary};

use crate::campaign::records::VariantInfo;
use crate::campaign::schedule::{PlanStep, Request, SelectionRule};
use crate::client::{Client, is_ignored};
use crate::subject::{Subject, Variant};

/// A file to give to clients.
pub struct File {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its description.
    pub info: Arc<VariantInfo>,
}

impl File {
    /// The file of `variant`.
    pub fn of(subject: &dyn Subject, variant: Variant) -> Self {
        let info = Arc::new(VariantInfo::of(subject, &variant));
        Self { bytes: variant.bytes, info }
    }
}

/// A variant, and its replacements for some clients.
pub struct BuiltVariant {
    /// A description of the dimensions that varied.
    pub vary: String,
    /// The dimension that was meant to vary alone.
    pub alone: Option<String>,
    /// The variant.
    pub file: Arc<File>,
    /// The replacements, each for the clients that ignore exactly these dimensions.
    pub reduced: Vec<(Vec<String>, ReducedVariant)>,
}

/// A variant without the dimensions that a client ignores.
pub enum ReducedVariant {
    /// All dimensions that vary are ignored.
    Nothing,
    /// There is no such variant, for this reason.
    Impossible(String),
    /// The file.
    File(Arc<File>),
}

/// Builds the variant that `request` selects in the run `seed`.
///
/// # Errors
///
/// The reason why there is no such variant.
pub fn build(
    subject: &dyn Subject,
    clients: &[Box<dyn Client + '_>],
    seed: u64,
    request: &Request,
) -> Result<BuiltVariant, String> {
    let (step, file) = select(subject, seed, request)?;
    let mut reduced: Vec<(Vec<String>, ReducedVariant)> = Vec::new();
    for client in clients {
        let ignores = client.ignores();
        if reduced.iter().any(|(known, _)| known == ignores) {
            continue;
        }
        if let Some(other) = reduce(subject, ignores, &file.info.choices) {
            reduced.push((ignores.to_vec(), other));
        }
    }
    let alone = match &step.vary {
        Vary::Only(names) if names.len() == 1 && step.overrides.is_empty() => {
            names.first().map(|dimension| dimension.name().to_owned())
        }
        _ => None,
    };
    Ok(BuiltVariant { vary: step.describe(), alone, file: Arc::new(file), reduced })
}

/// Builds the variant of `choices` for a client that ignores the dimensions `ignores`; `None` if it
/// ignores none of them.
pub fn reduce(
    subject: &dyn Subject,
    ignores: &[String],
    choices: &Choices,
) -> Option<ReducedVariant> {
    let rest = without_ignored(choices, ignores)?;
    if rest.is_empty() {
        return Some(ReducedVariant::Nothing);
    }
    Some(match subject.replay(&rest) {
        Ok(variant) => ReducedVariant::File(Arc::new(File::of(subject, variant))),
        Err(why) => ReducedVariant::Impossible(why.to_string()),
    })
}

/// Returns `choices` without the dimensions that a client `ignores`; `None` if it ignores none of them.
pub(super) fn without_ignored(choices: &Choices, ignores: &[String]) -> Option<Choices> {
    let mut rest = choices.clone();
    for (name, _) in choices.iter().filter(|(name, _)| is_ignored(ignores, name)) {
        rest.remove(name);
    }
    (rest.len() < choices.len()).then_some(rest)
}

/// Builds the candidates and selects one of them by the request's rule. If there is none, the
/// error has the reason why the last one is impossible.
fn select<'r>(
    subject: &dyn Subject,
    seed: u64,
    request: &'r Request,
) -> Result<(&'r PlanStep, File), String> {
    let mut best: Option<(usize, &PlanStep, File)> = None;
    let mut why = "nothing new".to_owned();
    for step in &request.candidates {
        let file = match subject.toward(seed, step.index, step.vary.clone(), &step.overrides) {
            Ok(variant) => File::of(subject, variant),
            Err(impossible) => {
                why = impossible.to_string();
                continue;
            }
        };
        let class = |dimension: &str, value: &Choice| subject.value_class(dimension, value);
        let gain = match &request.rule {
            SelectionRule::First => return Ok((step, file)),
            SelectionRule::NewClass(dimension, tally) => {
                let varied = file.info.varied.iter().find(|(d, _)| d == dimension);
                let new = varied.is_some_and(|(d, class)| tally.occurrences(d, class) == 0);
                if new {
                    return Ok((step, file));
                }
                continue;
            }
            SelectionRule::NewPairs(tally) => tally.gain(&file.info.choices, class),
        };
        if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
            best = Some((gain, step, file));
        }
    }
    let best = best.map(|(_, step, file)| (step, file));
    best.ok_or(why)
}
