//! Explains the choices of a cause.

use inverter::solve::{Choice, Choices};
use maud::{Markup, html};
use tiff_harness::meaning::{Meaning, reference};

use super::clean::one_line;
use super::example::Example;
use campaign::short;

/// Explains a choice, with the section of the standard. Empty for a dimension that TIFF does not have.
pub fn meant(dimension: &str, value: &Choice) -> String {
    let Some(meaning) = Meaning::of(dimension) else { return String::new() };
    let here = meaning.value(value).map(|words| format!(" Here: {words}.")).unwrap_or_default();
    format!("{}{here} ({})", meaning.words, reference(meaning.section(value)))
}

/// Renders the choices that differ from the seed, such as `planar = 2 (seed: 1)`, with their
/// meanings; implied choices are folded.
pub fn choices(example: &Example<'_>, own: &Choices) -> Markup {
    html! {
        @if !example.choices.is_empty() {
            dl.choices { (entries(example.choices, own)) }
        }
        @if !example.follows.is_empty() {
            details {
                summary { "Implied choices" }
                dl.choices { (entries(example.follows, own)) }
            }
        }
    }
}

fn entries(choices: &Choices, own: &Choices) -> Markup {
    html! {
        @for (dimension, value) in choices.iter() {
            dt {
                code { (one_line(dimension)) " = " (one_line(&short(value, 120))) }
                span.muted {
                    " seed: "
                    @match own.get(dimension) {
                        Some(own) => (one_line(&short(own, 120))),
                        None => "none",
                    }
                }
            }
            dd { (meant(dimension, value)) }
        }
    }
}
