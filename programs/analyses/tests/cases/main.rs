//! Traps: programs that fail in every run, one construct each. None is proved. Each has two cases: `fails`, by which it is
//! compiled and run, and `is_not_proved`.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use analyses::protocol::server::Settings;
use analyses::run::{Options, analyse};
use canonical::c::{Options as COptions, read};
use test_support::suite::{self, Suites};

/// Functions of the traps that are no library's.
const VERIFIER: &str = "extern void abort(void);\n\
    __attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) abort(); }\n\
    __attribute__((weak)) void reach_error(void) { abort(); }\n";

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps");
    let traps = suite::files(&folder, "c");
    let mut suites = Suites::default();
    suites.files("fails", &traps, fails);
    suites.files("is_not_proved", &traps, is_not_proved);
    suites.case("are_many", move || assert!(traps.len() >= 200, "{} traps", traps.len()));
    suites.run()
}

/// Returns true if a compiled trap ends by itself without a failure; none if it cannot be compiled.
fn passes(trap: &Path, folder: &Path) -> Option<bool> {
    let (verifier, program) = (folder.join("verifier.c"), folder.join("program"));
    fs::write(&verifier, VERIFIER).expect("a file");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0", "-fpermissive", "-o"]).arg(&program).arg(trap).arg(&verifier);
    let compiled = compiler.args(["-lpthread", "-lm"]).stderr(Stdio::null()).status();
    if !compiled.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut run = Command::new("timeout");
    run.arg("20").arg(&program).current_dir(folder);
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = run.status().expect("the compiled trap");
    // `timeout` reports a signal of the program as 128 and its number.
    Some(status.code().is_some_and(|code| code < 128))
}

/// A trap fails when it is compiled and run.
fn fails(trap: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    match passes(trap, folder.path()) {
        None => test_support::skipped("the system's compiler does not take it"),
        Some(passes) => assert!(!passes, "it does not fail"),
    }
}

fn is_not_proved(trap: &Path) {
    let run = Settings { time: Duration::from_secs(10), ..Settings::default() };
    let options = Options { run, ..Options::default() };
    let program = read(&[trap.to_owned()], &COptions::default());
    // One that cannot be analysed is an error, and no verdict.
    let is_proved = analyse(Arc::new(program), &options).is_ok_and(|analysis| analysis.proved());
    assert!(!is_proved, "it is proved");
}
