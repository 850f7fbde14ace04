//! The page that a maintainer opens: one file, no scripts, nothing loaded.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tiff_harness::Picture;

use super::clean::{clean, one_line};
use super::compare::compare;
use super::files::{Names, commands};
use super::picture::{Shown, difference, show};
use super::sentence::{IN_TITLE, number, plural, some, summary, title};
use crate::campaign::{Cause, Depth, Run, State, Tested, short};
use crate::oracle::Outcome;
use crate::subject::Class;

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

/// An outcome as a coloured word with its symbol.
pub fn badge(outcome: Outcome) -> Markup {
    html! {
        span class=(format!("badge {outcome}")) {
            span.symbol aria-hidden="true" { (outcome.symbol()) } " " (outcome.word())
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

/// Dimensions by clients, with the worst outcome of each pair.
fn overview(run: &Run) -> Markup {
    let usable: Vec<usize> =
        (0..run.clients.len()).filter(|k| run.clients[*k].state.baseline().is_some()).collect();
    let in_a_cause = |d: &String| run.causes.iter().any(|c| c.dimensions.contains(d));
    let (bad, good): (Vec<usize>, Vec<usize>) =
        (0..run.dimensions.len()).partition(|k| in_a_cause(&run.dimensions[*k]));
    let loose = run.causes.iter().any(|c| c.dimensions.is_empty());
    html! {
        section {
            h2 id="overview" { "Clients and dimensions" }
            @if bad.is_empty() && !loose {
                p { "No dimension made a difference to any client." }
            } @else {
                div.wide tabindex="0" role="region" aria-labelledby="overview" {
                    table.matrix {
                        thead {
                            tr {
                                th scope="col" { "Dimension" }
                                @for k in &usable { th scope="col" { (one_line(&run.clients[*k].name)) } }
                            }
                        }
                        tbody {
                            @for d in &bad {
                                tr {
                                    th scope="row" { (one_line(&run.dimensions[*d])) }
                                    @for k in &usable { (cell(run, *k, *d)) }
                                }
                            }
                            @if loose {
                                tr {
                                    th scope="row" { em { "not tied to one" } }
                                    @for k in &usable { (loose_cell(run, *k)) }
                                }
                            }
                        }
                    }
                }
                (legend(run))
            }
            @if !good.is_empty() && !usable.is_empty() {
                details {
                    summary {
                        (plural(good.len(), "dimension", "dimensions")) " without any difference"
                    }
                    ul.plain {
                        @for d in &good {
                            @let most = usable.iter().map(|k| run.clients[*k].varied[*d]).max();
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
                " " (worst.outcome.word()) " " span.count { (number(count)) }
                @if !alone { span.count { " †" } }
            }
        }
    }
}

/// The clients that there is something to say about, or the others.
fn clients(heading: &str, run: &Run, limited: bool) -> Markup {
    let shown: Vec<&Tested> = run.clients.iter().filter(|c| is_limited(c) == limited).collect();
    html! {
        @if !shown.is_empty() {
            section {
                h2 { (heading) }
                ul.clients {
                    @for client in shown { (client_entry(run, client)) }
                }
            }
        }
    }
}

fn is_limited(client: &Tested) -> bool {
    client.state.baseline().is_none() || client.dropped.is_some() || !client.left.is_empty()
}

fn client_entry(run: &Run, client: &Tested) -> Markup {
    let usable = client.state.baseline().is_some();
    html! {
        li class=[(!usable).then_some("unusable")] {
            h3 {
                (one_line(&client.name))
                @if !client.version.is_empty() { " " span.muted { (one_line(&client.version)) } }
            }
            @if !client.summary.is_empty() { p.muted { (one_line(&client.summary)) } }
            @match &client.state {
                State::Ready(baseline) => {
                    p.tally {
                        @for outcome in Outcome::ALL {
                            @let count = client.outcomes[outcome.rank()];
                            @if count > 0 { span { (badge(outcome)) " " (number(count)) } }
                        }
                        @if client.outcomes == [0; 6] { span.muted { "no variant was run" } }
                    }
                    @if baseline.seed != run.picture {
                        (by_design(&run.picture, &baseline.seed))
                    }
                }
                State::CannotRead { outcome, message } => {
                    p { strong { "Cannot read the seed" } ", so it cannot be judged: "
                        (outcome.phrase()) "." }
                    (words(message))
                }
                State::Unsteady => {
                    p { strong { "Cannot be judged" } ": two runs on the seed gave two results." }
                }
                State::CannotRun(why) => {
                    p { strong { "Cannot be run" } ": " (one_line(why)) }
                }
            }
            @if let Some(why) = &client.dropped {
                p { strong { "Used no further" } " from some point on: " (one_line(why)) }
            }
            @for (why, count) in &client.left {
                p { strong { (plural(*count, "variant", "variants")) " left out" } ": " (one_line(why)) "." }
            }
            @if !client.ignores.is_empty() {
                p { "Ignores by design, so not varied for it: " (one_line(&client.ignores.join(", "))) "." }
            }
            @if !client.applies.is_empty() {
                p.muted { "Applies by itself: " (one_line(&client.applies.join(", "))) "." }
            }
        }
    }
}

fn by_design(canonical: &Picture, shown: &Picture) -> Markup {
    html! {
        details {
            summary { "Its picture of the seed is not the canonical one. That is no finding." }
            p { (compare(canonical, shown)) "." }
            div.pictures {
                (figure("Canonical", show(canonical).as_ref()))
                (figure("This client", show(shown).as_ref()))
                (figure("Difference", difference(canonical, shown).as_ref()))
            }
        }
    }
}

fn causes(run: &Run, names: &[Names]) -> Markup {
    html! {
        @if !run.causes.is_empty() {
            section {
                h2 { "Causes" }
                p.muted {
                    "Each is the least change to the stored form of the seed that still makes the \
                     difference. The worst come first; what every reader must take comes before \
                     extensions."
                }
                @for (k, (cause, names)) in run.causes.iter().zip(names).enumerate() {
                    (cause_entry(run, k + 1, cause, names))
                }
            }
        }
    }
}

fn cause_entry(run: &Run, number_of: usize, cause: &Cause, names: &Names) -> Markup {
    let client = &run.clients[cause.client];
    html! {
        article class=(format!("cause {}", cause.outcome)) id=(format!("cause-{number_of}")) {
            h3 {
                span.who { (one_line(&client.name)) ": " }
                (title(cause)) " "
                span.arrow { "→ " (cause.outcome.phrase()) }
            }
            p.facts {
                (badge(cause.outcome))
                span { (class(cause.class)) }
                @if cause.dimensions.len() > 1 { span { "only in combination" } }
                @if cause.depth == Depth::Flaky { span { "flaky" } }
                span { "in " (plural(cause.count, "variant", "variants")) }
            }
            @match cause.depth {
                Depth::Minimal | Depth::Partly if cause.dimensions.is_empty() => p {
                    "The seed's own choices, written anew, already make a difference. What repfuzz \
                     does not vary (for instance, tags that it does not know) may be the reason. \
                     Variants are compared with this file."
                },
                Depth::Partly => p { "The reduction was cut short: fewer choices may do." },
                Depth::Not => p { "These findings were not reduced; the simplest of them is shown." },
                Depth::Flaky => p { "Two runs on the same file did not agree; the simplest such file is shown." },
                Depth::Minimal => {}
            }
            (evidence(client, cause))
            @if cause.values.len() > IN_TITLE || !cause.fine.is_empty() {
                dl.values {
                    @if !cause.values.is_empty() {
                        dt { (badge(cause.outcome)) " with" } dd { (one_line(&some(&cause.values, 40))) }
                    }
                    @if !cause.fine.is_empty() {
                        dt { (badge(Outcome::Same)) " with" } dd { (one_line(&some(&cause.fine, 40))) }
                    }
                }
            }
            (choices(run, cause))
            h4 { "To see it again" }
            pre tabindex="0" {
                @for (k, line) in commands(run, cause, names).iter().enumerate() {
                    @if k > 0 { "\n" } (line)
                }
            }
            p.muted {
                "In this folder: " a href=(names.file) { (names.file) }
                " (" (number(cause.file.len())) " bytes), " a href=(names.choices) { (names.choices) }
            }
        }
    }
}

fn class(class: Class) -> &'static str {
    match class {
        Class::Baseline => "baseline: every reader must take it",
        Class::Extension => "extension",
        Class::Questionable => "questionable: seen in the wild, not clearly legal",
    }
}

/// The pictures, or the client's words.
fn evidence(client: &Tested, cause: &Cause) -> Markup {
    let Some(baseline) = client.state.baseline() else { return html! {} };
    // The file written anew is compared with the seed; all others with the measure.
    let anew = cause.dimensions.is_empty() && cause.choices.is_empty();
    let expected = if anew { &baseline.seed } else { baseline.reference() };
    html! {
        @match &cause.got {
            Some(got) if cause.outcome == Outcome::Wrong => {
                @let words = compare(expected, got);
                @if !words.is_empty() { p { (words) "." } }
                div.pictures {
                    (figure("Expected, as of the seed", show(expected).as_ref()))
                    (figure("Got", show(got).as_ref()))
                    @if let Some(shown) = difference(expected, got) {
                        (figure("Where they differ", Some(&shown)))
                    }
                }
            }
            _ => div.beside {
                (figure("Expected", show(expected).as_ref()))
                div {
                    @if cause.message.trim().is_empty() {
                        p.muted { "It says nothing." }
                    } @else {
                        (words(&cause.message))
                    }
                }
            }
        }
    }
}

fn words(message: &str) -> Markup {
    html! {
        @if !message.trim().is_empty() {
            blockquote { pre tabindex="0" { (clean(message.trim_end())) } }
        }
    }
}

fn choices(run: &Run, cause: &Cause) -> Markup {
    let row = |dimension: &str, value: &inverter::solve::Value| {
        html! {
            tr {
                th scope="row" { (one_line(dimension)) }
                td {
                    @match run.own.get(dimension) {
                        Some(own) => (one_line(&short(own, 120))),
                        None => span.muted { "none" },
                    }
                }
                td { (one_line(&short(value, 120))) }
            }
        }
    };
    html! {
        @if !cause.choices.is_empty() {
            h4 { "Choices that differ from the seed" }
            div.wide tabindex="0" {
                table.choices {
                    thead { tr { th scope="col" { "Dimension" } th scope="col" { "Seed" } th scope="col" { "Here" } } }
                    tbody {
                        @for (dimension, value) in cause.choices.iter() { (row(dimension, value)) }
                    }
                    @if !cause.follows.is_empty() {
                        tbody.follows {
                            tr { th.muted colspan="3" scope="rowgroup" { "and what follows from these" } }
                            @for (dimension, value) in cause.follows.iter() { (row(dimension, value)) }
                        }
                    }
                }
            }
        }
    }
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

fn figure(caption: &str, shown: Option<&Shown>) -> Markup {
    html! {
        @if let Some(shown) = shown {
            figure { (image(shown, caption)) figcaption { (caption) } }
        }
    }
}

fn image(shown: &Shown, alt: &str) -> Markup {
    html! {
        img class=[shown.enlarged.then_some("pixels")] src=(shown.data) alt=(alt)
            width=(shown.width) height=(shown.height);
    }
}
