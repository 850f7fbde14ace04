//! The result as text for a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use inverter::solve::Choices;

use super::driver::Kind;
use super::result::{CallsRun, Cause};

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
    out.push_str(&causes(&run.causes));
    if run.drivers.iter().all(|driver| driver.run == 0) {
        out.push_str("no sequence was run\n");
    } else if !run.found() {
        out.push_str(match run.gaps().is_empty() {
            true => "each sequence reads as in the plain order\n",
            false => "each sequence that was run reads as in the plain order\n",
        });
    }
    out
}

/// The numbered causes, each with other differences that are the same fault.
pub fn causes(causes: &[Cause]) -> String {
    let seeds: BTreeSet<&str> = causes.iter().map(|cause| cause.seed.as_str()).collect();
    let mut out = String::new();
    for (number, cause) in causes.iter().enumerate() {
        let _ = writeln!(out, "{}. {} {}", number + 1, cause.driver, cause.heading());
        let _ = writeln!(out, "   {}", cause.any.join(" "));
        let seed = if seeds.len() > 1 { format!(" of {}", cause.seed) } else { String::new() };
        let _ = writeln!(
            out,
            "   on {}{seed}; seen in {} sequences on {} files",
            choices(&cause.choices),
            cause.explains,
            cause.files
        );
        let why = reports::report::one_line(&cause.why);
        match (cause.shown_by.as_str(), why.as_str()) {
            ("", "") => {}
            ("", why) => {
                let _ = writeln!(out, "   {why}");
            }
            (file, "") => {
                let _ = writeln!(out, "   shown by {file}");
            }
            (file, why) => {
                let _ = writeln!(out, "   shown by {file}: {why}");
            }
        }
        if let Some(like) = cause.like {
            let _ = writeln!(out, "   fails where {like}. does, with the same words");
        }
        if let Some(other) = cause.not_compared {
            let _ = writeln!(
                out,
                "   may be the same fault as {other}.: not compared, the time was over"
            );
        }
        if cause.unfinished {
            let _ = writeln!(out, "   may not be the shortest: the time was over");
        }
        for evidence in &cause.evidence {
            let driver = match evidence.driver == cause.driver {
                true => String::new(),
                false => format!("{}: ", evidence.driver),
            };
            let seed = match evidence.seed == cause.seed {
                true => String::new(),
                false => format!(" of {}", evidence.seed),
            };
            let _ = writeln!(
                out,
                "   also ({}) {driver}{} on {}{seed}",
                evidence.sure.word(),
                evidence.calls.join(" "),
                choices(&evidence.choices)
            );
        }
    }
    out
}

/// Choices in one line.
pub(super) fn choices(choices: &Choices) -> String {
    let words: Vec<String> = choices
        .iter()
        .map(|(dimension, value)| {
            format!("{dimension} = {}", serde_json::to_string(value).unwrap_or_default())
        })
        .collect();
    if words.is_empty() { "the seed".to_owned() } else { words.join(", ") }
}
