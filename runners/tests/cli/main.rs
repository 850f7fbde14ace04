//! The command line: output, exit codes, and reactions to wrong input of each subcommand.

mod accept;
mod analyze;
mod analyze_nats;
mod cache;
mod calls;
mod calls_merged;
mod campaign_report;
mod check;
mod check_shipped;
mod choosing;
mod clients;
mod conform;
mod costs;
mod demo;
mod edges;
mod examples;
mod export;
mod exported;
mod extra;
#[path = "../../../reports/tests/it/fake/mod.rs"]
mod fake;
mod format;
mod fuzz;
mod interface;
mod invert;
mod language;
mod limited_viewer;
mod manual;
mod nightly;
mod nightly_again;
mod nightly_changes;
mod nightly_coverage;
mod nightly_formats;
mod nightly_parts;
mod pages;

mod pictures;
mod program;
mod project;
mod readme;
mod reduce;
mod replay;
#[path = "../../../reports/tests/it/pages/mod.rs"]
mod report_pages;
mod resume;
mod size;
mod small_specs;
mod spec;
mod store;
mod tagged_viewer;
mod tutorial;
mod variants;
#[cfg(feature = "z3")]
mod without_z3;
mod wrong_input;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use test_support::{installed, skipped};

/// A finished run of the program.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    /// The one line on standard error, without `error: `. Anything else fails the test.
    fn error(&self) -> &str {
        let line = self.stderr.strip_suffix('\n').unwrap_or("");
        let error = line.strip_prefix("error: ").filter(|rest| !rest.is_empty());
        assert!(error.is_some() && !line.contains('\n'), "not one line: {:?}", self.stderr);
        assert!(!line.contains("panicked"), "{line}");
        assert_eq!(self.code, 2, "{line}");
        assert_eq!(self.stdout, "", "{line}");
        error.unwrap()
    }

    /// Standard output of a run without messages.
    fn fine(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        &self.stdout
    }
}

fn command() -> Command {
    Command::from_std(program())
}

/// The program as a command that can be spawned.
fn program() -> std::process::Command {
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    program.env("COLUMNS", "80").env("NO_COLOR", "1");
    program
}

fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().expect("no signal ends it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs repfuzz with these arguments, which may be paths.
macro_rules! repfuzz {
    ($($word:expr),* $(,)?) => {
        crate::ran(crate::command()$(.arg($word))*)
    };
}
pub(crate) use repfuzz;

/// A file of the project.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}

fn seed(name: &str) -> PathBuf {
    file("corpus/seeds").join(name)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}
