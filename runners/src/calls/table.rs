//! The result as text for a terminal.

use std::fmt::Write as _;

use super::driver::Kind;
use super::result::CallsRun;

/// The result as a table, and the causes.
pub fn table(run: &CallsRun) -> String {
    let mut out = format!(
        "{}: {} nodes, {} edges; {} sequences on {} files\n",
        run.model, run.nodes, run.edges, run.sequences, run.files
    );
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(
        ["driver", "version", "sequences", "unread files"]
            .into_iter()
            .chain(Kind::ALL.map(Kind::word)),
    );
    for driver in &run.drivers {
        let words = [driver.name.clone(), driver.version.clone()].into_iter();
        table.add_row(words.chain(driver.counts().iter().map(ToString::to_string)));
    }
    let _ = writeln!(out, "{table}");
    for gap in run.gaps() {
        let _ = writeln!(out, "{gap}");
    }
    for (number, cause) in run.causes.iter().enumerate() {
        let _ = writeln!(
            out,
            "{}. {} {}: {}",
            number + 1,
            cause.driver,
            cause.kind.word(),
            cause.calls.join(" ")
        );
        let choices: Vec<String> = cause
            .choices
            .iter()
            .map(|(dimension, value)| {
                format!("{dimension} = {}", serde_json::to_string(value).unwrap_or_default())
            })
            .collect();
        let on = if choices.is_empty() { "the seed".to_owned() } else { choices.join(", ") };
        let _ = writeln!(
            out,
            "   on {on}; seen in {} sequences on {} files",
            cause.explains, cause.files
        );
        if !cause.why.is_empty() {
            let _ = writeln!(out, "   {}", crate::report::one_line(&cause.why));
        }
    }
    if !run.found() {
        out.push_str(match run.gaps().is_empty() {
            true => "each sequence reads as in the plain order\n",
            false => "each sequence that was run reads as in the plain order\n",
        });
    }
    out
}
