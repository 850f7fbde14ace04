//! The predictions from a client's source, on its page.

use conformance::client::LIBTIFF;
use maud::{Markup, html};

use super::clean::one_line;
use super::heatmap::{anchor, columns, is_under};
use super::sentence::plural;
use campaign::{Cause, Predicted, Run};

/// Renders the predictions for the client at `place`, each with its place in the source and with the results of this
/// run.
pub fn predictions(run: &Run, place: usize) -> Markup {
    let all = &run.clients[place].predictions;
    html! {
        @if !all.is_empty() {
            section {
                h2 { (plural(all.len(), "prediction", "predictions")) " from its source" }
                ul {
                    @for prediction in all {
                        li {
                            strong {
                                (one_line(&prediction.dimension)) " " (one_line(&prediction.values)) ": "
                                (prediction.effect.words())
                            }
                            ". " (one_line(&prediction.why)) "."
                            @if let (Some(file), Some(line)) = (&prediction.file, prediction.line) {
                                " " code { (one_line(file)) ":" (line) }
                            }
                            @if let Some(libtiff) = &prediction.libtiff {
                                ", " (LIBTIFF) " " code { (one_line(libtiff)) }
                            }
                            (seen(run, place, prediction))
                        }
                    }
                }
            }
        }
    }
}

/// Returns the causes of this run that were predicted, and the word of the contract.
fn seen(run: &Run, place: usize, prediction: &Predicted) -> Markup {
    let is_mine = |cause: &&Cause| {
        cause.client.index() == place && prediction.is_seen_in(&cause.dimensions, cause.outcome)
    };
    let found = run.causes.iter().find(is_mine);
    let column = found.and_then(|cause| {
        columns(run).into_iter().find(|column| column.is_some() && is_under(run, cause, *column))
    });
    html! {
        @match column {
            Some(column) => { " " a href={ "#" (anchor(column)) } { "Seen in this run" } "." }
            None => { " " span.muted { "Not seen in this run." } }
        }
        @if let Some(contract) = &prediction.contract {
            " " span.muted { "Its contract: " (one_line(contract)) "." }
        }
    }
}
