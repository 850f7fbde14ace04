//! A night as an HTML page, new findings first.

use maud::{Markup, html};

use super::super::coverage::{line, loss_groups, rows};
use super::super::verdict::{Item, Verdict};
use super::summary::{counts, finding};
use super::{Alarm, NightReport, title};
use crate::report::{Up, clean, plural, shell};

/// Renders the page. It is in the folder of `index.html`, which links to the reports of all seeds.
pub fn page(report: &NightReport<'_>) -> String {
    let NightReport { night, verdict, coverage } = report;
    let Verdict { new, fixed, known, unchecked, .. } = verdict;
    let content = html! {
        h1 { "Night of " (night.day) }
        p.lead { (counts(verdict, coverage)) }
        p { (clean(&line(coverage))) }
        h2 { "New" }
        @if new.is_empty() && coverage.broken(false).next().is_none() { p { "No new findings." } }
        (alarms(Alarm::New, report))
        @if !verdict.worse.is_empty() || coverage.broken(true).next().is_some() { h2 { "Worse" } }
        (alarms(Alarm::Worse, report))
        @if !verdict.found.is_empty() { h2 { "Found, with unchanged programs" } }
        (alarms(Alarm::Found, report))
        (lost(report))
        (list("Fixed", fixed))
        (list("Known", known))
        (list("Not rechecked", unchecked))
        @if !verdict.unused.is_empty() {
            h2 { "Accepted, but never met" }
            ul { @for line in &verdict.unused { li { (clean(line)) } } }
        }
        (table(report))
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

fn alarms(alarm: Alarm, report: &NightReport<'_>) -> Markup {
    html! {
        @for broken in alarm.broken(report.coverage) { p { (clean(&broken.text)) } }
        @for (place, item) in alarm.items(report.verdict).iter().enumerate() {
            @let example = &item.bucket.example;
            @let name = alarm.example(place, item);
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
}

fn lost(report: &NightReport<'_>) -> Markup {
    let groups = loss_groups(report.coverage);
    html! {
        @if !groups.is_empty() {
            h2 { "Lost coverage" }
            ul {
                @for group in &groups {
                    li {
                        (clean(&group.text))
                        @if let Some(accepted) = &group.accepted { " (" (clean(accepted)) ")" }
                    }
                }
            }
        }
    }
}

fn table(report: &NightReport<'_>) -> Markup {
    let rows = rows(report.coverage);
    html! {
        @if !rows.is_empty() {
            h2 { "Coverage" }
            div.wide tabindex="0" role="region" aria-label="Coverage" {
                table {
                    thead {
                        tr {
                            @for name in ["Client", "Version", "Seeds read", "Last night", "Runs"] {
                                th scope="col" { (name) }
                            }
                        }
                    }
                    tbody {
                        @for [client, rest @ ..] in &rows {
                            tr {
                                th scope="row" { (clean(client)) }
                                @for cell in rest { td { (clean(cell)) } }
                            }
                        }
                    }
                }
            }
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
    use super::super::tests::{with_nothing, with_report};
    use super::*;

    #[test]
    fn text_from_outside_is_escaped() {
        let page = with_report(page);
        assert!(page.contains("&lt;b&gt;: wrong") && !page.contains("<b>"));
        assert!(page.contains("href=\"new/01-b-wrong.tif\""));
        assert!(page.contains("now also with &lt;i&gt; &amp; x = 3"), "{page}");
        assert!(page.contains("href=\"worse/01-a-refused.tif\""));
        assert!(with_nothing(super::page).contains("No new findings."));
    }

    #[test]
    fn coverage_is_a_line_a_list_and_a_table() {
        let page = with_report(page);
        assert!(page.contains("coverage: 2 of 2 seeds run"));
        assert!(page.contains("vips: 2 seeds not read (a.tif, b.tif): crash: SIGSEGV"));
        assert!(
            page.contains("<td>8.16 (was 8.15)</td><td>0 of 2</td><td>2</td><td>0</td>"),
            "{page}"
        );
    }
}
