//! Traps: programs that fail in every run, one construct each. None is proved.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use analyses::protocol::server::Settings;
use analyses::run::{Options, analyse};
use canonical::c::{Options as COptions, read};

/// Functions of the traps that are no library's.
const VERIFIER: &str = "extern void abort(void);\n\
    __attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) abort(); }\n\
    __attribute__((weak)) void reach_error(void) { abort(); }\n";

fn traps() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps");
    let files = fs::read_dir(&folder).expect("the folder of traps");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a trap").path()).collect();
    files.sort();
    assert!(files.len() >= 200, "{} traps", files.len());
    files
}

/// True if a compiled trap ends by itself without a failure; none if it cannot be compiled.
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

#[test]
fn each_trap_fails_when_it_is_compiled_and_run() {
    let folder = std::env::temp_dir().join(format!("repfuzz-traps-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut wrong = Vec::new();
    for trap in traps() {
        let name = trap.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match passes(&trap, &folder) {
            None => println!("SKIPPED: the system's compiler does not take {name}"),
            Some(true) => wrong.push(name),
            Some(false) => {}
        }
    }
    fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(wrong.is_empty(), "these do not fail: {}", wrong.join(", "));
}

#[test]
fn no_trap_is_proved() {
    let run = Settings { time: Duration::from_secs(10), ..Settings::default() };
    let options = Options { run, ..Options::default() };
    let mut proved = Vec::new();
    for trap in traps() {
        let program = Arc::new(read(std::slice::from_ref(&trap), &COptions::default()));
        // One that cannot be analysed is an error, and no verdict.
        if analyse(program, &options).is_ok_and(|analysis| analysis.proved()) {
            proved.push(trap.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    assert!(proved.is_empty(), "proved: {}", proved.join(", "));
}
