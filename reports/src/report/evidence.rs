//! The evidence of a cause: pictures, or the client's message.

use maud::{Markup, html};

use super::compare::{Differing, compare, first_differing};
use super::example::Example;
use super::parts::{figure, words};
use super::picture::{difference, show};
use campaign::Cause;
use campaign::oracle::Outcome;

/// Renders the expected and the actual picture, or the client's message.
pub fn evidence(cause: &Cause, example: &Example<'_>) -> Markup {
    let Some(expected) = example.expected else { return html! {} };
    html! {
        @match example.got {
            Some(got) if cause.outcome == Outcome::Wrong => {
                @let words = compare(expected, got);
                @if !words.is_empty() { p { (words) "." } }
                div.pictures {
                    (figure("Expected: its picture of the seed", show(expected).as_ref()))
                    (figure("Actual", show(got).as_ref()))
                    @if let Some(shown) = difference(expected, got) {
                        (figure("Difference (darker = larger)", Some(&shown)))
                    }
                }
                @if let Some(first) = first_differing(expected, got) { (pixel(&first)) }
            }
            _ => div.pictures {
                (figure("Expected: its picture of the seed", show(expected).as_ref()))
                div {
                    p { "Actual: " strong { (cause.outcome.phrase()) } "." }
                    @if cause.message.trim().is_empty() {
                        p.muted { "It prints no message." }
                    } @else {
                        p.muted { "Its message:" }
                        (words(&cause.message))
                    }
                }
            }
        }
    }
}

fn pixel(first: &Differing) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="First differing pixel" {
            table.pixel {
                caption {
                    "First differing pixel: column " (first.x) ", row " (first.y)
                    ", counted from 0 at the top left; samples from 0 to " (first.most())
                }
                thead {
                    tr {
                        td {}
                        @for name in ["Red", "Green", "Blue", "Alpha"] { th scope="col" { (name) } }
                    }
                }
                tbody {
                    @for (name, samples) in ["Expected", "Actual"].iter().zip(first.samples()) {
                        tr { th scope="row" { (name) } @for v in samples { td { (v) } } }
                    }
                }
            }
        }
    }
}
