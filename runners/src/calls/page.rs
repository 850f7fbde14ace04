//! The result as an HTML page.

use interfaces::export::{self, View};
use interfaces::graph::Graph;
use inverter::solve::Choices;
use maud::{Markup, html};

use super::driver::Kind;
use super::result::{CallsRun, Cause};
use reports::report::{drawing, one_line, shell};

/// A drawing of the graph that is embedded in the page.
fn drawn(graph: &Graph, view: View<'_>) -> String {
    drawing(&export::dot(graph, view), || export::svg(graph, view))
}

/// Returns the relative URL of the file that shows a cause, in the folder of the page.
pub fn example(number: usize, extension: &str) -> String {
    format!("calls-{:02}.{extension}", number + 1)
}

/// Renders the page with the graph of the model, which has an edge for each class of arguments. `extension` is the
/// extension of the files in the folder of the page.
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
            (found(number, cause, graph, extension))
        }
        section {
            h2 { "The interface" }
            p { "A node is a set of states that a client need not tell apart, an edge a call. Calls that a node does not have are illegal." }
            img src=(drawn(graph, View::Legal)) alt="the interface graph";
            details {
                summary { "As text" }
                pre { (export::text(graph)) }
            }
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

fn found(number: usize, cause: &Cause, graph: &Graph, extension: &str) -> Markup {
    let file = example(number, extension);
    html! {
        section {
            h2 { (number + 1) ". " (one_line(&cause.driver)) ": " (one_line(&cause.heading())) }
            p { code { (cause.any.join(" ")) } }
            @if !cause.why.is_empty() { p { a href=(file) { (file) } ": " (one_line(&cause.why)) } }
            @if let Some(other) = cause.not_compared {
                p { "May be the same fault as " (other) ".: the time was over before they were compared." }
            }
            @if cause.unfinished { p { "May not be the shortest: the time was over." } }
            @if let Some(like) = cause.like {
                p { "Fails where " (like) ". does, with the same words, after other calls." }
            }
            @if cause.choices.is_empty() {
                p { "The seed shows it: " a href=(file) { (file) } }
            } @else {
                p { "Shown by " a href=(file) { (file) } ", which differs from the seed in:" }
                (choices(&cause.choices))
            }
            p { "Seen in " (cause.explains) " sequences on " (cause.files) " files." }
            @if !cause.evidence.is_empty() { (evidence(cause)) }
            @if let Some(path) = graph.path(&cause.sequence) {
                figure {
                    img src=(drawn(graph, View::Path { path: &path, calls: &cause.calls })) alt={ "the interface graph with " (cause.calls.join(" ")) };
                    figcaption { "The calls in the interface of the library, in red. Calls that a node does not have are illegal." }
                }
            }
        }
    }
}

fn choices(choices: &Choices) -> Markup {
    html! {
        ul {
            @for (dimension, value) in choices.iter() {
                li { code { (one_line(dimension)) } " = " (one_line(&serde_json::to_string(value).unwrap_or_default())) }
            }
        }
    }
}

fn evidence(cause: &Cause) -> Markup {
    html! {
        p { "The same fault, reduced from other sequences and files:" }
        table {
            thead { tr { th { "Driver" } th { "Calls" } th { "Choices" } th { "The same fault" } } }
            tbody {
                @for other in &cause.evidence {
                    tr {
                        td { (one_line(&other.driver)) }
                        td { code { (other.calls.join(" ")) } }
                        td { (one_line(&super::table::choices(&other.choices))) }
                        td { (other.sure.word()) }
                    }
                }
            }
        }
    }
}
