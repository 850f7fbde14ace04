//! The causes of several seeds in one list, by root cause, and in a table of clients by seeds.

use maud::{Markup, html};

use super::clean::one_line;
use super::entry::{Entry, ListedCause};
use super::legend::legend;
use super::parts::badge;
use super::sentence::{distinct, number, plural};
use campaign::oracle::Outcome;
use campaign::root_cause::{RootCause, group};
use campaign::{Standing, Verdict};

/// A cause with the seed of its report.
type Placed<'e> = (usize, &'e ListedCause);

/// Renders the root causes of all seeds: faults as a list, limits folded.
pub fn roots(entries: &[Entry], labels: &[String]) -> Markup {
    let placed = entries
        .iter()
        .enumerate()
        .flat_map(|(seed, entry)| entry.causes.iter().map(move |cause| (seed, cause)));
    let all: Vec<Placed<'_>> = placed.collect();
    let causes: Vec<&ListedCause> = all.iter().map(|(_, cause)| *cause).collect();
    // A fault may have other minimal explanations on another seed.
    let heads = ListedCause::heads(&causes);
    let keys = heads.into_iter().map(|head| causes[head].key.clone());
    let mut roots: Vec<RootCause<Placed<'_>>> = group(keys.zip(all.iter().copied()));
    roots.sort_by_cached_key(|root| {
        let class = root.causes.iter().map(|(_, cause)| cause.class).min();
        let count = std::cmp::Reverse(root.causes.len());
        let common = root.causes.iter().map(|(_, cause)| cause.common).max().flatten();
        (
            root.key.signature.outcome,
            class,
            std::cmp::Reverse(common),
            root.key.dimensions.len(),
            count,
        )
    });
    let mut of = |standing| -> Vec<_> {
        roots.extract_if(.., |root| root.key.standing == standing).collect()
    };
    let (limits, conventions) = (of(Standing::Limit), of(Standing::Convention));
    let unexplained = of(Standing::Unexplained);
    let (forms, faults): (Vec<_>, Vec<_>) =
        roots.into_iter().partition(|root| root.causes.iter().all(|(_, cause)| cause.folded));
    let count: usize = faults.iter().map(|root| root.causes.len()).sum();
    let accepted: usize = entries.iter().map(|entry| entry.accepted).sum();
    html! {
        section {
            h2 { (plural(faults.len(), "root cause", "root causes")) }
            @if !faults.is_empty() {
                p.muted {
                    (plural(count, "cause", "causes")) " of clients on "
                    (plural(entries.len(), "seed", "seeds")) ". Causes of clients that read by \
                     one library, with the same dimensions and the same difference, are one root \
                     cause, and so are forms of one fault on several seeds. The worst outcomes come first. The name of a seed leads to the page of \
                     the client's cause."
                }
                ol.causes {
                    @for root in &faults { (line(root, entries, labels)) }
                }
                @let causes = faults.iter().flat_map(|root| &root.causes);
                (legend(&causes.map(|(_, c)| (c.key.signature.difference, c.class)).collect::<Vec<_>>()))
            }
        }
        @if accepted > 0 {
            p { "On purpose: " (accepted) ", with reasons on the pages of the seeds." }
        }
        (folded(&forms, ["cause", "causes"], FORMS, entries, labels))
        (folded(&unexplained, ["refusal", "refusals"], UNEXPLAINED, entries, labels))
        (folded(&conventions, ["convention", "conventions"], CONVENTIONS, entries, labels))
        (folded(&limits, ["limit", "limits"], LIMITS, entries, labels))
    }
}

fn line(root: &RootCause<Placed<'_>>, entries: &[Entry], labels: &[String]) -> Markup {
    let titles = distinct(root.causes.iter().map(|(_, cause)| cause.title.clone()));
    let class = root.causes.iter().map(|(_, cause)| cause.class).min();
    let clients = by_client(root);
    let seed_wrong = root.causes.iter().any(|(_, c)| c.verdict == Some(Verdict::SeedWrong));
    html! {
        li {
            (badge(root.key.signature.outcome)) " "
            span.what { (titles) }
            @if let Some(difference) = root.key.signature.difference {
                span.muted { " · " (difference.phrase()) }
            }
            @if let Some(class) = class { span.muted { " · " (class.word()) } }
            @if seed_wrong { span.muted { " · a seed itself is read wrongly" } }
            @if clients.len() > 1 { span.muted { " · by " (one_line(&root.key.library)) } }
            div.who {
                @for (k, (client, places)) in clients.iter().enumerate() {
                    @if k > 0 { "; " }
                    (one_line(client)) " ("
                    @for (k, (seed, cause)) in places.iter().enumerate() {
                        @if k > 0 { ", " }
                        (link(&entries[*seed], &labels[*seed], cause))
                    }
                    ")"
                }
            }
            @if let Some((_, first)) = root.causes.first() { (first.glance) }
        }
    }
}

fn link(entry: &Entry, label: &str, cause: &ListedCause) -> Markup {
    html! {
        a href=(format!("{}/{}", entry.folder, cause.page)) {
            span.unseen { (one_line(&cause.client)) ": " (cause.title) ", " }
            (label)
        }
    }
}

/// The causes of each client; clients are in the order of their first causes.
fn by_client<'e>(root: &RootCause<Placed<'e>>) -> Vec<(&'e str, Vec<Placed<'e>>)> {
    let mut clients: Vec<(&str, Vec<Placed<'_>>)> = Vec::new();
    for placed in &root.causes {
        match clients.iter_mut().find(|(name, _)| *name == placed.1.client) {
            Some((_, places)) => places.push(*placed),
            None => clients.push((&placed.1.client, vec![*placed])),
        }
    }
    clients
}

/// The phrase for causes that are listed under another one.
const FORMS: &str = "other forms of the faults above";

/// The conventions in words.
const CONVENTIONS: &str = "conventions of readers, which a document describes: no bugs";

/// The limits in words.
const LIMITS: &str = "features that they say they do not support";

/// The refusals without a reason in words.
const UNEXPLAINED: &str = "features that they refuse without a reason";

/// Renders limits, or refusals without a reason, folded: a row for each client. `nouns` are their singular and plural
/// names; `what` describes them.
fn folded(
    limits: &[RootCause<Placed<'_>>],
    nouns: [&str; 2],
    what: &str,
    entries: &[Entry],
    labels: &[String],
) -> Markup {
    let mut clients: Vec<&str> = Vec::new();
    for (_, cause) in limits.iter().flat_map(|root| &root.causes) {
        if !clients.contains(&cause.client.as_str()) {
            clients.push(&cause.client);
        }
    }
    clients.sort_unstable();
    if limits.is_empty() {
        return html! {};
    }
    html! {
        details {
            summary {
                (plural(limits.len(), nouns[0], nouns[1])) " of "
                (plural(clients.len(), "client", "clients")) ": " (what)
            }
            div.wide tabindex="0" role="region" aria-label=(what) {
                table {
                    @for client in clients {
                        tr {
                            th scope="row" { (one_line(client)) }
                            td {
                                @for root in limits {
                                    @for (name, places) in by_client(root) {
                                        @if name == client {
                                            @if let Some((_, first)) = places.first() {
                                                (first.title) " ("
                                                @for (k, (seed, cause)) in places.iter().enumerate() {
                                                    @if k > 0 { ", " }
                                                    (link(&entries[*seed], &labels[*seed], cause))
                                                }
                                                ") "
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
    }
}

/// Renders clients by seeds: the worst outcome and the number of causes that are faults.
pub fn matrix(entries: &[Entry], labels: &[String]) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for client in entries.iter().flat_map(|entry| &entry.clients) {
        if !names.contains(&client.name.as_str()) {
            names.push(&client.name);
        }
    }
    let faults = |name: &str| -> usize {
        let all = entries.iter().flat_map(|entry| &entry.causes);
        all.filter(|cause| {
            cause.client == name && cause.key.standing <= Standing::Unexplained && !cause.folded
        })
        .count()
    };
    names.sort_by_key(|name| std::cmp::Reverse(faults(name)));
    html! {
        section {
            h2 id="clients" { "Clients and seeds" }
            p.legend { "Each cell shows the worst outcome and the number of causes, without limits." }
            div.wide.tall tabindex="0" role="region" aria-labelledby="clients" {
                table.matrix {
                    thead {
                        tr {
                            th scope="col" { "Client" }
                            @for (entry, label) in entries.iter().zip(labels) {
                                th scope="col" title=(one_line(&entry.seed)) {
                                    span.upright { (label) }
                                }
                            }
                        }
                    }
                    tbody {
                        @for name in names {
                            tr {
                                th scope="row" { (one_line(name)) }
                                @for entry in entries { (cell(entry, name)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(entry: &Entry, name: &str) -> Markup {
    let mine = || {
        entry
            .causes
            .iter()
            .filter(|c| c.client == name && c.key.standing <= Standing::Unexplained && !c.folded)
    };
    let Some(client) = entry.clients.iter().find(|client| client.name == name) else {
        return html! { td.none { "–" } };
    };
    let worst = mine().map(|cause| cause.key.signature.outcome).min();
    let (count, link) = (mine().count(), format!("{}/{}", entry.folder, client.page));
    html! {
        @match (worst, &client.objection) {
            (None, Some(why)) => td.none title=(one_line(why)) { "not tested" },
            (None, None) => td class="cell same" {
                a href=(link) {
                    span.symbol aria-hidden="true" { (Outcome::Same.symbol()) }
                    span.unseen { (one_line(name)) ": no cause" }
                }
            },
            (Some(worst), _) => td class=(format!("cell {worst}")) {
                a href=(link) {
                    span.symbol aria-hidden="true" { (worst.symbol()) }
                    span.unseen { (one_line(name)) ": " (worst.word()) ", " }
                    " " span.count { (number(count)) }
                    span.unseen { @if count == 1 { " cause" } @else { " causes" } }
                }
            },
        }
    }
}
