//! The outcome of a check as an HTML page.

use conformance::automata::Alphabet;
use conformance::model::Outcome;
use conformance::program::Site;
use maud::{Markup, html};

use super::judged::Judged;
use super::sides::{Sides, svg};
use super::told;
use reports::report::{one_line, shell};

/// The maximum number of events that are listed.
const LISTED: usize = 1_000;

/// Renders the page. Automata are drawn if graphviz is installed.
pub fn page(outcome: &Outcome, judged: Judged, sides: &Sides, alphabet: &Alphabet) -> String {
    let is_open = !judged.is_decided();
    let Outcome { producer_states, consumer_states, counterexample, vacuous, .. } = outcome;
    let verdict = told::verdict(judged, !sides.remarks.is_empty());
    let content = html! {
        h1 { "The consumer " (verdict) }
        p { "Producer: " (producer_states) " states. Consumer: " (consumer_states) " states." }
        @if *vacuous {
            p { strong { "Vacuous" } ": the consumer accepts every sequence of the types that it reads." }
        }
        @if !sides.remarks.is_empty() {
            section {
                h2 { "Open" }
                ul { @for remark in &sides.remarks { li { (one_line(&remark.to_string())) } } }
            }
        }
        @if let Some(story) = counterexample {
            section {
                h2 { (if is_open { "Open" } else { "Counterexample" }) }
                p { (told::begins(is_open)) }
                ol {
                    @for (k, event) in story.events.iter().enumerate().take(LISTED) {
                        li {
                            code { (one_line(&told::kind(&event.kind, event.site.as_ref()))) }
                            @if k == story.read { " " strong { "not accepted" } }
                            (line(event.site.as_ref()))
                        }
                    }
                }
                p { (one_line(&told::stop(story))) }
                @if !story.expected.is_empty() {
                    p { "The consumer expects:" }
                    ul {
                        @for expected in story.expected.iter().take(LISTED) {
                            li {
                                code { (one_line(&told::kind(&expected.kind, expected.site.as_ref()))) }
                                (line(expected.site.as_ref()))
                            }
                        }
                    }
                }
            }
        }
        @for (title, model) in [("Producer", &sides.producer), ("Consumer", &sides.consumer)] {
            @if let Some(address) = svg(title, &model.automaton, alphabet) {
                section {
                    h2 { (title) }
                    img src=(address) alt=(format!("the automaton of the {}", title.to_lowercase()));
                }
            }
        }
    };
    shell(&format!("repfuzz: {verdict}"), &[], &content)
}

/// The place of a call, with its line of source.
fn line(site: Option<&Site>) -> Markup {
    let source = site.and_then(|site| {
        let text = std::fs::read_to_string(&site.place.file).ok()?;
        let line = usize::try_from(site.place.line).ok()?.checked_sub(1)?;
        text.lines().nth(line).map(|line| line.trim().to_owned())
    });
    html! {
        @if let Some(site) = site {
            " " span.muted { (one_line(&told::place(&site.place))) " in " (one_line(&site.caller)) }
            @if let Some(source) = source { " " code { (one_line(&source)) } }
        }
    }
}
