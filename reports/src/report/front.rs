//! The front page of a run: the causes, the heat map, and the run's parameters.

use maud::{Markup, html};

use super::clean::one_line;
use super::heatmap::heatmap;
use super::list::all;
use super::parts::image;
use super::picture::show;
use super::sentence::{caveats, confinements, limits, number, plural, summary, tally};
use super::shell::shell;
use super::site::{Site, base_name};
use super::uncaused::uncaused;
use campaign::Run;

/// Renders the front page.
pub fn front_page(site: &Site<'_>) -> String {
    let run = site.run;
    let seed = one_line(base_name(&run.about.seed_file));
    let content = html! {
        (header(run, &seed))
        @if !run.causes.is_empty() { (all(site)) }
        (uncaused(site))
        (limited(site))
        @if run.judged() > 0 { (heatmap(site)) }
        (details(site))
    };
    shell(&format!("repfuzz: {seed}"), &[], &content)
}

fn header(run: &Run, seed: &str) -> Markup {
    html! {
        header {
            div {
                h1 title=(one_line(&run.about.seed_file)) { (seed) }
                @if run.faults() == 0 {
                    p.lead { (summary(run)) }
                } @else {
                    p.lead { (tally(run)) (caveats(run)) }
                }
            }
            @if let Some(shown) = show(&run.picture) {
                figure.seed {
                    (image(&shown, "The picture in the seed file"))
                    figcaption {
                        "The seed, " (run.picture.width()) " × " (run.picture.height())
                    }
                }
            }
        }
    }
}

/// Lists the clients that were not or not fully tested, with the reasons.
fn limited(site: &Site<'_>) -> Markup {
    let clients = site.run.clients.iter().zip(&site.clients);
    let limited: Vec<_> =
        clients.map(|(c, page)| (c, page, limits(c))).filter(|row| !row.2.is_empty()).collect();
    html! {
        @if !limited.is_empty() {
            section {
                h2 { "Not or not fully tested" }
                ul.limited {
                    @for (client, page, lines) in limited {
                        li {
                            a href=(page) { (one_line(&client.name)) }
                            @for line in lines { ": " (line) }
                        }
                    }
                }
            }
        }
    }
}

fn details(site: &Site<'_>) -> Markup {
    let Run { settings, about, .. } = site.run;
    let run = site.run;
    let took = std::time::Duration::from_millis(run.took.as_millis() as u64);
    html! {
        section {
            h2 { "This run" }
            dl {
                dt { "Seed file" }
                dd {
                    span title=(one_line(&about.seed_file)) { (one_line(base_name(&about.seed_file))) } ", " (plural(run.seed.len(), "byte", "bytes"))
                    ": " a href=(site.seed) download { "download" }
                }
                dt { "Variants" }
                dd {
                    (number(run.variants)) " of " (number(settings.variants)) " requested"
                    @if run.variants > settings.variants { ", since others replace those that a client refuses" }
                    @if run.repeated > 0 { ", " (number(run.repeated)) " duplicates skipped" }
                    @if run.impossible > 0 { ", " (number(run.impossible)) " impossible" }
                    @if run.stopped { ", stopped early" }
                    @if run.time_up { ", time limit reached" }
                }
                @if let Some(time) = settings.time {
                    dt { "Time limit" } dd { (plural(time.as_secs() as usize, "second", "seconds")) }
                }
                @let confined = confinements(run);
                @if !confined.is_empty() {
                    dt { "Sandbox" } dd { (confined) }
                }
                dt { "Run seed" } dd { (settings.seed) }
                dt { "Started" }
                dd { (humantime::format_rfc3339_seconds(run.started)) ", took " (humantime::format_duration(took)) }
                dt { "repfuzz" } dd { (env!("CARGO_PKG_VERSION")) }
                dt { "All results" } dd { a href="results.jsonl" { "results.jsonl" } }
            }
            @if !about.command.is_empty() {
                h3 { "Run it again" }
                pre tabindex="0" { (one_line(&about.command)) }
            }
        }
    }
}
