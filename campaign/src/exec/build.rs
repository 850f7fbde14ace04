//! Builds the file of a request, without the value classes that it must not have.

use std::collections::BTreeSet;
use std::sync::Arc;

use inverter::solve::{Choice, ChoiceSource, Choices, Vary};

use crate::records::VariantInfo;
use crate::schedule::{Avoided, Class, PlanStep, Request, SelectionRule};
use clients::is_ignored;
use equivalents::subject::{Subject, Variant, VariantError};

/// The number of times that a file is made again without the classes that it must not have, because other values of
/// some dimensions may entail more such classes.
const REPLACEMENTS: u64 = 6;

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

/// The file of a step.
pub struct BuiltVariant {
    /// A description of the dimensions that varied.
    pub vary: String,
    /// The file.
    pub file: Arc<File>,
}

/// The seed file without the dimensions that a client ignores.
pub enum ReducedVariant {
    /// All dimensions that vary are ignored.
    Nothing,
    /// The variant does not exist.
    Impossible,
    /// The file.
    File(Arc<File>),
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
        Err(_) => ReducedVariant::Impossible,
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

/// Builds the file that `request` selects in the run `seed`: one of its candidates, chosen by its rule.
///
/// # Errors
///
/// The reason why there is no such file, from the last candidate if none is possible.
pub fn build(subject: &dyn Subject, seed: u64, request: &Request) -> Result<BuiltVariant, String> {
    let maker = Maker { subject, seed, avoid: &request.avoid };
    let mut best: Option<(usize, BuiltVariant)> = None;
    let mut why = "nothing new".to_owned();
    for step in &request.candidates {
        let alone = match &request.rule {
            SelectionRule::NewClass(dimension, _) => Some(dimension.as_str()),
            _ => None,
        };
        let file = match maker.make(step, alone) {
            Ok(file) => file,
            Err(impossible) => {
                why = impossible;
                continue;
            }
        };
        let class = |dimension: &str, value: &Choice| subject.value_class(dimension, value);
        let gain = match &request.rule {
            SelectionRule::First => 0,
            SelectionRule::NewClass(dimension, tried) => {
                let own = file.info.varied.iter().find(|(d, _)| d == dimension);
                if own.is_none_or(|class| tried.contains(class)) {
                    continue;
                }
                0
            }
            SelectionRule::Varies(dimension) => {
                if !file.info.varied.iter().any(|(d, _)| d == dimension) {
                    continue;
                }
                0
            }
            SelectionRule::Beside(own, tried) => {
                if !file.info.varied.contains(own) {
                    continue;
                }
                novelty(subject, &file.info, own, tried)
            }
            SelectionRule::NewPairs(tally) => tally.gain(&file.info.choices, class),
        };
        if best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, BuiltVariant { vary: step.describe(), file: Arc::new(file) }));
        }
        if !matches!(request.rule, SelectionRule::Beside(..) | SelectionRule::NewPairs(_)) {
            break;
        }
    }
    best.map(|(_, built)| built).ok_or(why)
}

/// Returns how much of a file has not been `tried` with the class `own`: first the features, then their classes.
fn novelty(
    subject: &dyn Subject,
    info: &VariantInfo,
    own: &Class,
    tried: &BTreeSet<Class>,
) -> usize {
    let is_feature = |class: &&Class| class.0 != own.0 && subject.is_feature(&class.0);
    let features = || info.varied.iter().filter(is_feature);
    let is_new = |(dimension, _): &&Class| tried.iter().all(|(other, _)| other != dimension);
    let classes = features().filter(|class| !tried.contains(*class)).count();
    (features().filter(is_new).count() << 16) + classes
}

/// Makes the files of steps.
struct Maker<'a> {
    subject: &'a dyn Subject,
    seed: u64,
    avoid: &'a Avoided,
}

impl Maker<'_> {
    /// Makes the file of `step`. Dimensions with classes that it must not have receive others; the class of the
    /// dimension `alone` stays.
    fn make(&self, step: &PlanStep, alone: Option<&str>) -> Result<File, String> {
        let avoid = self.avoid;
        let mut file = self.file(step).map_err(|impossible| impossible.to_string())?;
        let mut held: BTreeSet<String> = BTreeSet::new();
        let mut step = step.clone();
        for turn in 0..REPLACEMENTS {
            let bad = avoid.dimensions(&file.info, alone);
            if bad.is_empty() {
                return Ok(file);
            }
            for name in bad {
                match avoid.instead(&name, step.index + turn) {
                    Some(value) => step.overrides.set(&*name, value),
                    None => drop(step.overrides.remove(&*name)),
                }
                held.insert(name);
            }
            step.vary = self.without(&step, &held);
            file = self.file(&step).map_err(|impossible| impossible.to_string())?;
        }
        let bad = avoid.dimensions(&file.info, alone);
        match bad.is_empty() {
            true => Ok(file),
            false => Err(format!("not without {}", bad.join(", "))),
        }
    }

    fn file(&self, step: &PlanStep) -> Result<File, VariantError> {
        let Self { subject, seed, .. } = *self;
        let variant = subject.toward(seed, step.index, step.vary.clone(), &step.overrides)?;
        Ok(File::of(subject, variant))
    }

    /// Returns the dimensions that vary in `step`, without those that are `held`.
    fn without(&self, step: &PlanStep, held: &BTreeSet<String>) -> Vary {
        let source = ChoiceSource::seeded(self.seed, step.index).with_vary(step.vary.clone());
        let varies = |name: &&String| !held.contains(*name) && source.varies(name.as_str());
        Vary::only(self.subject.dimensions().iter().filter(varies).map(String::as_str))
    }
}
