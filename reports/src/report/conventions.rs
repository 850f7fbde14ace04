//! Conventions of readers that explain differences, each in a line below the bugs.

use maud::{Markup, html};

use super::clean::one_line;
use super::sentence::{number, plural};
use super::site::Site;
use campaign::{Convention, Run};

/// Returns the conventions of a run for the terminal: `orientation: flips only: tiff2rgba, opencv (12 results)`.
pub fn lines(run: &Run) -> Vec<String> {
    let line = |(convention, places): (&Convention, Vec<usize>)| {
        format!("{}: {} ({})", convention.name, clients(run, &places), results(run, &places))
    };
    run.conventions().into_iter().map(line).collect()
}

/// Renders the conventions of a run, folded.
pub fn conventions(site: &Site<'_>) -> Markup {
    let all = site.run.conventions();
    html! {
        @if !all.is_empty() {
            details {
                summary {
                    (plural(all.len(), "convention", "conventions"))
                    " of readers: differences that a document describes, and no bugs"
                }
                table {
                    @for (convention, places) in &all {
                        tr {
                            th scope="row" { (convention.name) }
                            td {
                                (convention.reason) " "
                                span.muted { "(" (convention.source) ")" }
                                div.who {
                                    @for (k, place) in places.iter().enumerate() {
                                        @if k > 0 { ", " }
                                        @let cause = &site.run.causes[*place];
                                        a href=(site.causes[*place].page) {
                                            (one_line(&site.run.clients[cause.client].name))
                                        }
                                        span.muted { " " (number(cause.count)) "×" }
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

fn clients(run: &Run, places: &[usize]) -> String {
    let names = places.iter().map(|k| one_line(&run.clients[run.causes[*k].client].name));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names.join(", ")
}

fn results(run: &Run, places: &[usize]) -> String {
    plural(places.iter().map(|k| run.causes[*k].count).sum(), "result", "results")
}
