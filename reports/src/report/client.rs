//! The page of a client: its results, and its causes by dimension.

use maud::{Markup, html};
use tiff_harness::Picture;

use super::clean::one_line;
use super::compare::compare;
use super::heatmap::{Column, anchor, columns, is_under};
use super::legend::{legend, listed};
use super::list::{ListStyle, list};
use super::parts::{badge, figure, words};
use super::picture::{difference, show};
use super::predicted::predictions;
use super::sentence::{edges, plural, with_limits, within_limits};
use super::shell::{Up, shell};
use super::site::{Site, base_name};
use campaign::oracle::Outcome;
use campaign::{ClientState, ClientSummary, EdgeSummary, Run};

/// Renders the page of the client at `place`.
pub fn client_page(site: &Site<'_>, place: usize) -> String {
    let run = site.run;
    let client = &run.clients[place];
    let content = html! {
        h1 {
            (one_line(&client.name))
            @if !client.version.is_empty() { " " span.muted { (one_line(&client.version)) } }
        }
        @if !client.summary.is_empty() { p.lead { (one_line(&client.summary)) } }
        (state(run, client))
        @if let Some(command) = &client.command {
            dl { dt { "Command line" } dd { code { (one_line(command)) } } }
        }
        (predictions(run, place))
        (causes(site, place))
    };
    let above = [Up("../index.html", base_name(&run.about.seed_file))];
    shell(&format!("repfuzz: {}", client.name), &above, &content)
}

fn state(run: &Run, client: &ClientSummary) -> Markup {
    html! {
        @match &client.state {
            ClientState::Ready(baseline) => {
                p.tally {
                    @for outcome in Outcome::ALL {
                        @let count = client.outcomes[outcome.rank()];
                        @if count > 0 { span { (badge(outcome)) " " (plural(count, "variant", "variants")) } }
                    }
                    @if let Some(outcome) = client.on_seed { span { (badge(outcome)) " the seed file" } }
                    @if client.outcomes.iter().all(|count| *count == 0) { span.muted { "no variant was run" } }
                }
                @if baseline.seed != run.picture {
                    (by_design(&run.picture, &baseline.seed))
                }
            }
            ClientState::CannotRead { outcome, message } => {
                p { strong { "Cannot read the seed" } ", so it cannot be tested: "
                    (outcome.phrase()) "." }
                (words(message))
            }
            ClientState::Unsteady => {
                p { strong { "Cannot be tested" } ": two runs on the seed gave different results." }
            }
            ClientState::FailedOnce { outcome, message } => {
                p { strong { "Cannot be tested" } ": it read the seed in one of two runs only. The other: "
                    (outcome.phrase()) "." }
                (words(message))
            }
            ClientState::CannotRun(why) => {
                p { strong { "Cannot be run" } ": " (one_line(why)) }
            }
        }
        @if let Some(why) = &client.dropped {
            p { strong { "Dropped" } " during the run: " (one_line(why)) }
        }
        @for (why, count) in &client.skipped {
            p { strong { (plural(*count, "variant", "variants")) " skipped" } ": " (one_line(why)) "." }
        }
        @if let Some(within) = within_limits(client) { p { (within) "." } }
        @if let Some(reached) = &client.edges {
            p { strong { "Edges" } ": " (edges(reached)) "." }
            (places(reached))
        }
        @if !client.ignores.is_empty() {
            p { "Ignored by design, so not varied for it: " (one_line(&client.ignores.join(", "))) "." }
        }
        @if !client.applies.is_empty() {
            p.muted { "Applied by the client itself: " (one_line(&client.applies.join(", "))) "." }
        }
    }
}

/// Lists the places that only variants reach.
fn places(reached: &EdgeSummary) -> Markup {
    let EdgeSummary::Known { places, .. } = reached else { return html! {} };
    html! {
        @if !places.is_empty() {
            details {
                summary { (plural(places.len(), "place", "places")) " that only variants reach" }
                ul { @for place in places { li { code { (one_line(place)) } } } }
            }
        }
    }
}

fn by_design(canonical: &Picture, shown: &Picture) -> Markup {
    html! {
        details {
            summary { "Its picture of the seed differs from the canonical picture. This is not a finding." }
            p { (compare(canonical, shown)) "." }
            div.pictures {
                (figure("Canonical", show(canonical).as_ref()))
                (figure("This client", show(shown).as_ref()))
                (figure("Difference", difference(canonical, shown).as_ref()))
            }
        }
    }
}

/// Renders its causes under each of their dimensions, in the order of the heat map.
fn causes(site: &Site<'_>, client: usize) -> Markup {
    let run = site.run;
    let mine: Vec<usize> =
        (0..run.causes.len()).filter(|k| run.causes[*k].client.index() == client).collect();
    let under = |column: Column| -> Vec<usize> {
        let is_in = |k: &usize| is_under(run, &run.causes[*k], column);
        mine.iter().copied().filter(is_in).collect()
    };
    let several = mine.iter().any(|k| run.causes[*k].dimensions.len() > 1);
    html! {
        section {
            h2 { (with_limits(mine.iter().map(|k| &run.causes[*k]))) }
            @if mine.is_empty() && run.clients[client].state.baseline().is_some() {
                @let (within, _) = run.clients[client].within_limits();
                p { "No difference on " (plural(within, "equivalent file", "equivalent files")) "." }
            }
            @if several { p.muted { "A cause with several dimensions is listed under each of them." } }
            @for column in columns(run) {
                @let places = under(column);
                @if !places.is_empty() {
                    h3 id=(anchor(column)) {
                        @match column {
                            Some(k) => (one_line(&run.dimensions[k])),
                            None => "Not tied to a dimension",
                        }
                    }
                    (list(site, "../", &places, ListStyle::WithoutClient))
                }
            }
            (legend(&listed(mine.iter().map(|k| &run.causes[*k]))))
        }
    }
}
