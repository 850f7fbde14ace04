//! libz3 in a process: loaded when it is needed, and one line where there is none. Each case is a process of its own.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use std::process::{Command, Output};

use z3_loader::ast::Int;
use z3_loader::{SatResult, Solver, VARIABLE, load, with_own_context};

/// Set in the processes of cases.
const CASE: &str = "Z3_LOADER_CASE";

/// Runs a test of this file as a case.
fn case(name: &str, library: Option<&str>) -> Output {
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", name, "--nocapture"]).env(CASE, "1").env_remove(VARIABLE);
    library.map(|library| test.env(VARIABLE, library));
    test.output().unwrap()
}

fn is_case() -> bool {
    std::env::var_os(CASE).is_some()
}

fn passed(output: &Output) -> bool {
    output.status.success() && String::from_utf8_lossy(&output.stdout).contains("1 passed")
}

/// Returns true if a file named libz3 is mapped into this process.
fn is_mapped() -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap().contains("/libz3.so")
}

/// The solution of an equation of two unknowns.
fn solved() -> Option<(i64, i64)> {
    let (solver, x, y) = (Solver::new(), Int::new_const("x"), Int::new_const("y"));
    solver.assert(Int::mul(&[&x, &y]).eq(391));
    solver.assert(x.gt(1));
    solver.assert(x.lt(&y));
    assert_eq!(solver.check(), SatResult::Sat);
    let model = solver.get_model()?;
    Some((model.eval(&x, true)?.as_i64()?, model.eval(&y, true)?.as_i64()?))
}

#[test]
fn libz3_is_loaded_when_it_is_needed() {
    if !is_case() {
        let output = case("libz3_is_loaded_when_it_is_needed", None);
        assert!(passed(&output), "{output:?}");
        return;
    }
    assert!(!is_mapped());
    assert_eq!(with_own_context(solved), Ok(Some((17, 23))));
    assert!(is_mapped());
    let loaded = load().unwrap();
    assert!(loaded.version.split('.').count() >= 3, "{loaded:?}");
}

#[test]
fn without_libz3_there_is_one_line() {
    if !is_case() {
        let output = case("without_libz3_there_is_one_line", Some("/absent/libz3.so"));
        assert!(passed(&output), "{output:?}");
        return;
    }
    let why = with_own_context(solved).unwrap_err().to_string();
    assert!(why.starts_with("this needs Z3, and Z3_LIBRARY does not name a libz3"), "{why}");
    assert!(why.contains("/absent/libz3.so") && !why.contains('\n'), "{why}");
}

#[test]
fn another_library_is_no_libz3() {
    if !is_case() {
        let output = case("another_library_is_no_libz3", Some("libc.so.6"));
        assert!(passed(&output), "{output:?}");
        return;
    }
    let why = load().unwrap_err().to_string();
    assert!(why.contains("libc.so.6 is no libz3"), "{why}");
}

/// Work outside `with_own_context` cannot be refused: it ends the process.
#[test]
fn a_call_without_libz3_ends_the_process_with_one_line() {
    if is_case() {
        load().unwrap_err();
        solved();
        return;
    }
    let name = "a_call_without_libz3_ends_the_process_with_one_line";
    let output = case(name, Some("/absent/libz3.so"));
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.starts_with("error: this needs Z3, and "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
