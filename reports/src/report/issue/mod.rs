//! A cause as the text of an issue, in Markdown, for the client's issue tracker.

mod dump;
mod markdown;
mod outcome;
mod steps;
mod title;
mod values;

pub use dump::base64_lines;
pub use title::title;

use tiff_harness::meaning::in_tags;

use self::markdown::{code, fenced, text as text_of};
use super::choices::meant;
use super::clean::{clean, cut};
use super::example::Example;
use super::exported::offered::ExportedTest;
use super::parts::named;
use super::sentence::runs;
use super::site::{Site, base_name, extension};
use campaign::oracle::Outcome;
use campaign::{Cause, ClientSummary, Depth, Run, short};
use equivalents::subject::Class;

/// Returns the text of an issue on the cause at `place`: the expected result, the actual result, and steps to reproduce
/// it without repfuzz, including its test.
pub fn issue(
    site: &Site<'_>,
    place: usize,
    example: &Example<'_>,
    test: Option<&ExportedTest>,
) -> String {
    let run = site.run;
    let (cause, names) = (&run.causes[place], &site.causes[place]);
    let client = &run.clients[cause.client];
    let format = format_of(run);
    let heading = title(cause, example, &format);
    let parts = [
        format!("# {}\n\n{}", text_of(&heading), opening(cause, client, example, &format)),
        differences(run, cause, example),
        steps::steps(site, place, example),
        format!("## Expected result\n\n{}", outcome::expected(cause, names, example)),
        format!("## Actual result\n\n{}", outcome::actual(cause, example)),
        dump::content(base_name(&names.file), example.file),
        self::test(test),
        format!("## Version\n\n{}", version(client)),
        "Found with repfuzz, which makes equivalent files and compares the results that a program \
         produces for them."
            .to_owned(),
    ];
    let mut text = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n\n");
    text.push('\n');
    text
}

/// Returns the name of the format of the files of `run`, based on their extension: `TIFF`.
pub fn format_of(run: &Run) -> String {
    match extension(&run.about.seed_file).to_ascii_uppercase().as_str() {
        "TIF" => "TIFF".to_owned(),
        other => other.to_owned(),
    }
}

/// Renders the section about the test, folded; empty if there is none.
fn test(test: Option<&ExportedTest>) -> String {
    let Some(ExportedTest { framework, text, command }) = test else { return String::new() };
    format!(
        "## Test\n\n<details><summary>For {framework}; it fails with the version below.</summary>\n\n{}\n\n\
         Run it by:\n\n{}\n\n</details>",
        fenced("", &clean(text)),
        fenced("sh", command)
    )
}

/// The version that was run, and its package.
fn version(client: &ClientSummary) -> String {
    let program = text_of(&named(client));
    match text_of(&client.facts.package).as_str() {
        "" => program,
        package => format!("{program}, from {package}"),
    }
}

fn opening(cause: &Cause, client: &ClientSummary, example: &Example<'_>, format: &str) -> String {
    let steady = match (cause.depth, cause.runs.is_empty()) {
        (Depth::Flaky, true) => "This does not happen every time. ".to_owned(),
        (Depth::Flaky, false) => format!("This does not happen every time: {}. ", runs(cause)),
        _ => String::new(),
    };
    let name = text_of(&client.name);
    match example.is_single() {
        true => format!(
            "{steady}Here is a valid {format} file. {name} {}. {}",
            does(cause, "it"),
            demand(cause, "It is a baseline file")
        ),
        false => format!(
            "{steady}Here are two {format} files with the same picture. {name} {}. {}",
            match cause.outcome {
                Outcome::Refused => {
                    "reads one of them, but reports an error for the other".to_owned()
                }
                _ => does(cause, "one of them"),
            },
            demand(cause, "Both are baseline files")
        ),
    }
}

fn does(cause: &Cause, file: &str) -> String {
    match cause.outcome {
        Outcome::Wrong => {
            format!("decodes {file} to a different picture, without reporting an error")
        }
        Outcome::Crash => format!("crashes on {file}"),
        Outcome::Hang => format!("does not finish within its time limit on {file}"),
        Outcome::Resource => format!("needs far more memory, disk or output for {file}"),
        Outcome::Extra(read) => format!("reads {file} {}", read.words().does),
        Outcome::Memory => {
            format!("reads {file} correctly, but needs far more memory for it than for others")
        }
        Outcome::Slow => {
            format!("reads {file} correctly, but needs far more time for it than for others")
        }
        Outcome::Refused => format!("reports an error for {file}"),
        Outcome::Same => format!("reads {file} correctly"),
    }
}

fn demand(cause: &Cause, baseline: &str) -> String {
    match (cause.class, cause.outcome) {
        (Class::Baseline, _) => format!("{baseline}, which every reader should support."),
        (Class::Extension, Outcome::Refused) => {
            "The file uses an extension that readers need not support; feel free to close this \
             if the behaviour is intended."
                .to_owned()
        }
        (Class::Extension, _) => {
            "The file uses an extension that readers need not support; a clear error would also \
             be fine."
                .to_owned()
        }
        (Class::Questionable, Outcome::Refused) => {
            "It is unclear whether such a file is legal, but they occur in practice; feel free \
             to close this if the behaviour is intended."
                .to_owned()
        }
        (Class::Questionable, _) => {
            "It is unclear whether such a file is legal, but they occur in practice; a clear \
             error would also be fine."
                .to_owned()
        }
    }
}

fn differences(run: &Run, cause: &Cause, example: &Example<'_>) -> String {
    if example.choices.is_empty() {
        return String::new();
    }
    let mut text = "## Differences between the files\n".to_owned();
    let is_tiff = tiff_harness::container::read(example.file).is_ok();
    for (dimension, value) in example.choices.iter() {
        let plain = |value| format!("{dimension} = {}", short(value, 60));
        let own = run.base_of(cause.client).1.get(dimension);
        let tags = own.and_then(|own| Some((in_tags(dimension, value)?, in_tags(dimension, own)?)));
        let (here, own) = match tags.filter(|_| is_tiff) {
            Some(tags) => tags,
            None => (plain(value), own.map_or("none".to_owned(), |own| short(own, 60))),
        };
        let meant = meant(dimension, value);
        let gap = if meant.is_empty() { "" } else { ". " };
        text.push_str(&format!("\n- {} instead of {}{gap}{meant}", code(&here), code(&own)));
    }
    if cause.dimensions.len() > 1 {
        text.push_str("\n\nIt only happens with all of these together.");
    }
    let list = |values: &[String]| text_of(&cut(&values.join(", "), 300));
    if cause.values.len() > 1 {
        text.push_str(&format!("\n\nIt happens with {}.", list(&cause.values)));
    }
    if !cause.fine.is_empty() {
        text.push_str(&format!("\n\nIt does not happen with {}.", list(&cause.fine)));
    }
    text
}
