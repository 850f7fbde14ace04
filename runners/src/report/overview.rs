//! The table of clients and dimensions.

use std::cmp::Reverse;

use maud::{Markup, PreEscaped, html};

use super::clean::one_line;
use super::parts::badge;
use super::sentence::{number, plural};
use crate::campaign::{Cause, Run, State};
use crate::oracle::Outcome;

/// Clients by dimensions, with the worst outcome of each pair: clients with findings first,
/// then the others, then those that could not be judged.
pub fn overview(run: &Run) -> Markup {
    let in_a_cause = |d: &String| run.causes.iter().any(|c| c.dimensions.contains(d));
    let (bad, good): (Vec<usize>, Vec<usize>) =
        (0..run.dimensions.len()).partition(|k| in_a_cause(&run.dimensions[*k]));
    let loose = run.causes.iter().any(|c| c.dimensions.is_empty());
    let columns = bad.len() + usize::from(loose);
    html! {
        section {
            h2 id="overview" { "Clients and dimensions" }
            @if columns == 0 {
                p { "No dimension made a difference to any client." }
            } @else {
                div.wide.tall tabindex="0" role="region" aria-labelledby="overview" {
                    table.matrix {
                        thead {
                            tr {
                                th scope="col" { "Client" }
                                @for d in &bad { th scope="col" { (breakable(&run.dimensions[*d])) } }
                                @if loose { th scope="col" { em { "not tied to one" } } }
                            }
                        }
                        @for (k, rows) in order(run).iter().enumerate() {
                            @if !rows.is_empty() {
                                tbody class=[(k == 2).then_some("unjudged")] {
                                    @for client in rows {
                                        tr {
                                            th scope="row" { (one_line(&run.clients[*client].name)) }
                                            (cells(run, *client, &bad, loose))
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                (legend(run))
            }
            (unharmed(run, &good))
        }
    }
}

/// The places of the clients: with findings, worst first; without; not judged.
fn order(run: &Run) -> [Vec<usize>; 3] {
    let mut order = [const { Vec::new() }; 3];
    for (place, client) in run.clients.iter().enumerate() {
        let found = run.causes.iter().any(|c| c.client == place);
        let group = match (client.state.baseline(), found) {
            (None, _) => 2,
            (_, false) => 1,
            (_, true) => 0,
        };
        order[group].push(place);
    }
    order[0].sort_by_cached_key(|place| {
        let mine = || run.causes.iter().filter(|c| c.client == *place);
        let worst = mine().map(|c| c.outcome).min();
        (worst, Reverse(mine().count()), Reverse(mine().map(|c| c.count).sum::<usize>()))
    });
    order
}

/// A name that may be broken after an underscore.
fn breakable(name: &str) -> Markup {
    let name = one_line(name);
    html! {
        @for (k, part) in name.split('_').enumerate() {
            @if k > 0 { "_" (PreEscaped("<wbr>")) }
            (part)
        }
    }
}

fn cells(run: &Run, client: usize, bad: &[usize], loose: bool) -> Markup {
    let why = match &run.clients[client].state {
        State::Ready(_) => {
            return html! {
                @for d in bad { (cell(run, client, *d)) }
                @if loose { (loose_cell(run, client)) }
            };
        }
        State::CannotRead { .. } => "cannot read the seed",
        State::Unsteady => "two runs on the seed gave two results",
        State::CannotRun(_) => "cannot be run",
    };
    html! { td.none colspan=(bad.len() + usize::from(loose)) { "not judged: " (why) } }
}

/// The dimensions that made no difference, folded away.
fn unharmed(run: &Run, good: &[usize]) -> Markup {
    let usable = || run.clients.iter().filter(|c| c.state.baseline().is_some());
    html! {
        @if !good.is_empty() && usable().next().is_some() {
            details {
                summary {
                    (plural(good.len(), "dimension", "dimensions")) " without any difference"
                }
                ul.plain {
                    @for d in good {
                        @let most = usable().map(|c| c.varied[*d]).max();
                        li {
                            (one_line(&run.dimensions[*d]))
                            span.muted {
                                @match most.unwrap_or(0) {
                                    0 => " never varied",
                                    n => { " varied in " (plural(n, "variant", "variants")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn legend(run: &Run) -> Markup {
    let combined = run.causes.iter().any(|c| c.dimensions.len() > 1);
    html! {
        p.legend {
            "Each cell: the worst that was found, and in how many variants. "
            (badge(Outcome::Same)) " as on the seed. – not varied."
            @if combined { " † only together with another dimension." }
        }
    }
}

fn cell(run: &Run, client: usize, dimension: usize) -> Markup {
    let name = &run.dimensions[dimension];
    let tested = &run.clients[client];
    let mut mine = run
        .causes
        .iter()
        .enumerate()
        .filter(|(_, c)| c.client == client && c.dimensions.contains(name))
        .peekable();
    if mine.peek().is_none() {
        return match tested.varied[dimension] {
            _ if tested.ignores.contains(name) => html! { td.none { "ignored" } },
            0 => html! { td.none { "–" } },
            n => html! {
                td class="cell same" {
                    span.symbol aria-hidden="true" { (Outcome::Same.symbol()) }
                    span.unseen { " same " } " " span.count { (number(n)) }
                }
            },
        };
    }
    marked(mine)
}

fn loose_cell(run: &Run, client: usize) -> Markup {
    let mut mine = run
        .causes
        .iter()
        .enumerate()
        .filter(|(_, c)| c.client == client && c.dimensions.is_empty())
        .peekable();
    if mine.peek().is_none() {
        return html! { td.none { "–" } };
    }
    marked(mine)
}

/// A cell with the worst of some causes; the first is the worst.
fn marked<'c>(causes: impl Iterator<Item = (usize, &'c Cause)>) -> Markup {
    let causes: Vec<_> = causes.collect();
    let Some((place, worst)) = causes.first() else { return html! { td {} } };
    let count = causes.iter().map(|(_, c)| c.count).sum();
    let alone = causes.iter().any(|(_, c)| c.outcome == worst.outcome && c.dimensions.len() <= 1);
    html! {
        td class=(format!("cell {}", worst.outcome)) {
            a href=(format!("#cause-{}", place + 1)) {
                span.symbol aria-hidden="true" { (worst.outcome.symbol()) }
                span.word { " " (worst.outcome.word()) } " " span.count { (number(count)) }
                @if !alone { span.count { " †" } }
            }
        }
    }
}
