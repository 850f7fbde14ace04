//! A night as an HTML page, new findings first.

use maud::{Markup, html};

use super::summary::{counts, finding, title};
use super::verdict::{Item, Verdict};
use super::{Night, example_name};
use crate::report::{Up, clean, plural, shell};

/// Renders the page. It is beside `index.html`, which links to the reports of all seeds.
pub fn page(night: &Night, verdict: &Verdict) -> String {
    let Verdict { new, fixed, known, unchecked } = verdict;
    let content = html! {
        h1 { "Night of " (night.day) }
        p.lead { (counts(verdict)) }
        h2 { "New" }
        @if new.is_empty() { p { "No new findings." } }
        @for (place, item) in new.iter().enumerate() { (new_finding(place, item)) }
        (list("Fixed", fixed))
        (list("Known", known))
        (list("Not rechecked", unchecked))
        footer {
            h2 { "This night" }
            p { "Run seed " (night.number) "." }
            ul {
                @for (name, version) in &night.clients {
                    li { (clean(name)) " " (clean(version)) }
                }
            }
        }
    };
    shell(&title(night), &[Up("history.html", "Nights"), Up("index.html", "All seeds")], &content)
}

fn new_finding(place: usize, item: &Item) -> Markup {
    let example = &item.bucket.example;
    let name = example_name(place, item);
    html! {
        section {
            h3 { (clean(&finding(item))) }
            p {
                a href=(name) { (name) } ", " (plural(example.file.len(), "byte", "bytes"))
                ", from " (clean(&example.seed_file)) ". Shown by "
                (plural(item.bucket.count, "variant", "variants")) "."
            }
            @if !example.message.is_empty() { pre tabindex="0" { (clean(&example.message)) } }
            @for why in &item.why { p { (clean(why)) } }
        }
    }
}

fn list(head: &str, items: &[Item]) -> Markup {
    html! {
        @if !items.is_empty() {
            h2 { (head) }
            ul {
                @for item in items {
                    li { (clean(&finding(item))) " (" (clean(&item.why.join("; "))) ")" }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::{night, verdict};
    use super::*;

    #[test]
    fn text_from_outside_is_escaped() {
        let page = page(&night(), &verdict());
        assert!(page.contains("&lt;b&gt;: wrong") && !page.contains("<b>"));
        assert!(page.contains("href=\"new/01-b-wrong.tif\""));
        assert!(super::page(&night(), &Verdict::default()).contains("No new findings."));
    }
}
