//! libFuzzer with the custom mutator finds the fault of the decoder.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "slow: it builds with a nightly compiler, and libFuzzer runs until it finds the fault"]
fn libfuzzer_finds_the_fault() {
    let runs = |words: &[&str]| {
        Command::new("cargo").args(words).output().is_ok_and(|output| output.status.success())
    };
    if !runs(&["+nightly", "--version"]) || !runs(&["fuzz", "--version"]) {
        return test_support::skipped("no nightly compiler, or no cargo-fuzz");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/run.sh");
    let run = Command::new(script).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success(), "nothing was found: {said}");
    let found = "a file that means the same is decoded differently; it differs in {";
    let line = said.lines().find(|line| line.contains(found)).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains(r#""pixels gap":"#), "{line}");
}
