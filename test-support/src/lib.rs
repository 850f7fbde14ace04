//! Helpers of the tests of all crates: a test reports here that it had nothing to try, and [`suite`] makes tests of data.
//!
//! A test that needs a program which is not installed passes without having tried anything. It must not do so
//! silently: it calls [`skipped`], whose lines `cargo xtask skipped` compares with `.ci/skipped`, so that
//! continuous integration fails when a test that used to run no longer does.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

pub mod suite;

/// The directories of programs for administrators, which the `PATH` of a user may lack.
const SBIN: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// Prints `SKIPPED PACKAGE TARGET TEST: REASON` past the capture of the test harness. TARGET is the file of the test
/// executable without its hash, and TEST the path of the running test.
pub fn skipped(reason: impl Display) {
    let thread = std::thread::current();
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "?".to_owned());
    let test = thread.name().unwrap_or("?");
    let line = format!("SKIPPED {package} {} {test}: {reason}\n", target());
    // `eprintln!` is captured. One call writes the line whole, also beside other threads.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Returns true if `program` is in `PATH` or a directory of programs for administrators. Otherwise the running
/// test is reported as skipped.
pub fn installed(program: &str) -> bool {
    let there = find(program).is_some();
    if !there {
        skipped(format_args!("no {program}"));
    }
    there
}

/// Returns the path of an installed program.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SBIN.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The name of the running test executable without cargo's hash.
fn target() -> String {
    let program = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let stem = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name.to_owned(),
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_where_they_are() {
        assert!(find("sh").is_some());
        assert_eq!(find("no-such-program"), None);
    }

    #[test]
    fn targets_have_no_hash() {
        assert_eq!(target(), "test_support");
    }
}
