//! Checks that a restriction permits some files, before any file is requested.

use std::collections::BTreeSet;
use std::time::Duration;

use inverter::solve::{ChoiceSource, Choices, DimensionId};

use super::RestrictionError;
use crate::subject::{Need, Restricted, Subject, Survey};

/// The number of random variants that are tried.
const TRIED: u64 = 64;

/// The time for a survey that explains why there are none.
const EXPLAINED: Duration = Duration::from_secs(10);

/// The variants that were tried.
#[derive(Default)]
struct Tried {
    made: Vec<Choices>,
    refusals: Vec<String>,
}

/// Checks that there are files that comply with the restriction of `subject`: each fixed value occurs,
/// and some dimension varies.
///
/// # Errors
///
/// Returns [`RestrictionError::Impossible`] or [`RestrictionError::Nothing`].
pub(super) fn check(subject: &Restricted) -> Result<(), RestrictionError> {
    let mut tried = Tried::default();
    let random = (0..TRIED).map(|index| ChoiceSource::seeded(0, index));
    for source in std::iter::once(ChoiceSource::replaying(Choices::new())).chain(random) {
        match subject.choices_from(source) {
            Ok(choices) => tried.made.push(choices),
            Err(error) => tried.refusals.push(error.to_string()),
        }
    }
    let seen: BTreeSet<DimensionId> = tried.made.iter().flat_map(Choices::ids).collect();
    let restriction = subject.restriction();
    if let Some(missing) = restriction.fixed().ids().find(|id| !seen.contains(id)) {
        return Err(RestrictionError::Impossible(why_impossible(subject, missing, &tried)));
    }
    if tried.made.is_empty() {
        let why = tried.refusals.into_iter().next().unwrap_or_default();
        return Err(RestrictionError::Impossible(why));
    }
    if seen.iter().any(|id| restriction.may_vary(*id)) {
        return Ok(());
    }
    let mut varied = subject.dimensions().iter();
    let why = varied.next().map_or_else(
        || "every dimension is excluded or fixed".to_owned(),
        |name| absent(subject, &Survey::within(subject.unrestricted(), EXPLAINED), name, &tried),
    );
    Err(RestrictionError::Nothing(why))
}

/// Returns the constraint that rules out the fixed value of a dimension which occurs in no variant.
fn why_impossible(subject: &Restricted, missing: DimensionId, tried: &Tried) -> String {
    let about = format!("choice `{missing}` = ");
    // If the values are given instead of fixed, they are refused with the constraint that they violate.
    let refused = |given: Choices| {
        let source = ChoiceSource::replaying(given);
        let why = subject.unrestricted().choices_from(source).err().map(|error| error.to_string());
        why.filter(|why| why.starts_with(&about))
    };
    let fixed = subject.restriction().fixed();
    if let Some(why) = refused(fixed.clone()) {
        return why;
    }
    let survey = Survey::within(subject.unrestricted(), EXPLAINED);
    // The dimension may exist only with other values.
    let mut needed = fixed.clone();
    for need in needs(&survey, missing.name()) {
        let examples = survey.dimension(&need.dimension).into_iter().flat_map(|d| &d.classes);
        let example = examples.into_iter().find(|class| need.classes.contains(&class.name));
        if let (None, Some(class)) = (fixed.get(&need.dimension), example) {
            needed.set(&need.dimension, class.example.clone());
        }
    }
    let refusal = || tried.refusals.iter().find(|why| why.starts_with(&about)).cloned();
    refused(needed)
        .or_else(refusal)
        .unwrap_or_else(|| absent(subject, &survey, missing.name(), tried))
}

fn needs<'s>(survey: &'s Survey, dimension: &str) -> &'s [Need] {
    survey.dimension(dimension).map(|found| &found.needs[..]).unwrap_or_default()
}

/// Returns the values of other dimensions with which `dimension` occurs, and their values here.
fn absent(subject: &Restricted, survey: &Survey, dimension: &str, tried: &Tried) -> String {
    let needs = needs(survey, dimension);
    let here = |need: &Need| -> BTreeSet<String> {
        let values = tried.made.iter().filter_map(|choices| choices.get(&need.dimension));
        values.map(|value| subject.value_class(&need.dimension, value)).collect()
    };
    let unmet = |need: &&Need| !here(need).iter().any(|class| need.classes.contains(class));
    let mut shown: Vec<&Need> = needs.iter().filter(unmet).collect();
    if shown.is_empty() {
        shown = needs.iter().collect();
    }
    let each = |need: &&Need| {
        let here: Vec<String> = here(need).into_iter().collect();
        let here = if here.is_empty() { "absent".to_owned() } else { here.join(", ") };
        format!("{} = {} (here: {here})", need.dimension, need.classes.join(", "))
    };
    match shown.iter().map(each).collect::<Vec<_>>() {
        each if each.is_empty() => format!("no file has a dimension `{dimension}` here"),
        each => format!(
            "no file has a dimension `{dimension}` here; it is seen with {}",
            each.join(" and ")
        ),
    }
}
