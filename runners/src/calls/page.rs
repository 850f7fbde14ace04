//! The result as a page of HTML.

use interfaces::export;
use interfaces::graph::Graph;
use maud::{Markup, html};

use super::driver::Kind;
use super::result::{CallsRun, Cause};
use crate::report::{drawing, one_line, shell};

/// The address of the file that shows a cause, beside the page.
pub fn example(number: usize, extension: &str) -> String {
    format!("calls-{:02}.{extension}", number + 1)
}

/// Renders the page, with the graph of the model; `extension` is that of the files beside it.
pub fn page(run: &CallsRun, graph: &Graph, extension: &str) -> String {
    let title = match run.causes.len() {
        0 if !run.found() => "Any order of calls reads alike".to_owned(),
        0 => "Calls depend on their order; no cause is known".to_owned(),
        1 => "1 difference by the order of calls".to_owned(),
        n => format!("{n} differences by the order of calls"),
    };
    let content = html! {
        h1 { (title) }
        p {
            "Model " code { (run.model) } ": " (run.nodes) " nodes and " (run.edges) " edges. "
            (run.sequences) " sequences of calls, which cover every pair of edges, on " (run.files)
            " files: " code { (one_line(&run.seed)) } " and its variants."
        }
        (results(run))
        @for gap in run.gaps() { p { (one_line(&gap)) } }
        @for (number, cause) in run.causes.iter().enumerate() {
            (found(number, cause, extension))
        }
        section {
            h2 { "The interface" }
            p { "A node is a set of states that a client need not tell apart, an edge a call. Calls to an error are illegal." }
            img src=(drawing(&export::dot(graph), || export::svg(graph))) alt="the interface graph";
        }
    };
    shell(&format!("repfuzz: {title}"), &[], &content)
}

fn results(run: &CallsRun) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th { "Driver" } th { "Version" } th { "Sequences" } th { "Files that it cannot read" }
                    @for kind in Kind::ALL { th { (kind.word()) } }
                }
            }
            tbody {
                @for driver in &run.drivers {
                    tr {
                        td { (one_line(&driver.name)) } td { (one_line(&driver.version)) }
                        @for count in driver.counts() {
                            td { (count) }
                        }
                    }
                }
            }
        }
    }
}

fn found(number: usize, cause: &Cause, extension: &str) -> Markup {
    let file = example(number, extension);
    html! {
        section {
            h2 { (number + 1) ". " (one_line(&cause.driver)) ": " (cause.kind.word()) }
            p { code { (cause.calls.join(" ")) } }
            @if !cause.why.is_empty() { p { (one_line(&cause.why)) } }
            @if cause.choices.is_empty() {
                p { "The seed shows it: " a href=(file) { (file) } }
            } @else {
                p { "Shown by " a href=(file) { (file) } ", which differs from the seed in:" }
                ul {
                    @for (dimension, value) in cause.choices.iter() {
                        li { code { (one_line(dimension)) } " = " (one_line(&serde_json::to_string(value).unwrap_or_default())) }
                    }
                }
            }
            p { "Seen in " (cause.explains) " sequences on " (cause.files) " files." }
        }
    }
}
