//! Describes counterexamples: events with their source lines.

use std::collections::BTreeMap;

use conformance::program::{Place, Site};
use conformance::remark::{Remark, Weight};
use conformance::story::Story;
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use super::judged::Judged;
use crate::cli::wrapped;

/// The maximum number of events that are listed on a terminal.
const LISTED: usize = 40;

/// The maximum number of reasons for an undecided verdict that are listed on a terminal.
const OPEN: usize = 12;

/// The maximum number of expected types that the last sentence lists.
const EXPECTED: usize = 6;

/// Columns of a line on a terminal.
const COLUMNS: usize = 80;

/// The maximum length of a source line that is shown.
const SHOWN_LINE: usize = 1_000;

/// A place as `file:line`.
pub fn place(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// Returns the type of an event, with the type of which it is a part.
pub fn kind(kind: &str, site: Option<&Site>) -> String {
    site.map_or_else(|| kind.to_owned(), |site| site.event(kind))
}

/// Folds a line for a terminal; continuation lines are indented.
pub fn folded(line: &str) -> String {
    const INDENT: &str = "      ";
    wrapped(line, COLUMNS - INDENT.len()).join(&format!("\n{INDENT}"))
}

/// Returns the verdict. Its certainty depends on what the automata leave undecided.
pub fn verdict(judged: Judged, is_open: bool) -> &'static str {
    match (judged, is_open) {
        (Judged::Conforms, false) => "conforms",
        (Judged::Conforms, true) => "conforms, but for what is open",
        (Judged::Refuted, false) => "does not conform",
        (Judged::Refuted, true) => "does not conform, unless what is open decides otherwise",
        (Judged::DependsOnValues, _) => {
            "may not conform: it depends on values of the producer that are not followed"
        }
        (Judged::Undecided { conforms: true }, _) => {
            "may conform: it depends on what is named first below"
        }
        (Judged::Undecided { conforms: false }, _) => {
            "may not conform: it depends on what is named first below"
        }
    }
}

/// Returns the lines about what is undecided, before line breaks are added: all deciding remarks, the first of the
/// others, and the number of the remarks left out.
pub fn open(remarks: &[Remark]) -> Vec<String> {
    let deciding = remarks.iter().filter(|remark| remark.weight > Weight::Open).count();
    let most = OPEN.max(deciding);
    // One more line takes as much room as the line with the count.
    let shown = if remarks.len() <= most + 1 { remarks.len() } else { most };
    let line = |remark: &Remark| match remark.weight {
        Weight::Open => format!("open: {remark}"),
        Weight::NotProved | Weight::Undecided => format!("decides: {remark}"),
    };
    let mut lines: Vec<String> = remarks[..shown].iter().map(line).collect();
    let more = remarks.len() - shown;
    if more > 0 {
        lines.push(format!("open: {more} more reasons, which --page FILE and --json list"));
    }
    lines
}

/// Returns the last sentence, which says where the consumer stops.
pub fn stop(story: &Story) -> String {
    let count = story.events.len();
    let mut kinds: Vec<String> =
        story.expected.iter().map(|e| kind(&e.kind, e.site.as_ref())).collect();
    kinds.dedup();
    if story.by_structure {
        return "The consumer reads these events, but with other calls and returns between them."
            .to_owned();
    }
    let mut could = kinds;
    if story.may_end {
        could.push("the end".to_owned());
    }
    let more = could.len().saturating_sub(EXPECTED);
    if more > 1 {
        could.truncate(EXPECTED);
        could.push(format!("{more} others"));
    }
    let could = match could.split_last() {
        None => return dead(story),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    };
    if story.read == count {
        return format!("Then the producer ends, where the consumer expects {could}.");
    }
    let event = &story.events[story.read];
    let name = kind(&event.kind, event.site.as_ref());
    let number = story.read + 1;
    let stop =
        format!("The consumer stops before event {number} ({name}), where it expects {could}.");
    match story.is_foreign {
        true => format!(
            "{stop} It reads no such type anywhere: if it reads the parts of one, `type` in --io says which."
        ),
        false => stop,
    }
}

/// Returns the last sentence if no run of the consumer continues.
fn dead(story: &Story) -> String {
    let when = match story.events.get(story.read) {
        None => "Then the producer ends".to_owned(),
        Some(event) => {
            let kind = kind(&event.kind, event.site.as_ref());
            format!("Then the producer writes event {} ({kind})", story.read + 1)
        }
    };
    format!(
        "{when}, but no run of the consumer that reads the events before succeeds: each fails, or never ends."
    )
}

/// The line before the events.
pub fn begins(is_open: bool) -> &'static str {
    if is_open { "Perhaps the producer emits:" } else { "The producer emits:" }
}

/// Formats the story for a terminal: a list of the events, the end, and the source lines.
pub fn terminal(story: &Story, is_open: bool) -> String {
    let mut text = format!("{}\n", begins(is_open));
    let shown = story.events.iter().enumerate();
    let last = story.read.max(LISTED);
    for (k, event) in shown.filter(|(k, _)| *k < LISTED || *k == last) {
        let at = event
            .site
            .as_ref()
            .map(|site| format!("  {} {} in {}", place(&site.place), site.callee, site.caller));
        let mark = if k == story.read { "  <- not accepted" } else { "" };
        let kind = kind(&event.kind, event.site.as_ref());
        text += &format!("{:>4}  {kind:<12}{}{mark}\n", k + 1, at.unwrap_or_default());
    }
    if story.events.len() > LISTED {
        text += &format!("      ({} events)\n", story.events.len());
    }
    if story.events.is_empty() {
        text += "      nothing\n";
    }
    text += &format!("{}\n", wrapped(&stop(story), COLUMNS).join("\n"));
    for report in reports(story) {
        text += &format!("\n{report:?}");
    }
    text
}

/// Returns one excerpt of each file: the events around the stop, and what the consumer expects.
fn reports(story: &Story) -> Vec<Report> {
    let mut files: BTreeMap<(bool, &str), Vec<(&Site, String)>> = BTreeMap::new();
    let from = story.read.saturating_sub(2);
    for (k, event) in story.events.iter().enumerate().skip(from).take(3) {
        if let Some(site) = &event.site {
            let kind = site.event(&event.kind);
            let text = match k == story.read {
                true => format!("event {}: {kind} is not accepted", k + 1),
                false => format!("event {}: {kind}", k + 1),
            };
            files.entry((false, &site.place.file)).or_default().push((site, text));
        }
    }
    for expected in story.expected.iter().take(5) {
        if let Some(site) = &expected.site {
            let text = format!("expects {}", site.event(&expected.kind));
            files.entry((true, &site.place.file)).or_default().push((site, text));
        }
    }
    let reports = files.into_iter().filter_map(|((consumer, file), sites)| {
        let text = std::fs::read_to_string(file).ok()?;
        if text.lines().any(|line| line.len() > SHOWN_LINE) {
            return None;
        }
        let labels = sites.into_iter().filter_map(|(site, label)| {
            let (at, length) = span(&text, site)?;
            Some(LabeledSpan::new(Some(label), at, length))
        });
        let title = if consumer { "the consumer" } else { "the producer" };
        let diagnostic = MietteDiagnostic::new(title).with_labels(labels.collect::<Vec<_>>());
        Some(Report::new(diagnostic).with_source_code(NamedSource::new(file, text)))
    });
    reports.collect()
}

/// The bytes of the called function's name in a text.
fn span(text: &str, site: &Site) -> Option<(usize, usize)> {
    let line = usize::try_from(site.place.line).ok()?.checked_sub(1)?;
    let begin: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let own = text[begin..].lines().next()?;
    // The preprocessor changes columns, so look for the name first.
    let column = own.find(&site.callee).or_else(|| {
        let column = usize::try_from(site.place.column).ok()?.checked_sub(1)?;
        own.char_indices().nth(column).map(|(at, _)| at)
    });
    let at = column.unwrap_or(0);
    let length = if own[at..].starts_with(&site.callee) { site.callee.len() } else { 1 };
    Some((begin + at, length.min(own.len() - at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_beyond_the_first_ones_are_counted() {
        let remark = |k: usize| Remark::new(format!("reason {k}"), Weight::Open);
        let remarks: Vec<Remark> = (0..OPEN + 3).map(remark).collect();
        assert_eq!(open(&remarks[..=OPEN]).len(), OPEN + 1);
        let lines = open(&remarks);
        assert_eq!(lines.len(), OPEN + 1);
        assert_eq!(lines[OPEN], "open: 3 more reasons, which --page FILE and --json list");
    }

    #[test]
    fn reasons_that_decide_are_never_left_out() {
        let remark = |k: usize| Remark::new(format!("reason {k}"), Weight::NotProved);
        let mut remarks: Vec<Remark> = (0..OPEN + 3).map(remark).collect();
        remarks.extend((0..4).map(|k| Remark::new(format!("other {k}"), Weight::Open)));
        let lines = open(&remarks);
        assert_eq!(lines.len(), OPEN + 4);
        assert_eq!(lines[OPEN + 2], format!("decides: reason {}", OPEN + 2));
    }
}
