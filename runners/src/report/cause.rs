//! The causes, one story each: causes that are the same in several clients are told once.

use maud::{Markup, html};

use super::clean::one_line;
use super::compare::compare;
use super::files::{Names, commands};
use super::parts::{badge, figure, words};
use super::picture::{difference, show};
use super::sentence::{number, plural, shown_in_title, some, title};
use crate::campaign::{Cause, Depth, Run, Tested, short};
use crate::oracle::Outcome;
use crate::subject::Class;

/// All causes, with the names of their files.
pub fn causes(run: &Run, names: &[Names]) -> Markup {
    let groups = groups(&run.causes);
    html! {
        @if !run.causes.is_empty() {
            section {
                h2 { "Causes" }
                p.muted {
                    "Each is the least change to the stored form of the seed that still makes the \
                     difference. The worst come first; what every reader must take comes before \
                     extensions. "
                    @if groups.len() < run.causes.len() {
                        "What several clients have in common is told once: "
                        (plural(run.causes.len(), "cause", "causes")) " in "
                        (plural(groups.len(), "entry", "entries")) "."
                    }
                }
                @for group in &groups { (entry(run, names, group)) }
            }
        }
    }
}

/// The places of causes that have their outcome, their dimensions and the values that fail
/// in common; the first of each group is where it would be alone.
fn groups(causes: &[Cause]) -> Vec<Vec<usize>> {
    let alike = |a: &Cause, b: &Cause| {
        a.depth == Depth::Minimal
            && !a.dimensions.is_empty()
            && (a.depth, a.outcome, &a.dimensions, &a.values)
                == (b.depth, b.outcome, &b.dimensions, &b.values)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (k, cause) in causes.iter().enumerate() {
        match groups.iter_mut().find(|g| alike(&causes[g[0]], cause)) {
            Some(group) => group.push(k),
            None => groups.push(vec![k]),
        }
    }
    groups
}

fn entry(run: &Run, names: &[Names], group: &[usize]) -> Markup {
    let [first, others @ ..] = group else { return html! {} };
    let cause = &run.causes[*first];
    let client = &run.clients[cause.client];
    html! {
        article class=(format!("cause {}", cause.outcome)) id=(format!("cause-{}", first + 1)) {
            h3 {
                span.who {
                    (one_line(&client.name))
                    @if !others.is_empty() {
                        " and " (plural(others.len(), "other client", "other clients"))
                    }
                    ": "
                }
                (title(cause)) " "
                span.arrow { "→ " (cause.outcome.phrase()) }
            }
            p.facts {
                (badge(cause.outcome))
                span { (class(cause.class)) }
                @if cause.dimensions.len() > 1 {
                    span { "only in combination: none of the " (number(cause.dimensions.len()))
                        " choices does it without the others" }
                }
                @if cause.depth == Depth::Flaky { span { "flaky" } }
                @if cause.count > 0 { span { "in " (plural(cause.count, "variant", "variants")) } }
            }
            @if !others.is_empty() {
                p.also {
                    "Also: "
                    @for (k, other) in others.iter().enumerate() {
                        @if k > 0 { ", " }
                        a href=(format!("#cause-{}", other + 1)) {
                            (one_line(&run.clients[run.causes[*other].client].name))
                        }
                    }
                }
            }
            (depth(cause))
            (evidence(client, cause))
            (values(cause))
            (choices(run, cause))
            h4 { "To see it again" @if !others.is_empty() { ", with " (one_line(&client.name)) } }
            @if let Some(names) = names.get(*first) { (again(run, cause, names)) }
            @for other in others { (also(run, names, *other, cause)) }
        }
    }
}

fn depth(cause: &Cause) -> Markup {
    html! {
        @match cause.depth {
            Depth::Minimal | Depth::Partly if cause.dimensions.is_empty() => p {
                "The seed's own choices, written anew, already make a difference. What repfuzz \
                 does not vary (for instance, tags that it does not know) may be the reason. \
                 Variants are compared with this file."
            },
            Depth::Partly => p { "The reduction was cut short: fewer choices may do." },
            Depth::Not => p { "These findings were not reduced; the simplest of them is shown." },
            Depth::Flaky => p {
                "Two runs on the same file did not agree; the simplest such file is shown."
            },
            Depth::Minimal => {}
        }
    }
}

/// What fails and what does not, as far as the title does not say it.
fn values(cause: &Cause) -> Markup {
    let untold = cause.values.len() > shown_in_title(cause);
    html! {
        @if untold || !cause.fine.is_empty() {
            dl.values {
                @if !cause.values.is_empty() {
                    dt { (badge(cause.outcome)) " with" } dd { (one_line(&some(&cause.values, 40))) }
                }
                @if !cause.fine.is_empty() {
                    dt { (badge(Outcome::Same)) " with" } dd { (one_line(&some(&cause.fine, 40))) }
                }
            }
        }
    }
}

/// How to see it again, and the files for it.
fn again(run: &Run, cause: &Cause, names: &Names) -> Markup {
    html! {
        pre tabindex="0" {
            @for (k, line) in commands(run, cause, names).iter().enumerate() {
                @if k > 0 { "\n" } (line)
            }
        }
        p.muted {
            "In this folder: " a href=(names.file) { (names.file) }
            " (" (number(cause.file.len())) " bytes), " a href=(names.choices) { (names.choices) }
        }
    }
}

/// The same in another client, folded: what is its own.
fn also(run: &Run, names: &[Names], place: usize, lead: &Cause) -> Markup {
    let cause = &run.causes[place];
    let client = &run.clients[cause.client];
    let alike = said(run, cause) == said(run, lead);
    html! {
        details.same-as id=(format!("cause-{}", place + 1)) {
            summary {
                (one_line(&client.name)) ": the same"
                @if cause.count > 0 { " in " (plural(cause.count, "variant", "variants")) }
                @if cause.outcome == Outcome::Wrong && !alike { ", another picture" }
            }
            (evidence(client, cause))
            @if cause.fine != lead.fine { (values(cause)) }
            @if cause.choices != lead.choices { (choices(run, cause)) }
            @if let Some(names) = names.get(place) { (again(run, cause, names)) }
        }
    }
}

/// How the picture differs, in words.
fn said(run: &Run, cause: &Cause) -> Option<String> {
    let baseline = run.clients[cause.client].state.baseline()?;
    Some(compare(baseline.reference(), cause.got.as_ref()?))
}

fn class(class: Class) -> &'static str {
    match class {
        Class::Baseline => "baseline: every reader must take it",
        Class::Extension => "extension",
        Class::Questionable => "questionable: seen in the wild, not clearly legal",
    }
}

/// The pictures, or the client's words.
fn evidence(client: &Tested, cause: &Cause) -> Markup {
    let Some(baseline) = client.state.baseline() else { return html! {} };
    // The file written anew is compared with the seed; all others with the measure.
    let anew = cause.dimensions.is_empty() && cause.choices.is_empty();
    let expected = if anew { &baseline.seed } else { baseline.reference() };
    html! {
        @match &cause.got {
            Some(got) if cause.outcome == Outcome::Wrong => {
                @let words = compare(expected, got);
                @if !words.is_empty() { p { (words) "." } }
                div.pictures {
                    (figure("Expected, as of the seed", show(expected).as_ref()))
                    (figure("Got", show(got).as_ref()))
                    @if let Some(shown) = difference(expected, got) {
                        (figure("Where they differ", Some(&shown)))
                    }
                }
            }
            _ => div.beside {
                (figure("Expected", show(expected).as_ref()))
                div {
                    @if cause.message.trim().is_empty() {
                        p.muted { "It says nothing." }
                    } @else {
                        (words(&cause.message))
                    }
                }
            }
        }
    }
}

fn choices(run: &Run, cause: &Cause) -> Markup {
    let row = |dimension: &str, value: &inverter::solve::Value| {
        html! {
            tr {
                th scope="row" { (one_line(dimension)) }
                td {
                    @match run.own.get(dimension) {
                        Some(own) => (one_line(&short(own, 120))),
                        None => span.muted { "none" },
                    }
                }
                td { (one_line(&short(value, 120))) }
            }
        }
    };
    html! {
        @if !cause.choices.is_empty() {
            h4 { "Choices that differ from the seed" }
            div.wide tabindex="0" {
                table.choices {
                    thead { tr { th scope="col" { "Dimension" } th scope="col" { "Seed" } th scope="col" { "Here" } } }
                    tbody {
                        @for (dimension, value) in cause.choices.iter() { (row(dimension, value)) }
                    }
                    @if !cause.follows.is_empty() {
                        tbody.follows {
                            tr { th.muted colspan="3" scope="rowgroup" { "and what follows from these" } }
                            @for (dimension, value) in cause.follows.iter() { (row(dimension, value)) }
                        }
                    }
                }
            }
        }
    }
}
