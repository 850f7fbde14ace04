//! Lists of causes with a line for each.

use maud::{Markup, html};

use super::clean::one_line;
use super::glance::{glance, message};
use super::legend::{legend, listed};
use super::parts::badge;
use super::sentence::{distinct, number, on_purpose, plural, title};
use super::site::Site;
use campaign::oracle::Outcome;
use campaign::root_cause::{RootCause, faults_of};
use campaign::{Cause, Standing};

/// The content of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ListStyle {
    /// With the client of each cause.
    WithClient,
    /// Without clients: all causes belong to the same client.
    WithoutClient,
}

/// Renders the causes at `places`. `up` is the path from the page to the report's folder.
pub fn list(site: &Site<'_>, up: &str, places: &[usize], style: ListStyle) -> Markup {
    html! {
        ul.causes {
            @for place in places {
                @let cause = &site.run.causes[*place];
                li {
                    (badge(cause.outcome)) " "
                    a href=(format!("{up}{}", site.causes[*place].page)) {
                        @if style == ListStyle::WithClient {
                            (one_line(&site.run.clients[cause.client].name)) ": "
                        }
                        (title(cause))
                    }
                    (facts(cause, cause.count))
                }
            }
        }
    }
}

/// Renders all causes by root cause. Causes that clients share because they use the same library are one line.
pub fn all(site: &Site<'_>) -> Markup {
    let run = site.run;
    let heads = run.folded();
    let forms = |k: usize| heads.iter().find(|(head, _)| *head == k).map(|(_, forms)| &forms[..]);
    let roots = faults_of(run);
    html! {
        @if run.faults() > 0 { (faults(site, &roots, &|k| forms(k).unwrap_or_default())) }
        (super::conventions::conventions(site))
        (accepted(site))
        (capabilities(site))
    }
}

/// Renders the causes that are intended behavior, with their reasons.
fn accepted(site: &Site<'_>) -> Markup {
    let lines = on_purpose(site.run);
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "On purpose: " (lines.len()) }
                ul {
                    @for (place, line) in &lines {
                        li { a href=(site.causes[*place].page) { (line) } }
                    }
                }
            }
        }
    }
}

/// Renders the limits, folded: a row for each client that refuses features.
fn capabilities(site: &Site<'_>) -> Markup {
    let run = site.run;
    let limits = run.limits();
    let count: usize = limits.iter().map(|(_, causes)| causes.len()).sum();
    html! {
        @if count > 0 {
            details {
                summary {
                    (plural(count, "limit", "limits")) " of "
                    (plural(limits.len(), "client", "clients"))
                    ": features that they say they do not support"
                }
                table {
                    @for (client, causes) in &limits {
                        tr {
                            th scope="row" { (one_line(&run.clients[*client].name)) }
                            td { (linked(site, causes)) }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the causes that are faults. `forms` returns the other forms of a cause.
fn faults<'f>(
    site: &Site<'_>,
    roots: &[RootCause<usize>],
    forms: &dyn Fn(usize) -> &'f [usize],
) -> Markup {
    let causes = &site.run.causes;
    let count: usize = roots.iter().map(|root| root.causes.len()).sum();
    html! {
        section {
            h2 { "Causes" }
            p.muted {
                "Each is a minimal change to the encoding of the seed that still makes the difference. \
                 The worst outcomes come first; files that every reader must support come before \
                 extensions. "
                @if roots.len() < count {
                    "Causes of clients that read by one library, with the same dimensions and the same \
                     difference, are one root cause: "
                    (plural(count, "cause", "causes")) ", "
                    (plural(roots.len(), "root cause", "root causes")) "."
                }
            }
            ol.causes {
                @for RootCause { key, causes: group } in roots {
                    @if let Some(first) = group.first() {
                        @let cause = &causes[*first];
                        @let others: Vec<usize> = group.iter().flat_map(|k| forms(*k)).copied().collect();
                        @let files = group.iter().chain(&others).map(|k| causes[*k].count).sum();
                        li {
                            (badge(cause.outcome)) " " span.what { (distinct(group.iter().map(|place| title(&causes[*place])))) }
                            (facts(cause, files))
                            @if group.len() > 1 { span.muted { " · by " (one_line(&key.library)) } }
                            div.who {
                                @for (k, place) in group.iter().enumerate() {
                                    @if k > 0 { ", " }
                                    @let client = &site.run.clients[causes[*place].client];
                                    a href=(site.causes[*place].page) {
                                        (one_line(&client.name))
                                        span.unseen { ": " (title(cause)) }
                                    }
                                }
                            }
                            @if !others.is_empty() { div.who { "also: " (linked(site, &others)) } }
                            (glance(site.run, cause))
                        }
                    }
                }
                @for (client, places) in site.run.grouped(Standing::Unexplained) {
                    li { (unexplained(site, &site.run.clients[client].name, &places)) }
                }
            }
            (legend(&listed(roots.iter().flat_map(|root| &root.causes).map(|k| &causes[*k]))))
        }
    }
}

/// Renders the features that a client refuses without a reason: one line.
fn unexplained(site: &Site<'_>, client: &str, places: &[usize]) -> Markup {
    html! {
        (badge(Outcome::Refused)) " " span.what { "refused without a reason" }
        span.muted { " · features that it does not say it lacks" }
        div.who { (one_line(client)) ": " (linked(site, places)) }
        @if let Some(first) = places.first() { (message(&site.run.causes[*first].message)) }
    }
}

/// Renders the causes at `places` as links to their pages.
fn linked(site: &Site<'_>, places: &[usize]) -> Markup {
    html! {
        @for (k, place) in places.iter().enumerate() {
            @if k > 0 { "; " }
            a href=(site.causes[*place].page) { (title(&site.run.causes[*place])) }
        }
    }
}

/// Renders the kind of difference, the class, and the number of files that showed it.
fn facts(cause: &Cause, files: usize) -> Markup {
    html! {
        span.muted {
            @if let Some(difference) = cause.difference { " · " (difference.phrase()) }
            " · " (cause.class.word())
            @if files > 0 { " · " (number(files)) "×" }
        }
    }
}
