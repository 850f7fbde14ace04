//! The heat map of clients and dimensions.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use maud::{Markup, html};
use tiff_harness::meaning::{Area, Meaning};

use super::clean::{cut, one_line};
use super::parts::badge;
use super::sentence::{number, plural, some, with_limits};
use super::site::Site;
use campaign::oracle::Outcome;
use campaign::{Cause, Classes, ClientSummary, Run};
use clients::is_ignored;

/// A column: the index of a dimension of some cause; `None` for causes without dimensions.
pub type Column = Option<usize>;

/// The anchor of a column's causes on a client's page.
pub fn anchor(column: Column) -> String {
    column.map_or("loose".to_owned(), |k| format!("dimension-{}", k + 1))
}

/// Returns true if `cause` belongs to a column.
pub fn is_under(run: &Run, cause: &Cause, column: Column) -> bool {
    match column {
        Some(k) => cause.dimensions.contains(&run.dimensions[k]),
        None => cause.dimensions.is_empty(),
    }
}

/// Renders clients by dimensions, with the worst outcome of each pair: clients with causes first,
/// then clients without, then those that could not be tested. Dimensions are grouped by area.
pub fn heatmap(site: &Site<'_>) -> Markup {
    let run = site.run;
    let columns = columns(run);
    html! {
        section {
            h2 id="heatmap" { "Clients and dimensions" }
            @if !columns.is_empty() { (legend(run)) }
            @if columns.is_empty() {
                p { "No dimension made a difference to any client." }
                ul.plain {
                    @for (client, page) in run.clients.iter().zip(&site.clients) {
                        li { a href=(page) { (one_line(&client.name)) } }
                    }
                }
            } @else {
                div.wide.tall tabindex="0" role="region" aria-labelledby="heatmap" {
                    table.matrix {
                        (head(run, &columns))
                        @for (k, rows) in order(run).iter().enumerate() {
                            @if !rows.is_empty() {
                                tbody class=[(k == 2).then_some("unjudged")] {
                                    @for client in rows {
                                        tr {
                                            th scope="row" {
                                                a href=(site.clients[*client]) {
                                                    (one_line(&run.clients[*client].name))
                                                }
                                            }
                                            (cells(site, *client, &columns))
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (unharmed(run, &columns))
        }
    }
}

/// The columns: dimensions in causes, by area and then in the subject's order.
pub fn columns(run: &Run) -> Vec<Column> {
    let in_a_cause =
        |k: &usize| run.causes.iter().any(|c| c.dimensions.contains(&run.dimensions[*k]));
    let mut places: Vec<usize> = (0..run.dimensions.len()).filter(in_a_cause).collect();
    places.sort_by_key(|k| area(run, *k).map_or((1, None), |area| (0, Some(area))));
    let loose = run.causes.iter().any(|c| c.dimensions.is_empty());
    places.into_iter().map(Some).chain(loose.then_some(None)).collect()
}

fn area(run: &Run, dimension: usize) -> Option<Area> {
    Meaning::of(&run.dimensions[dimension]).map(|meaning| meaning.area)
}

fn head(run: &Run, columns: &[Column]) -> Markup {
    let area_of = |column: &Column| column.and_then(|k| area(run, k));
    let groups: Vec<_> = columns.chunk_by(|a, b| area_of(a) == area_of(b)).collect();
    let known = columns.iter().any(|column| area_of(column).is_some());
    html! {
        colgroup { col; }
        @if known { @for group in &groups { colgroup span=(group.len()) {} } }
        thead {
            @if known {
                tr.areas {
                    td {}
                    @for group in &groups {
                        th scope="colgroup" colspan=(group.len()) {
                            @match area_of(&group[0]) {
                                Some(area) => (area.word()),
                                None => "other",
                            }
                        }
                    }
                }
            }
            tr {
                th scope="col" { "Client" }
                @for column in columns {
                    th scope="col" {
                        span.upright {
                            @match column {
                                Some(k) => (cut(&one_line(&run.dimensions[*k]), 40)),
                                None => em { "none" },
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Groups the clients, by index: with causes, worst first; without causes; not tested.
fn order(run: &Run) -> [Vec<usize>; 3] {
    let mut order = [const { Vec::new() }; 3];
    for (place, client) in run.clients.iter().enumerate() {
        let found = run.causes.iter().any(|c| c.client.index() == place);
        let group = match (client.state.baseline(), found) {
            (None, _) => 2,
            (_, false) => 1,
            (_, true) => 0,
        };
        order[group].push(place);
    }
    order[0].sort_by_cached_key(|place| {
        let mine = || run.causes.iter().filter(|c| c.client.index() == *place);
        let worst = mine().map(|c| c.outcome).min();
        (worst, Reverse(mine().count()), Reverse(mine().map(|c| c.count).sum::<usize>()))
    });
    order
}

fn cells(site: &Site<'_>, client: usize, columns: &[Column]) -> Markup {
    html! {
        @match site.run.clients[client].state.objection() {
            None => { @for column in columns { (cell(site, client, *column)) } }
            Some(why) => td.none colspan=(columns.len()) { "not tested: " (why) },
        }
    }
}

/// Renders the worst outcome of one client and column, with a link to the causes.
fn cell(site: &Site<'_>, client: usize, column: Column) -> Markup {
    let run = site.run;
    let mine = |c: &Cause| c.client.index() == client && is_under(run, c, column);
    let places: Vec<usize> = (0..run.causes.len()).filter(|k| mine(&run.causes[*k])).collect();
    let Some(worst) = places.iter().map(|k| run.causes[*k].outcome).min() else {
        return unmarked(run, client, column);
    };
    let alone = places.iter().map(|k| &run.causes[*k]);
    let alone = alone.into_iter().any(|c| c.outcome == worst && c.dimensions.len() <= 1);
    let link = match places[..] {
        [only] => site.causes[only].page.clone(),
        _ => format!("{}#{}", site.clients[client], anchor(column)),
    };
    html! {
        td class=(format!("cell {worst}")) {
            a href=(link) {
                span.symbol aria-hidden="true" { (worst.symbol()) }
                span.unseen { (worst.word()) ", " }
                " " span.count { (number(places.len())) }
                span.unseen { ", " (with_limits(places.iter().map(|k| &run.causes[*k]))) }
                @if !alone {
                    span.count aria-hidden="true" { "†" }
                    span.unseen { ", only in combination with other dimensions" }
                }
            }
        }
    }
}

fn unmarked(run: &Run, client: usize, column: Column) -> Markup {
    let tested = &run.clients[client];
    let none = |text: &str| html! { td.none { (text) } };
    match column {
        None => none("–"),
        Some(k) if is_ignored(&tested.ignores, &run.dimensions[k]) => none("ignored"),
        Some(k) if tested.varied[k] == 0 => none("–"),
        Some(_) => html! {
            td class="cell same" {
                span.symbol aria-hidden="true" { (Outcome::Same.symbol()) }
                span.unseen { (Outcome::Same.word()) }
            }
        },
    }
}

fn legend(run: &Run) -> Markup {
    let combined = run.causes.iter().any(|c| c.dimensions.len() > 1);
    let used = |o: &Outcome| *o == Outcome::Same || run.causes.iter().any(|c| c.outcome == *o);
    html! {
        p.legend {
            "Each cell shows the worst outcome and the number of causes with this dimension, limits included. "
            @for outcome in Outcome::ALL.into_iter().filter(used) { (badge(outcome)) " " }
            "– not varied, or only in files that were refused."
            @if combined {
                " 3† stands for three causes, of which none shows this outcome with the dimension alone: it needs \
                 others beside it."
            }
        }
    }
}

/// Lists the dimensions without a difference, folded: first those for which clients were judged on all value classes
/// that occurred, then those without a conclusion.
fn unharmed(run: &Run, columns: &[Column]) -> Markup {
    let good = |k: &usize| !columns.contains(&Some(*k));
    let all = (0..run.dimensions.len()).filter(good).map(|k| (k, judged(run, k)));
    let (judged, others): (Vec<_>, Vec<_>) = all.partition(|(_, judged)| judged.is_ok());
    let usable = run.clients.iter().any(|c| c.state.baseline().is_some());
    let list = |title: &str, dimensions: &[(usize, Result<usize, String>)]| {
        html! {
            @if !dimensions.is_empty() {
                details {
                    summary { (plural(dimensions.len(), "dimension", "dimensions")) (title) }
                    ul.plain {
                        @for (k, judged) in dimensions {
                            li {
                                (one_line(&run.dimensions[*k]))
                                span.muted {
                                    @match judged {
                                        Ok(n) => {
                                            " varied in " (plural(*n, "file that was judged", "files that were judged"))
                                        }
                                        Err(why) => { " " (one_line(why)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if usable {
            (list(" without any difference", &judged))
            (list(" not judged, or not with all values that occurred", &others))
        }
    }
}

/// Returns the number of files in which a dimension varied and on which a client was judged.
///
/// # Errors
///
/// The reason why nothing is claimed about the dimension: one of its classes occurred only in files that were refused,
/// or no class occurred.
fn judged(run: &Run, dimension: usize) -> Result<usize, String> {
    let usable = || run.clients.iter().filter(|c| c.state.baseline().is_some());
    let mut classes = Classes::default();
    let of = |client: &'_ ClientSummary| client.classes.get(dimension).cloned();
    usable().filter_map(of).for_each(|own| classes.add(&own));
    let list = |classes: &BTreeSet<String>| {
        let shown: Vec<String> = classes.iter().cloned().collect();
        some(&shown, 6)
    };
    match usable().map(|c| c.varied[dimension]).max().unwrap_or(0) {
        0 if classes.refused.is_empty() => Err("never varied".to_owned()),
        0 => Err("not judged: every file with it was refused".to_owned()),
        n if classes.refused.is_empty() => Ok(n),
        _ => Err(format!(
            "judged with {}; every file with {} was refused",
            list(&classes.judged),
            list(&classes.refused)
        )),
    }
}
