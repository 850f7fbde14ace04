//! The page about many nights: the numbers of new, known and fixed findings.

use std::io;
use std::path::{Path, PathBuf};

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::clean::one_line;
use super::sentence::{number, plural};
use super::shell::shell;
use crate::files::{make, put};

/// The summary of one night.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NightSummary {
    /// Its name, usually the date.
    pub name: String,
    /// The URL of its report, relative to the history; empty if the report no longer exists. Not stored.
    #[serde(skip)]
    pub report: String,
    /// The number of causes that were never seen before.
    pub new: usize,
    /// The number of known causes that got worse.
    pub worse: usize,
    /// The number of causes that were seen before and seen again.
    pub known: usize,
    /// The number of known causes that are fixed now.
    pub fixed: usize,
    /// A caveat, such as a missing client or a run that was cut short. May be empty.
    pub note: String,
}

/// Writes `history.html` into `dir`, for `nights` from oldest to latest; returns its path.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_history(dir: &Path, nights: &[NightSummary]) -> io::Result<PathBuf> {
    make(dir)?;
    let path = dir.join("history.html");
    put(&path, history(nights))?;
    Ok(path)
}

fn history(nights: &[NightSummary]) -> String {
    let content = html! {
        h1 { "Nights" }
        @match nights {
            [] => p.lead { "No night has finished yet." },
            [.., last] => {
                p.lead {
                    "Latest, " (one_line(&last.name)) ": " (number(last.new)) " new, "
                    (number(last.worse)) " worse, "
                    (number(last.known)) " known, " (number(last.fixed)) " fixed."
                    @if !last.note.is_empty() { " " (one_line(&last.note)) }
                }
                (chart(&nights[nights.len().saturating_sub(SHOWN)..]))
                (table(nights))
            }
        }
    };
    shell("repfuzz: nights", &[], &content)
}

/// The maximum number of nights in the chart.
const SHOWN: usize = 90;

/// Geometry in pixels: the distance and the width of the bars, and the heights above and below the axis.
const STEP: usize = 12;
const BAR: usize = 9;
const UP: usize = 96;
const DOWN: usize = 32;

/// Renders the bars, the latest on the right: known causes with new ones on top, and fixed ones below the axis.
fn chart(nights: &[NightSummary]) -> Markup {
    let most = nights.iter().map(|n| n.new.saturating_add(n.known)).max().unwrap_or(0);
    let most = most
        .max(nights.iter().map(|n| n.fixed.saturating_mul(UP / DOWN)).max().unwrap_or(0))
        .max(1);
    // Every non-zero count is visible.
    let tall = |count: usize| if count == 0 { 0 } else { (count.saturating_mul(UP) / most).max(4) };
    let (width, height) = (nights.len() * STEP, UP + DOWN + 8);
    let line = UP + 4;
    html! {
        div.wide tabindex="0" role="region" aria-label="Nights as bars" {
            svg.chart role="img" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
                aria-label=(format!("{}, as in the table below", plural(nights.len(), "night", "nights"))) {
                @for (k, night) in nights.iter().enumerate() {
                    @let (known, new, fixed) = (tall(night.known), tall(night.new), tall(night.fixed));
                    @let (known, x) = (known.min(UP - new.min(UP)), k * STEP);
                    g {
                        title {
                            (one_line(&night.name)) ": " (night.new) " new, " (night.known) " known, "
                            (night.fixed) " fixed"
                        }
                        rect.known-bar x=(x) y=(line - known) width=(BAR) height=(known) {}
                        rect.new-bar x=(x) y=(line - known - new.min(UP)) width=(BAR) height=(new.min(UP)) {}
                        rect.fixed-bar x=(x) y=(line + 1) width=(BAR) height=(fixed.min(DOWN)) {}
                    }
                }
                line.axis x1="0" x2=(width) y1=(line) y2=(line) {}
            }
        }
        p.legend {
            "Above the axis: " span.known { "known" } " causes, with " span.new { "new" }
            " ones on top; below: " span.fixed { "fixed" } " ones. The latest night is on the right."
        }
    }
}

fn table(nights: &[NightSummary]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Nights as a table" {
            table.nights {
                thead {
                    tr {
                        @for name in ["Night", "New", "Worse", "Known", "Fixed", "Note"] { th scope="col" { (name) } }
                    }
                }
                tbody {
                    @for night in nights.iter().rev() {
                        tr {
                            th scope="row" {
                                @if night.report.is_empty() {
                                    (one_line(&night.name))
                                } @else {
                                    a href=(night.report) { (one_line(&night.name)) }
                                }
                            }
                            td class=[(night.new > 0).then_some("new")] { (number(night.new)) }
                            td class=[(night.worse > 0).then_some("new")] { (number(night.worse)) }
                            td { (number(night.known)) }
                            td class=[(night.fixed > 0).then_some("fixed")] { (number(night.fixed)) }
                            td.note { (one_line(&night.note)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn night(name: &str, new: usize, known: usize, fixed: usize) -> NightSummary {
        NightSummary { name: name.to_owned(), new, known, fixed, ..NightSummary::default() }
    }

    /// The heights of the bars of a class.
    fn heights(page: &str, class: &str) -> Vec<usize> {
        let begin = format!("<rect class=\"{class}\"");
        let bars = page.split(&*begin).skip(1);
        bars.map(|bar| {
            let height = bar.split("height=\"").nth(1).unwrap();
            height.split('"').next().unwrap().parse().unwrap()
        })
        .collect()
    }

    #[test]
    fn the_latest_night_is_summarized_and_on_top() {
        let nights = [night("2026-01-01", 71, 0, 0), night("2026-01-02", 1, 1_070, 5)];
        let page = history(&nights);
        assert!(page.contains("Latest, 2026-01-02: 1 new, 0 worse, 1,070 known, 5 fixed."));
        let row = |name: &str| page.find(&format!("<th scope=\"row\">{name}")).unwrap();
        assert!(row("2026-01-02") < row("2026-01-01"));
        assert!(history(&[]).contains("No night has finished yet."));
    }

    #[test]
    fn bars_have_the_heights_of_what_they_count() {
        let page = history(&[night("a", 1, 99, 0), night("b", 50, 50, 200), night("c", 0, 0, 0)]);
        assert_eq!(heights(&page, "known-bar").len(), 3);
        let [new, known, fixed] =
            ["new-bar", "known-bar", "fixed-bar"].map(|class| heights(&page, class));
        // There are many fixed causes here, and all other bars are low but visible.
        assert_eq!(fixed, [0, DOWN, 0]);
        assert!(known[0] > known[1] && known[2] == 0);
        assert!(new[1] > new[0] && new[0] == 4);
        for (new, known) in new.iter().zip(&known) {
            assert!(new + known <= UP);
        }
    }

    #[test]
    fn no_count_is_too_much() {
        let page = history(&[night("<b>\u{202e}", 0, 1, 0), night("x", 1 << 40, 1 << 40, 1 << 40)]);
        assert!(!page.contains("<b>") && !page.contains('\u{202e}'));
        assert!(heights(&page, "new-bar").iter().all(|h| *h <= UP));
    }
}
