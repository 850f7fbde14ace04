//! The page that a maintainer opens: one file, no scripts, nothing loaded.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::cause::causes;
use super::clean::one_line;
use super::clients::clients;
use super::files::Names;
use super::overview::overview;
use super::parts::{badge, image};
use super::picture::show;
use super::sentence::{number, plural, summary};
use crate::campaign::Run;
use crate::oracle::Outcome;

const STYLE: &str = include_str!("style.css");

/// The page of `run`, whose causes have files of these `names`.
pub fn page(run: &Run, names: &[Names]) -> String {
    let seed = one_line(&run.about.seed_file);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("repfuzz: {seed}")))
            body {
                main {
                    (header(run, &seed))
                    @if run.judged() > 0 { (overview(run)) }
                    (clients("Not tested, or not fully", run, true))
                    (causes(run, names))
                    (clients("Clients", run, false))
                    (details(run))
                }
            }
        }
    };
    page.into_string()
}

/// The head of a page. The policy forbids scripts and requests, should any text ever slip
/// through as markup.
pub fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta http-equiv="Content-Security-Policy"
                content="default-src 'none'; img-src data:; style-src 'unsafe-inline'";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn header(run: &Run, seed: &str) -> Markup {
    html! {
        header {
            div {
                p.brand { "repfuzz" }
                h1 { (seed) }
                p.lead { (summary(run)) }
                @let worst = worst_by_outcome(run);
                @if !worst.is_empty() {
                    ul.tally aria-label="Causes by outcome" {
                        @for (outcome, count) in worst {
                            li { (badge(outcome)) " " (plural(count, "cause", "causes")) }
                        }
                    }
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

fn worst_by_outcome(run: &Run) -> Vec<(Outcome, usize)> {
    let count = |outcome| run.causes.iter().filter(|c| c.outcome == outcome).count();
    Outcome::ALL.map(|o| (o, count(o))).into_iter().filter(|(_, n)| *n > 0).collect()
}

fn details(run: &Run) -> Markup {
    let Run { settings, about, .. } = run;
    let took = std::time::Duration::from_millis(run.took.as_millis() as u64);
    html! {
        footer {
            h2 { "This run" }
            dl {
                dt { "Seed file" }
                dd { (one_line(&about.seed_file)) ", " (plural(run.seed_size, "byte", "bytes")) }
                dt { "Variants" }
                dd {
                    (number(run.variants)) " of " (number(settings.variants)) " asked for"
                    @if run.repeated > 0 { ", " (number(run.repeated)) " repeated ones left out" }
                    @if run.impossible > 0 { ", " (number(run.impossible)) " not possible" }
                    @if run.stopped { ", stopped before its end" }
                    @if run.time_up { ", its time used up" }
                }
                @if let Some(time) = settings.time {
                    dt { "Time for variants" } dd { (plural(time.as_secs() as usize, "second", "seconds")) }
                }
                dt { "Run number" } dd { (settings.seed) }
                dt { "Begun" }
                dd { (humantime::format_rfc3339_seconds(run.started)) ", took " (humantime::format_duration(took)) }
                dt { "repfuzz" } dd { (env!("CARGO_PKG_VERSION")) }
                dt { "All results" } dd { a href="results.jsonl" { "results.jsonl" } }
            }
            @if !about.command.is_empty() {
                h4 { "To run it again" }
                pre tabindex="0" { (one_line(&about.command)) }
            }
        }
    }
}
