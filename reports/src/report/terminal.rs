//! The table of causes for the terminal.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};

use super::around::around;
use super::clean::one_line;
use super::legend::explained;
use super::sentence::{
    also, bracket, edges, limits, number, on_purpose, summary, title, within_limits,
};
use super::uncaused;
use campaign::oracle::Outcome;
use campaign::root_cause::{RootCause, faults_of};
use campaign::{Cause, ClientId, ClientSummary, Run, Standing};

/// The rows of a table that are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// The first five rows, and the number of the others.
    First,
    /// All.
    All,
}

impl Rows {
    /// Returns all rows if `all` is true.
    pub fn of(all: bool) -> Self {
        if all { Self::All } else { Self::First }
    }
}

/// The number of rows with [`Rows::First`].
const FIRST: usize = 5;

/// Formats the causes, at most 80 columns wide, followed by the clients that could not be
/// tested, and a command that looks further around one cause. Empty if there are none.
pub fn table(run: &Run, rows: Rows) -> String {
    let mut lines = causes(run, rows);
    for part in [accepted(run), conventions(run), capabilities(run), notes(run), further(run)] {
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

/// Formats the table, the number of rows that are left out, and a legend.
fn causes(run: &Run, shown: Rows) -> Vec<String> {
    let mut rows = rows(run);
    if rows.is_empty() {
        return Vec::new();
    }
    let more = match shown {
        Rows::First => rows.len().saturating_sub(FIRST),
        Rows::All => 0,
    };
    rows.truncate(rows.len() - more);
    let legend = explained(&rows.iter().map(|row| &*row[3]).collect::<Vec<_>>().join("\n"));
    let mut lines = columns(rows);
    if more > 0 {
        lines.push(format!("and {} more: see the report, or print all with --all", number(more)));
    }
    if !legend.is_empty() {
        lines.push(String::new());
        lines.extend(wrap(&legend, "  "));
    }
    lines
}

/// Formats the cells of each root cause: the number of its first cause in the report, the clients, the outcome, the cause, the
/// number of files.
fn rows(run: &Run) -> Vec<[String; 5]> {
    let folded: BTreeMap<usize, Vec<usize>> = run.folded().into_iter().collect();
    let fault = |root: RootCause<usize>| {
        let place = root.causes[0];
        let (cause, forms) = (&run.causes[place], &folded[&place]);
        let all = root.causes.iter().flat_map(|head| folded[head].iter().chain([head]));
        [
            (place + 1).to_string(),
            some_clients(run, &root.causes),
            cause.outcome.word().to_owned(),
            format!(
                "{}{}{}{}",
                title(cause),
                kind(cause),
                bracket(cause.class),
                also(run, place, forms)
            ),
            number(all.map(|k| run.causes[*k].count).sum()),
        ]
    };
    let unexplained = |(client, places): (ClientId, Vec<usize>)| {
        [
            places.first().map_or(0, |place| place + 1).to_string(),
            one_line(&run.clients[client].name),
            Outcome::Refused.word().to_owned(),
            format!("without a reason: {}", titles(run, &places)),
            number(places.iter().map(|k| run.causes[*k].count).sum()),
        ]
    };
    let refusals = run.grouped(Standing::Unexplained).into_iter().map(unexplained);
    faults_of(run).into_iter().map(fault).chain(refusals).collect()
}

/// Names two clients of the causes with one root cause, and the number of the others.
fn some_clients(run: &Run, causes: &[usize]) -> String {
    const SHOWN: usize = 2;
    let name = |place: &usize| one_line(&run.clients[run.causes[*place].client].name);
    let mut names: Vec<String> = causes.iter().map(name).collect();
    names.dedup();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        1 => names.join(", "),
        more => format!("{shown} and {more} others"),
    }
}

/// Formats the cells in columns.
fn columns(rows: Vec<[String; 5]>) -> Vec<String> {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(80)
        .set_header(["#", "CLIENT", "OUTCOME", "CAUSE", "COUNT"])
        .add_rows(rows);
    for (k, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if k == 4 { 0 } else { 2 }));
    }
    for k in [0, 4] {
        if let Some(numbers) = table.column_mut(k) {
            numbers.set_cell_alignment(CellAlignment::Right);
        }
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

/// Formats the conventions of readers: no bugs.
fn conventions(run: &Run) -> Vec<String> {
    let lines = super::conventions::lines(run);
    let heading = "Conventions of readers, and no bugs:".to_owned();
    let heading = (!lines.is_empty()).then_some(heading);
    heading
        .into_iter()
        .chain(lines.iter().flat_map(|line| wrap(&format!("  {line}"), "    ")))
        .collect()
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

/// Joins the parts of a command into lines of at most 80 characters, unless a part is longer. All lines except the last
/// end with a backslash.
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
    let notes = uncaused::lines(run).into_iter().chain(run.clients.iter().flat_map(noted));
    notes.flat_map(|note| wrap(&note, "  ")).collect()
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
