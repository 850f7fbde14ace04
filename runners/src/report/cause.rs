//! The page of a cause: all that the maintainer of the client needs.

use maud::{Markup, html};

use super::choices::choices;
use super::clean::one_line;
use super::evidence::evidence;
use super::example::Example;
use super::groups::related;
use super::issue::issue;
use super::list::{Told, list};
use super::parts::{badge, named};
use super::sentence::{class, number, plural, shown_in_title, some, title};
use super::shell::{Up, shell};
use super::site::{Site, base_name};
use crate::campaign::{Cause, Depth};
use crate::oracle::Outcome;

/// The page of the cause at `place`.
pub fn cause_page(site: &Site<'_>, place: usize) -> String {
    let run = site.run;
    let cause = &run.causes[place];
    let client = &run.clients[cause.client];
    let example = Example::of(run, cause);
    let content = html! {
        article class=(format!("page {}", cause.outcome)) {
            h1 {
                (title(cause)) " "
                span.arrow { "→ " (cause.outcome.phrase()) }
            }
            p.facts {
                (badge(cause.outcome))
                span { (named(client)) }
                span { (class(cause.class)) }
                @if cause.depth == Depth::Flaky { span { "flaky" } }
                @if cause.count > 0 { span { "in " (plural(cause.count, "variant", "variants")) } }
            }
            (depth(cause))
            (evidence(cause, &example))
            @if !example.choices.is_empty() {
                section {
                    h2 { "What it takes" }
                    @if cause.dimensions.len() > 1 {
                        p { "Only in combination: none of the " (number(cause.dimensions.len()))
                            " choices does it without the others." }
                    }
                    (choices(&example, &run.own))
                    (values(cause))
                }
            }
            section { h2 { "To see it again" } (again(site, place, &example)) }
            section {
                h2 id="issue" { "Text for an issue" }
                p.muted { "In Markdown, for the tracker of " (one_line(&client.name)) "." }
                @let text = issue(site, place, &example);
                textarea readonly aria-labelledby="issue" spellcheck="false"
                    rows=(text.lines().count().clamp(8, 30)) { (text) }
            }
            (relatives(site, place))
            (neighbours(site, place))
        }
    };
    let above = [
        Up("../index.html", &run.about.seed_file),
        Up(&format!("../{}", site.clients[cause.client]), &client.name),
    ];
    let heading = format!("{}: {} → {}", client.name, title(cause), cause.outcome.phrase());
    shell(&heading, &above, &content)
}

fn depth(cause: &Cause) -> Markup {
    html! {
        @match cause.depth {
            Depth::Minimal | Depth::Partly if cause.dimensions.is_empty() => p {
                "The seed's own choices, written anew, already make a difference. What repfuzz \
                 does not vary (for instance, tags that it does not know) may be the reason. \
                 Variants are compared with this file."
            },
            Depth::Partly => p { "The reduction was cut short: fewer choices may do." },
            Depth::Not => p { "These findings were not reduced; the simplest of them is shown." },
            Depth::Flaky => p {
                "Two runs on the same file did not agree; the simplest such file is shown."
            },
            Depth::Minimal => {}
        }
    }
}

/// What fails and what does not, as far as the title does not say it.
fn values(cause: &Cause) -> Markup {
    let untold = cause.values.len() > shown_in_title(cause);
    html! {
        @if untold || !cause.fine.is_empty() {
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

/// The files, and how to see it again with them.
fn again(site: &Site<'_>, place: usize, example: &Example<'_>) -> Markup {
    let names = &site.causes[place];
    let commands = site.commands(place);
    let open = commands.iter().any(|c| c.contains("{here}"));
    html! {
        ul.files {
            li { (download(&names.file)) " " span.muted { "shows it, " (size(example.file)) } }
            li { (download(&names.seed)) " " span.muted { "a seed: the same picture, " (size(example.seed)) } }
            li { (download(&names.choices)) " " span.muted { "the choices" } }
        }
        @if commands.is_empty() {
            p { "It is linked into repfuzz and has no command line: "
                "the run as a whole shows it again, or a program that reads the file with it." }
        } @else {
            p { "In the folder of this report:" }
            (lines(&commands))
            @if open {
                p.muted { code { "{here}" } " is the folder of the client's description." }
            }
        }
        details {
            summary { "To make the file again" }
            (lines(&[site.replay(place)]))
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
        ("The same dimensions", related.same),
        ("Fewer of these dimensions", related.fewer),
        ("More dimensions than these", related.more),
    ];
    html! {
        @if lists.iter().any(|(_, places)| !places.is_empty()) {
            section {
                h2 { "Related causes" }
                @for (heading, places) in &lists {
                    @if !places.is_empty() {
                        h3 { (heading) }
                        (list(site, "../", places, Told::Client))
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
