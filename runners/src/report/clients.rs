//! The clients, one by one.

use maud::{Markup, html};
use tiff_harness::Picture;

use super::clean::one_line;
use super::compare::compare;
use super::parts::{badge, figure, words};
use super::picture::{difference, show};
use super::sentence::{number, plural};
use crate::campaign::{Run, State, Tested};
use crate::oracle::Outcome;

/// The clients that there is something to say about, or the others.
pub fn clients(heading: &str, run: &Run, limited: bool) -> Markup {
    let shown: Vec<&Tested> = run.clients.iter().filter(|c| is_limited(c) == limited).collect();
    html! {
        @if !shown.is_empty() {
            section {
                h2 { (heading) }
                ul.clients {
                    @for client in shown { (client_entry(run, client)) }
                }
            }
        }
    }
}

fn is_limited(client: &Tested) -> bool {
    client.state.baseline().is_none() || client.dropped.is_some() || !client.left.is_empty()
}

fn client_entry(run: &Run, client: &Tested) -> Markup {
    let usable = client.state.baseline().is_some();
    html! {
        li class=[(!usable).then_some("unusable")] {
            h3 {
                (one_line(&client.name))
                @if !client.version.is_empty() { " " span.muted { (one_line(&client.version)) } }
            }
            @if !client.summary.is_empty() { p.muted { (one_line(&client.summary)) } }
            @match &client.state {
                State::Ready(baseline) => {
                    p.tally {
                        @for outcome in Outcome::ALL {
                            @let count = client.outcomes[outcome.rank()];
                            @if count > 0 { span { (badge(outcome)) " " (number(count)) } }
                        }
                        @if client.outcomes == [0; 6] { span.muted { "no variant was run" } }
                    }
                    @if baseline.seed != run.picture {
                        (by_design(&run.picture, &baseline.seed))
                    }
                }
                State::CannotRead { outcome, message } => {
                    p { strong { "Cannot read the seed" } ", so it cannot be judged: "
                        (outcome.phrase()) "." }
                    (words(message))
                }
                State::Unsteady => {
                    p { strong { "Cannot be judged" } ": two runs on the seed gave two results." }
                }
                State::CannotRun(why) => {
                    p { strong { "Cannot be run" } ": " (one_line(why)) }
                }
            }
            @if let Some(why) = &client.dropped {
                p { strong { "Used no further" } " from some point on: " (one_line(why)) }
            }
            @for (why, count) in &client.left {
                p { strong { (plural(*count, "variant", "variants")) " left out" } ": " (one_line(why)) "." }
            }
            @if !client.ignores.is_empty() {
                p { "Ignores by design, so not varied for it: " (one_line(&client.ignores.join(", "))) "." }
            }
            @if !client.applies.is_empty() {
                p.muted { "Applies by itself: " (one_line(&client.applies.join(", "))) "." }
            }
        }
    }
}

fn by_design(canonical: &Picture, shown: &Picture) -> Markup {
    html! {
        details {
            summary { "Its picture of the seed is not the canonical one. That is no finding." }
            p { (compare(canonical, shown)) "." }
            div.pictures {
                (figure("Canonical", show(canonical).as_ref()))
                (figure("This client", show(shown).as_ref()))
                (figure("Difference", difference(canonical, shown).as_ref()))
            }
        }
    }
}
