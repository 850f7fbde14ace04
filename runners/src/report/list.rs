//! Lists of causes, a line each.

use maud::{Markup, html};

use super::clean::one_line;
use super::parts::badge;
use super::sentence::{distinct, number, plural, title};
use super::site::Site;
use crate::campaign::Cause;
use crate::root_cause::{RootCause, of_run};

/// The content of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ListStyle {
    /// With the client of each cause.
    WithClient,
    /// Without clients: all causes are of the same one.
    WithoutClient,
}

/// Renders the causes at `places`, for a page from which `up` leads to the report's folder.
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
                    (facts(cause))
                }
            }
        }
    }
}

/// Renders all causes by root cause: those that clients share by one library are one line.
pub fn all(site: &Site<'_>) -> Markup {
    let run = site.run;
    let roots: Vec<RootCause<usize>> =
        of_run(run).into_iter().filter(|root| !root.key.limit).collect();
    html! {
        @if run.faults() > 0 { (faults(site, &roots)) }
        (capabilities(site))
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
                    ": features that they report not to support"
                }
                table {
                    @for (client, causes) in &limits {
                        tr {
                            th scope="row" { (one_line(&run.clients[*client].name)) }
                            td {
                                @for (k, place) in causes.iter().enumerate() {
                                    @if k > 0 { "; " }
                                    a href=(site.causes[*place].page) { (title(&run.causes[*place])) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the causes that are faults.
fn faults(site: &Site<'_>, roots: &[RootCause<usize>]) -> Markup {
    let causes = &site.run.causes;
    let count = site.run.faults();
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
                        li {
                            (badge(cause.outcome)) " " span.what { (distinct(group.iter().map(|place| title(&causes[*place])))) }
                            @if group.len() == 1 { (facts(cause)) } @else { (kind(cause)) (class(cause)) span.muted { " · by " (one_line(&key.library)) } }
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
                        }
                    }
                }
            }
        }
    }
}

fn facts(cause: &Cause) -> Markup {
    html! {
        (kind(cause))
        (class(cause))
        @if cause.count > 0 { span.muted { " · " (number(cause.count)) "×" } }
    }
}

fn kind(cause: &Cause) -> Markup {
    html! {
        @if let Some(difference) = cause.difference {
            span.muted { " · " (difference.phrase()) }
        }
    }
}

fn class(cause: &Cause) -> Markup {
    html! {
        span.muted { " · " (cause.class.word()) }
    }
}
