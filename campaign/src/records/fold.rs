//! Causes that are forms of one fault.
//!
//! A fault often has several minimal explanations: strips that do not follow one another may result from another order,
//! from gaps, or from a directory between them. Each is a separate cause with its own file. In reports the smallest of
//! them represents all, and the others are folded under it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use inverter::solve::Choice;
use regex::Regex;
use tiff_harness::dimension::{ABSENT, BYTE_ORDER, of_page, tag_with_default};
use tiff_harness::meaning::{Meaning, in_tags};

use super::cause::{Cause, Depth, Standing};
use crate::oracle::{DifferenceKind, Outcome, Signature};
use clients::message::shape;

/// Returns, for each cause, the index of the cause of which it is a form; its own index if it is separate.
pub fn heads(causes: &[Cause]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..causes.len()).collect();
    // The worst outcome represents milder ones; with equal outcomes, the smallest explanation, which contains no other,
    // represents the rest.
    let contained = |k: usize| causes.iter().filter(|other| contains(&causes[k], other)).count();
    // The presence of a tag represents its values.
    let is_tag = |k: usize| default_of(&causes[k]).is_some();
    order.sort_by_cached_key(|k| {
        (causes[*k].outcome, causes[*k].dimensions.len(), contained(*k), !is_tag(*k))
    });
    let mut heads: Vec<usize> = (0..causes.len()).collect();
    let mut found: Vec<usize> = Vec::new();
    for place in order {
        let cause = &causes[place];
        let fits = |head: &&usize| is_form_of(cause, &causes[**head]);
        match found.iter().find(fits) {
            Some(head) => heads[place] = *head,
            None => found.push(place),
        }
    }
    heads
}

/// Returns true if `cause` may be a form of the fault in `head`, which is at least as severe.
fn is_form_of(cause: &Cause, head: &Cause) -> bool {
    let reduced = |c: &Cause| {
        c.depth <= Depth::Partly && c.standing() == Standing::Fault && !c.dimensions.is_empty()
    };
    cause.client == head.client
        && reduced(cause)
        && reduced(head)
        && (fails_there_too(cause, head)
            || is_appearance(cause, head)
            || contains(cause, head)
            || (is_alike(cause, head) && are_akin(cause, head)))
}

/// Returns true if `cause` is the fault of `head` that looks different with other values of the same dimensions.
fn is_appearance(cause: &Cause, head: &Cause) -> bool {
    cause.dimensions == head.dimensions
        && cause.difference.is_some_and(|kind| head.appearances.contains(&kind))
}

/// Returns true if the file of `cause` has all choices of an example of `other`, requested or implied, and `other`
/// explains its failure. For example, the choice of an alpha channel implies a fourth sample.
fn contains(cause: &Cause, other: &Cause) -> bool {
    let has = |(dimension, value): (&str, &Choice)| {
        [&cause.choices, &cause.follows].iter().any(|all| all.get(dimension) == Some(value))
    };
    cause.client == other.client
        && other.signature().explains(cause.signature())
        && other.examples.iter().any(|example| !example.is_empty() && example.iter().all(has))
}

/// Returns true if both fail at the same place in the client's source, or with the same words and in a common
/// dimension.
fn fails_there_too(cause: &Cause, head: &Cause) -> bool {
    let says_something = cause.message.split_whitespace().count() > 1;
    cause.outcome == head.outcome
        && matches!(cause.outcome, Outcome::Crash | Outcome::Refused)
        && says_something
        && have_same_words(cause, head)
        && (place(cause).is_some()
            || common(cause, head).next().is_some()
            || is_of_tag(cause, head))
}

/// Returns true if `head` is a failure on a tag with its default value, and `cause` one on another value of the tag:
/// the client fails wherever the tag is present.
fn is_of_tag(cause: &Cause, head: &Cause) -> bool {
    let Some((page, tag)) = default_of(head) else { return false };
    let is_value = |(dimension, value): (&str, &Choice)| {
        of_page(dimension).0 == page
            && in_tags(dimension, value).is_some_and(|text| text.starts_with(&format!("{tag} = ")))
    };
    cause.choices.iter().any(is_value)
}

/// Returns the page and the name of the tag if a cause needs only the presence of that tag with its default value.
fn default_of(cause: &Cause) -> Option<(usize, &str)> {
    let [dimension] = &cause.dimensions[..] else { return None };
    let is_there = cause.choices.get(dimension).is_some_and(|value| value.to_string() != ABSENT);
    tag_with_default(dimension).filter(|_| is_there).map(|tag| (of_page(dimension).0, tag))
}

/// Treats refusals without a reason as faults if the client refuses the same tag with the same words when it has its
/// default value, which every reader must accept.
pub(crate) fn explain_refusals(causes: &mut [Cause]) {
    let is_explained = |cause: &Cause| {
        let explains = |head: &Cause| {
            head.client == cause.client
                && head.standing() == Standing::Fault
                && fails_there_too(cause, head)
                && is_of_tag(cause, head)
        };
        cause.unexplained && causes.iter().any(explains)
    };
    let explained: Vec<bool> = causes.iter().map(is_explained).collect();
    for (cause, _) in causes.iter_mut().zip(explained).filter(|(_, explained)| *explained) {
        cause.unexplained = false;
    }
}

/// Returns true if the messages differ only in numbers, and name the same place, if any.
fn have_same_words(cause: &Cause, head: &Cause) -> bool {
    shape(&cause.message) == shape(&head.message) && place(cause) == place(head)
}

/// Returns the place in the client's source that the message names: `image.rs:513`.
pub(crate) fn place(cause: &Cause) -> Option<&str> {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[\w-]+\.[A-Za-z]+:\d+\b").expect("constant"));
    PLACE.find(&cause.message).map(|found| found.as_str())
}

/// Returns true if the failures may be the same: pixels that are wrong in the same way, or in ways that depend on the
/// layout of the file; or a refusal of a file that is misread elsewhere.
fn is_alike(cause: &Cause, head: &Cause) -> bool {
    let (now, then) = (cause.signature(), head.signature());
    match (now.outcome, then.outcome) {
        (Outcome::Refused, Outcome::Wrong) => {
            // A wrong layout causes wrong pixels of some kind, or too few bytes to be read at all.
            !now.unsupported && then.varies_to(garbage())
        }
        (now, then) if now != then => false,
        (Outcome::Wrong, _) => then.varies_to(now),
        _ => have_same_words(cause, head),
    }
}

/// The signature of wrong pixels without a pattern.
fn garbage() -> Signature {
    Signature::of(Outcome::Wrong, Some(DifferenceKind::Garbage), "")
}

/// Returns true if both need a common dimension, and otherwise choices of the same nature, or if `cause` needs
/// everything that `head` needs. If the outcomes differ, all other choices must be of the same nature.
fn are_akin(cause: &Cause, head: &Cause) -> bool {
    let shared: Vec<&String> = common(cause, head).collect();
    let rest = |c: &Cause| -> BTreeSet<String> {
        c.dimensions.iter().filter(|d| !shared.contains(d)).map(|d| nature(d)).collect()
    };
    let (more, other) = (rest(cause), rest(head));
    !shared.is_empty()
        && (other.is_empty()
            || match cause.outcome == head.outcome {
                true => !more.is_disjoint(&other),
                false => more == other,
            })
}

fn common<'c>(cause: &'c Cause, head: &'c Cause) -> impl Iterator<Item = &'c String> {
    cause.dimensions.iter().filter(|dimension| head.dimensions.contains(dimension))
}

/// Returns the subject of a dimension's choices: the places of parts in the file, an area of TIFF, or the part of
/// another format with which its name begins.
fn nature(dimension: &str) -> String {
    let (_, name) = of_page(dimension);
    let last = name.rsplit(' ').next().unwrap_or(name);
    let places = ["order", "place", "places", "gap", "gaps", "sharing"];
    if name != BYTE_ORDER && name.contains(' ') && places.contains(&last) {
        return "places".to_owned();
    }
    match (Meaning::of(name), name.split_once(": ")) {
        (Some(meaning), _) => meaning.area.word().to_owned(),
        (None, Some((part, _))) => part.to_owned(),
        (None, None) => name.to_owned(),
    }
}

/// Returns the dimensions of a form that its head does not need: `IFD place`.
pub fn other_dimensions(form: &Cause, head: &Cause) -> Vec<String> {
    form.dimensions.iter().filter(|d| !head.dimensions.contains(d)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use inverter::solve::Choices;

    use super::*;
    use crate::ClientId;
    use crate::oracle::DifferenceKind::{Garbage, Inverted, Part, RowsMirrored, Shifted};
    use equivalents::subject::Class;

    fn cause(outcome: Outcome, kind: Option<DifferenceKind>, dimensions: &[&str]) -> Cause {
        let client = ClientId::all(1).next().unwrap();
        let signature = Signature::of(outcome, kind, "");
        Cause {
            dimensions: dimensions.iter().map(|d| (*d).to_owned()).collect(),
            ..Cause::empty(client, signature, Depth::Minimal, Class::Baseline)
        }
    }

    fn wrong(kind: DifferenceKind, dimensions: &[&str]) -> Cause {
        cause(Outcome::Wrong, Some(kind), dimensions)
    }

    #[test]
    fn other_ways_to_the_same_fault_are_folded() {
        let causes = [
            wrong(Part, &["rows_per_strip", "sub-IFDs", "block places"]),
            wrong(Shifted, &["rows_per_strip", "segment order"]),
            wrong(Garbage, &["compression", "predictor"]),
            wrong(Part, &["rows_per_strip", "IFD place"]),
            cause(Outcome::Refused, None, &["rows_per_strip", "segment order"]),
            // Another kind, another nature, nothing in common, and a refusal that needs more than places.
            wrong(Inverted, &["rows_per_strip", "segment gaps"]),
            wrong(Part, &["rows_per_strip", "photometric"]),
            wrong(Part, &["tiled", "private tags"]),
            cause(Outcome::Refused, None, &["rows_per_strip", "segment gaps", "compression"]),
        ];
        assert_eq!(heads(&causes), [1, 1, 2, 1, 1, 5, 6, 7, 8]);
        assert_eq!(other_dimensions(&causes[3], &causes[1]), ["IFD place"]);
    }

    #[test]
    fn a_cause_whose_file_has_the_choices_of_another_is_folded_under_that() {
        let one = |dimension: &str| Choices::from_iter([(dimension.to_owned(), Choice::Int(4))]);
        let of = |kind, dimension: &str, follows: &str| Cause {
            choices: one(dimension),
            examples: vec![one(dimension)],
            follows: one(follows),
            ..wrong(kind, &[dimension])
        };
        let causes = [
            of(Inverted, "alpha", "samples_per_pixel"),
            of(Garbage, "samples_per_pixel", "bits"),
            of(Inverted, "photometric", "bits"),
        ];
        assert_eq!(heads(&causes), [1, 1, 2]);
        // The same choices may show another difference on another seed.
        let turned = Cause { difference: Some(RowsMirrored), ..causes[2].clone() };
        assert_eq!(heads(&[turned, causes[2].clone()]), [0, 0]);
        // A refusal is no form of wrong pixels.
        let refused = Cause { outcome: Outcome::Refused, difference: None, ..causes[0].clone() };
        assert_eq!(heads(&[refused, causes[1].clone()]), [0, 1]);
    }

    #[test]
    fn another_look_of_the_same_dimensions_is_folded_if_the_files_between_are_wrong() {
        let dimensions = &["rows_per_strip", "segment order"];
        let mut causes = [wrong(Shifted, dimensions), wrong(RowsMirrored, dimensions)];
        assert_eq!(heads(&causes), [0, 1]);
        causes[0].appearances = vec![RowsMirrored];
        causes[1].appearances = vec![Shifted];
        assert_eq!(heads(&causes), [0, 0]);
        causes[1].dimensions.push("bits".to_owned());
        assert_eq!(heads(&causes), [0, 1]);
    }

    #[test]
    fn a_tag_as_such_stands_for_its_values() {
        let refused = |dimension: &str, value: Choice, message: &str| Cause {
            choices: Choices::from_iter([(dimension.to_owned(), value)]),
            message: message.to_owned(),
            unexplained: !dimension.starts_with("default"),
            ..cause(Outcome::Refused, None, &[dimension])
        };
        let words = "cannot parse file";
        let mut causes = [
            refused("orientation", Choice::Int(6), words),
            refused("default of Orientation", Choice::from("explicit"), words),
            refused("planar", Choice::Int(2), words),
            refused("orientation", Choice::Int(5), "other words"),
        ];
        explain_refusals(&mut causes);
        assert_eq!(causes.each_ref().map(|c| c.unexplained), [false, false, true, true]);
        assert_eq!(heads(&causes)[..2], [1, 1]);
        // A reader that needs the tag does not refuse any of its values.
        causes[1] = refused("default of Orientation", Choice::from("absent"), words);
        assert_eq!(heads(&causes)[..2], [0, 1]);
    }

    #[test]
    fn failures_at_one_place_of_the_source_are_folded() {
        let says = |message: &str, outcome, dimensions: &[&str]| Cause {
            message: message.to_owned(),
            ..cause(outcome, None, dimensions)
        };
        let panic = "panicked at src/decoder/image.rs:513:9: index 4 of 3";
        let causes = [
            says(panic, Outcome::Crash, &["tiled", "planar"]),
            says(panic, Outcome::Crash, &["bits"]),
            says(&panic.replace("513", "77"), Outcome::Crash, &["bits", "planar"]),
            says("IndexError: index 5", Outcome::Refused, &["alpha"]),
            says("IndexError: index 9", Outcome::Refused, &["alpha", "planar"]),
            says("IndexError: index 9", Outcome::Refused, &["photometric"]),
            // Signals carry no information.
            says("SIGSEGV", Outcome::Crash, &["format"]),
            says("SIGSEGV", Outcome::Crash, &["orientation"]),
        ];
        assert_eq!(heads(&causes), [1, 1, 2, 3, 3, 5, 6, 7]);
    }
}
