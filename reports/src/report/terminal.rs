//! The table of causes for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};

use super::around::around;
use super::clean::one_line;
use super::sentence::{
    also, bracket, edges, limits, number, on_purpose, summary, title, within_limits,
};
use campaign::oracle::Outcome;
use campaign::{Cause, ClientId, ClientSummary, Run, Standing};

/// Formats the causes, at most 80 columns wide, followed by the clients that could not be
/// tested, and a command that looks further around one cause. Empty if there are none.
pub fn table(run: &Run) -> String {
    let mut lines = causes(run);
    for part in [accepted(run), capabilities(run), notes(run), further(run)] {
        if !lines.is_empty() && !part.is_empty() {
            lines.push(String::new());
        }
        lines.extend(part);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Formats the last lines: the summary, and the path of the report.
pub fn closing(run: &Run, report: &str) -> String {
    let text = format!("{} Report: {}", summary(run), one_line(report));
    wrap(&text, "").join("\n")
}

fn causes(run: &Run) -> Vec<String> {
    if run.faults() == 0 {
        return Vec::new();
    }
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(80)
        .set_header(["CLIENT", "OUTCOME", "CAUSE", "COUNT"]);
    for (place, forms) in run.folded() {
        let cause = &run.causes[place];
        let count = forms.iter().map(|k| run.causes[*k].count).sum::<usize>();
        table.add_row([
            one_line(&run.clients[cause.client].name),
            cause.outcome.word().to_owned(),
            format!(
                "{}{}{}{}",
                title(cause),
                kind(cause),
                bracket(cause.class),
                also(run, place, &forms)
            ),
            number(cause.count + count),
        ]);
    }
    for (client, places) in run.grouped(Standing::Unexplained) {
        let count = places.iter().map(|k| run.causes[*k].count).sum();
        table.add_row([
            one_line(&run.clients[client].name),
            Outcome::Refused.word().to_owned(),
            format!("without a reason: {}", titles(run, &places)),
            number(count),
        ]);
    }
    for (k, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if k == 3 { 0 } else { 2 }));
    }
    if let Some(count) = table.column_mut(3) {
        count.set_cell_alignment(CellAlignment::Right);
    }
    table.lines().collect()
}

/// The causes at `places` in words.
fn titles(run: &Run, places: &[usize]) -> String {
    places.iter().map(|k| title(&run.causes[*k])).collect::<Vec<_>>().join("; ")
}

/// A suffix for the kind of difference: ` → colours inverted`.
fn kind(cause: &Cause) -> String {
    cause.difference.map(|kind| format!(" → {}", kind.phrase())).unwrap_or_default()
}

/// Formats the causes that are on purpose.
fn accepted(run: &Run) -> Vec<String> {
    let lines = on_purpose(run).into_iter().map(|(_, line)| wrap(&line, "  "));
    let head = (!run.accepted.is_empty()).then(|| format!("On purpose: {}", run.accepted.len()));
    head.into_iter().chain(lines.flatten()).collect()
}

/// Formats the limits: a line for each client that refuses features.
fn capabilities(run: &Run) -> Vec<String> {
    let line = |(client, limits): (ClientId, Vec<usize>)| {
        let name = one_line(&run.clients[client].name);
        wrap(&format!("{name} does not support: {}", titles(run, &limits)), "  ")
    };
    run.limits().into_iter().flat_map(line).collect()
}

/// Formats the command that looks further around the first cause with dimensions.
fn further(run: &Run) -> Vec<String> {
    let faults = (0..run.causes.len()).filter(|place| run.is_fault(*place));
    let Some((place, parts)) = faults.into_iter().find_map(|k| Some((k, around(run, k)?))) else {
        return Vec::new();
    };
    let cause = &run.causes[place];
    let client = one_line(&run.clients[cause.client].name);
    let what = one_line(&cause.dimensions.join(" with "));
    let mut lines =
        wrap(&format!("To look further around one cause, here {what} of {client}:"), "  ");
    lines.extend(continued(&parts));
    lines
}

/// Joins the parts of a command to lines of at most 80 characters, as far as parts allow. All lines
/// but the last end in a backslash.
fn continued(parts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + part.chars().count() <= 78 => {
                line.push(' ');
                line.push_str(part);
            }
            _ => lines.push(format!("{}{part}", if lines.is_empty() { "  " } else { "    " })),
        }
    }
    let last = lines.len().saturating_sub(1);
    lines.iter_mut().take(last).for_each(|line| line.push_str(" \\"));
    lines
}

fn notes(run: &Run) -> Vec<String> {
    let noted = |client: &ClientSummary| {
        let name = one_line(&client.name);
        let lines = limits(client).into_iter().chain(client.edges.as_ref().map(edges));
        let lines = lines.map(move |line| format!("{name}: {line}"));
        lines.chain(within_limits(client).map(|text| text + ".")).collect::<Vec<_>>()
    };
    run.clients.iter().flat_map(noted).flat_map(|note| wrap(&note, "  ")).collect()
}

/// Wraps `text` to lines of at most 80 characters, if its words allow; every line but the first
/// starts with `indent`.
fn wrap(text: &str, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let length = line.chars().count() + 1 + word.chars().count();
        if length > 80 && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
