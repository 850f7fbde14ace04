//! What the choices of a cause mean.

use inverter::solve::{Choice, Choices};
use maud::{Markup, html};
use tiff_harness::meaning::{Meaning, reference};

use super::clean::one_line;
use super::example::Example;
use crate::campaign::short;

/// A choice in words: what it is, and where the standard speaks of it. Empty for a
/// dimension that is not TIFF's.
pub fn meant(dimension: &str, value: &Choice) -> String {
    let Some(meaning) = Meaning::of(dimension) else { return String::new() };
    let told = meaning.value(value).map(|words| format!(" Here: {words}.")).unwrap_or_default();
    format!("{}{told} ({})", meaning.words, reference(meaning.section(value)))
}

/// What differs from the seed: `planar = 2 (seed: 1)`, each with its meaning; what follows
/// from these is folded.
pub fn choices(example: &Example<'_>, own: &Choices) -> Markup {
    html! {
        @if !example.choices.is_empty() {
            dl.choices { (entries(example.choices, own)) }
        }
        @if !example.follows.is_empty() {
            details {
                summary { "What follows from " @if example.choices.len() == 1 { "it" } @else { "these" } }
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
