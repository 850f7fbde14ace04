//! The page of a cause: everything that the client's maintainer needs.

use maud::{Markup, html};

use super::around::around;
use super::choices::choices;
use super::clean::{clean, one_line};
use super::evidence::evidence;
use super::example::Example;
use super::exported::exported;
use super::exported::offered::ExportedTest;
use super::groups::related;
use super::issue::issue;
use super::legend::{legend, listed};
use super::list::{ListStyle, list};
use super::parts::{badge, named};
use super::sentence::{number, plural, runs, shown_in_title, some, title};
use super::shell::{Up, shell};
use super::site::{Site, base_name};
use campaign::oracle::Outcome;
use campaign::{Cause, Depth, Verdict, WholeFile};

/// Renders the page of the cause at `place`.
pub fn cause_page(site: &Site<'_>, place: usize) -> String {
    let run = site.run;
    let cause = &run.causes[place];
    let client = &run.clients[cause.client];
    let example = Example::of(run, cause);
    let test = exported(run, place, &site.causes[place]);
    let content = html! {
        article class=(format!("page {}", cause.outcome)) {
            h1 {
                (title(cause)) " "
                span.arrow { "→ " (cause.signature().phrase()) }
            }
            p.facts {
                (badge(cause.outcome))
                span { (named(client)) }
                span { (cause.class.word()) }
                @if cause.depth == Depth::Flaky { span { "flaky" } }
                @if cause.count > 0 { span { "in " (plural(cause.count, "variant", "variants")) } }
            }
            (legend(&listed([cause])))
            @if let Some(words) = run.accepted.get(&place) { p { strong { "On purpose" } ": " (words) "." } }
            (depth(cause))
            @if let Some(verdict) = cause.verdict
                && (cause.outcome == Outcome::Wrong || verdict != Verdict::ContractUnknown) {
                p { (verdict.sentence()) }
            }
            @if let Some(convention) = &cause.convention {
                p {
                    "A convention of readers explains it, and no bug: " (convention.name) ". "
                    (convention.reason) " " span.muted { "(" (convention.source) ")" }
                }
            }
            (evidence(cause, &example))
            @if !example.choices.is_empty() {
                section {
                    h2 { "Choices that cause it" }
                    @if cause.dimensions.len() > 1 {
                        p { "Only in combination: none of the " (number(cause.dimensions.len()))
                            " choices causes it alone." }
                    }
                    (choices(&example, run.base_of(cause.client).1))
                    (values(cause))
                }
            }
            section { h2 { "How to reproduce it" } (reproduction(site, place, &example)) }
            @if cause.convention.is_some() || cause.is_undecided() {
                p.muted {
                    "No issue text is offered: nothing says that the client reads a file wrongly."
                }
            } @else {
                @if let Some(test) = &test {
                    (test_section(site, place, test))
                }
                section {
                h2 id="issue" { "Issue text" }
                p.muted { "In Markdown, for the issue tracker of " (one_line(&client.name)) "." }
                @let text = issue(site, place, &example, test.as_ref());
                textarea readonly aria-labelledby="issue" spellcheck="false"
                    rows=(text.lines().count().clamp(8, 30)) { (text) }
                }
            }
            @if run.is_fault(place) {
                section {
                    h2 { "If it is on purpose" }
                    p { "In the folder of the client, where REPORT is the folder of this report:" }
                    (lines(&[format!("repfuzz accept REPORT {} --reason 'TEXT'", place + 1)]))
                }
            }
            (relatives(site, place))
            (neighbours(site, place))
        }
    };
    let above = [
        Up("../index.html", base_name(&run.about.seed_file)),
        Up(&format!("../{}", site.clients[cause.client]), &client.name),
    ];
    let heading = format!("{}: {} → {}", client.name, title(cause), cause.signature().phrase());
    shell(&heading, &above, &content)
}

fn depth(cause: &Cause) -> Markup {
    html! {
        @match cause.depth {
            Depth::Minimal | Depth::Partly if cause.whole == WholeFile::Plainest => p {
                "The client fails on the plainest file of the picture: nothing in the encoding is \
                 needed for that."
            },
            Depth::Minimal | Depth::Partly if cause.whole == WholeFile::SeedItself => p {
                "The seed file shows it, and no file with the same choices does. The reason may be \
                 something that repfuzz does not preserve, such as unknown tags."
            },
            Depth::Minimal | Depth::Partly if cause.dimensions.is_empty() => p {
                "Re-encoding the seed with its own choices already makes a difference. The reason \
                 may be something that repfuzz does not preserve, such as unknown tags. Variants are \
                 compared with the re-encoded file."
            },
            Depth::Partly => p { "The reduction was cut short: fewer choices may suffice." },
            Depth::Not => p { "These findings were not reduced; the simplest one is shown." },
            Depth::Flaky => p {
                "Not reproducible: two runs on the same file disagreed. The simplest such file is shown"
                @if cause.runs.is_empty() { "." } @else { ": " (runs(cause)) "." }
            },
            Depth::Minimal => {}
        }
    }
}

/// Renders the failing and the passing values, unless the title lists them.
fn values(cause: &Cause) -> Markup {
    let more = cause.values.len() > shown_in_title(cause);
    html! {
        @if more || !cause.fine.is_empty() {
            dl.values {
                @if !cause.values.is_empty() {
                    dt { (badge(cause.outcome)) " with" } dd { (one_line(&some(&cause.values, 40))) }
                }
                @if !cause.fine.is_empty() {
                    dt { (badge(Outcome::Same)) " with" } dd { (one_line(&some(&cause.fine, 40))) }
                }
            }
        }
    }
}

/// Renders the files, and the commands that reproduce the cause with them.
fn reproduction(site: &Site<'_>, place: usize, example: &Example<'_>) -> Markup {
    let names = &site.causes[place];
    let commands = site.commands(place);
    let open = commands.iter().any(|c| c.contains("{here}"));
    html! {
        ul.files {
            li { (download(&names.file)) " " span.muted { "shows the difference, " (size(example.file)) } }
            li { (download(&names.seed)) " " span.muted { "equivalent seed, " (size(example.seed)) } }
            li { (download(&names.choices)) " " span.muted { "choices" } }
        }
        @if commands.is_empty() {
            p { "This client is linked into repfuzz and has no command line. "
                "Repeat the run, or write a program that reads the file with the library." }
        } @else {
            p { "In this report's folder, run:" }
            (lines(&commands))
            @if open {
                p.muted { code { "{here}" } " is the folder of the client's description." }
            }
        }
        details {
            summary { "Make the file again" }
            (lines(&[site.replay(place)]))
        }
        @if let Some(command) = around(site.run, place) {
            details {
                summary { "Look further around it" }
                p { "Only these dimensions vary; the others are as in the seed:" }
                (lines(&[command.join(" ")]))
            }
        }
    }
}

/// Renders the test in the framework of the client.
fn test_section(site: &Site<'_>, place: usize, test: &ExportedTest) -> Markup {
    html! {
        section {
            h2 { "Test for " (test.framework) }
            @if let Some(path) = &site.causes[place].test {
                p { (download(path)) " needs nothing of repfuzz. It fails as long as the cause is there. \
                    Beside it, run:" }
            }
            (lines(std::slice::from_ref(&test.command)))
            details {
                summary { "Its text" }
                pre tabindex="0" { (clean(&test.text)) }
            }
        }
    }
}

fn lines(commands: &[String]) -> Markup {
    html! { pre tabindex="0" { (commands.join("\n")) } }
}

fn download(path: &str) -> Markup {
    html! { a href=(format!("../{path}")) download=(base_name(path)) { (base_name(path)) } }
}

fn size(bytes: &[u8]) -> String {
    plural(bytes.len(), "byte", "bytes")
}

fn relatives(site: &Site<'_>, place: usize) -> Markup {
    let related = related(&site.run.causes, place);
    let lists = [
        ("Same dimensions", related.same),
        ("Some of these dimensions", related.fewer),
        ("These dimensions and more", related.more),
    ];
    html! {
        @if lists.iter().any(|(_, places)| !places.is_empty()) {
            section {
                h2 { "Related causes" }
                @for (heading, places) in &lists {
                    @if !places.is_empty() {
                        h3 { (heading) }
                        (list(site, "../", places, ListStyle::WithClient))
                    }
                }
            }
        }
    }
}

fn neighbours(site: &Site<'_>, place: usize) -> Markup {
    let to = |place: usize| format!("../{}", site.causes[place].page);
    html! {
        nav.neighbours aria-label="Other causes" {
            @if place > 0 { a rel="prev" href=(to(place - 1)) { "← Cause " (place) } }
            span.muted { "Cause " (place + 1) " of " (site.causes.len()) }
            @if place + 1 < site.causes.len() {
                a rel="next" href=(to(place + 1)) { "Cause " (place + 2) " →" }
            }
        }
    }
}
