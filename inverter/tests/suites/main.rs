//! Suites of specs: each spec is a case with a name, as `programs::ramp`.
//!
//! | suite | its specs, below `tests` | what is tested |
//! |---|---|---|
//! | `programs` | `programs` | the inverse, as printed; it is sound, and complete if it is marked so |
//! | `refused` | `refused` | the diagnostic |
//! | `layouts` | `file_layouts` | nearly every draw of a file is made, and is read back |
//! | `walks` | `walks` | the same of programs with walks, whose choices make the same file again |
//! | `structures` | `structures` | the same of records, some of which are large |
//! | `varied` | `varied` | each element that may vary does, however many there are |
//! | `even` | `even` | representations that are few are drawn about as often as each other |
//! | `never_proved` | `never_proved` | `check` has an objection |
//! | `honest` | `programs` and `structures` | `check` has no wrong objection |
//! | `uses`, `views` | `uses/refused.txt` and `views/refused.txt` | the diagnostic of each mistake |
//!
//! Cases whose names end in `::full` make more draws; they run with `--ignored`.

mod draws;
mod even;
mod layouts;
mod never_proved;
mod notes;
mod programs;
mod refused;
mod structures;
#[path = "../it/support/mod.rs"]
mod support;
mod uses;
mod varied;
mod views;
mod walks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use test_support::suite::{self, Suites};

/// The specs of a folder beside this one.
fn specs(folder: &str) -> Vec<PathBuf> {
    suite::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder), "rs")
}

/// The name and text of a spec.
fn read(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    (name, std::fs::read_to_string(path).unwrap())
}

/// The name and text of each `=== NAME` in a file.
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("=== ").skip(1).map(|section| section.split_once('\n').unwrap())
}

/// The name of a case, as a name of a test and a file.
fn identifier(name: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(word).collect()
}

fn main() -> ExitCode {
    let mut suites = Suites::default();
    programs::add(&mut suites);
    refused::add(&mut suites);
    layouts::add(&mut suites);
    walks::add(&mut suites);
    structures::add(&mut suites);
    even::add(&mut suites);
    varied::add(&mut suites);
    never_proved::add(&mut suites);
    uses::add(&mut suites);
    views::add(&mut suites);
    suites.run()
}
