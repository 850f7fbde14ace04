//! Hangs and exhausted resources for which no cause was found: a line for each client.

use maud::{Markup, html};

use super::clean::one_line;
use super::parts::badge;
use super::sentence::plural;
use super::site::{ExampleNames, Site, base_name};
use campaign::oracle::Outcome;
use campaign::{ClientSummary, Run};

/// Renders the lines, each with a file that shows it. Empty if there are no lines.
pub fn uncaused(site: &Site<'_>) -> Markup {
    let lines = site.run.without_cause();
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "Without a cause" }
                p.muted { "Hangs and exhausted resources that no cause shows." }
                ul.causes {
                    @for (client, outcome, count) in lines {
                        li {
                            (badge(outcome)) " "
                            span.what { (plural(count, "variant", "variants")) }
                            div.who {
                                a href=(site.clients[client.index()]) {
                                    (one_line(&site.run.clients[client].name))
                                }
                                @let place = |e: &&ExampleNames| (e.client, e.outcome) == (client, outcome);
                                @if let Some(names) = site.examples.iter().find(place) {
                                    (example(site, names))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn example(site: &Site<'_>, names: &ExampleNames) -> Markup {
    html! {
        ", for example " a href=(names.file) download=(base_name(&names.file)) { (base_name(&names.file)) }
        " (" a href=(names.choices) download=(base_name(&names.choices)) { "choices" } "):"
        pre tabindex="0" { (site.replay_of(&site.seed, &names.choices, &names.file)) }
    }
}

/// Describes the results of a client in words for the terminal: `mine: hang on 3 variants, no cause found`.
pub fn lines(run: &Run) -> Vec<String> {
    let line = |client: &ClientSummary, outcome: Outcome, count: usize| {
        let (name, on) = (one_line(&client.name), plural(count, "variant", "variants"));
        format!("{name}: {} on {on}, and no cause was found", outcome.word())
    };
    let all = run.without_cause().into_iter();
    all.map(|(client, outcome, count)| line(&run.clients[client], outcome, count)).collect()
}
