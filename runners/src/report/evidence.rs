//! What a client did and what it should have done: pictures, or its words.

use maud::{Markup, html};

use super::compare::{Differing, compare, first_differing};
use super::example::Example;
use super::parts::{figure, words};
use super::picture::{difference, show};
use crate::campaign::Cause;
use crate::oracle::Outcome;

/// The pictures of a cause, or the client's words.
pub fn evidence(cause: &Cause, example: &Example<'_>) -> Markup {
    let Some(expected) = example.expected else { return html! {} };
    html! {
        @match example.got {
            Some(got) if cause.outcome == Outcome::Wrong => {
                @let words = compare(expected, got);
                @if !words.is_empty() { p { (words) "." } }
                div.pictures {
                    (figure("Expected: what it makes of the seed", show(expected).as_ref()))
                    (figure("Got", show(got).as_ref()))
                    @if let Some(shown) = difference(expected, got) {
                        (figure("Where they differ: the darker, the more", Some(&shown)))
                    }
                }
                @if let Some(first) = first_differing(expected, got) { (pixel(&first)) }
            }
            _ => div.pictures {
                (figure("Expected: what it makes of the seed", show(expected).as_ref()))
                div {
                    p { "Got: " strong { (cause.outcome.phrase()) } "." }
                    @if cause.message.trim().is_empty() {
                        p.muted { "It says nothing." }
                    } @else {
                        p.muted { "It says:" }
                        (words(&cause.message))
                    }
                }
            }
        }
    }
}

fn pixel(first: &Differing) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="The first pixel that differs" {
            table.pixel {
                caption {
                    "The first pixel that differs: column " (first.x) ", row " (first.y)
                    ", from 0 at the top left; samples of " (first.most())
                }
                thead {
                    tr {
                        td {}
                        @for name in ["Red", "Green", "Blue", "Alpha"] { th scope="col" { (name) } }
                    }
                }
                tbody {
                    @for (name, samples) in ["Expected", "Got"].iter().zip(first.samples()) {
                        tr { th scope="row" { (name) } @for v in samples { td { (v) } } }
                    }
                }
            }
        }
    }
}
