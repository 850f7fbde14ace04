//! `analyze`: exit codes, inputs that refute, invariants, programs that are refused.

use std::fs;

#[cfg(feature = "z3")]
use serde_json::Value;

use crate::{folder, repfuzz};

const HEADER: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n";

fn write(folder: &tempfile::TempDir, text: &str) -> std::path::PathBuf {
    let path = folder.path().join("prog.c");
    fs::write(&path, format!("{HEADER}{text}")).unwrap();
    path
}

#[test]
fn a_program_is_proved() {
    let folder = folder();
    let text =
        "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); return 0; }\n";
    let svg = folder.path().join("drawing.svg");
    let ran = repfuzz!("analyze", write(&folder, text), "--invariants", "--svg", &svg);
    let drawing = fs::read_to_string(svg).unwrap();
    assert!(drawing.contains("box asks for i") && drawing.ends_with("</svg>\n"), "{drawing}");
    assert!(ran.fine().contains("prog.c:3:"), "{}", ran.stdout);
    assert!(ran.stdout.contains(": box: i >= 0 and i <= 10\n"), "{}", ran.stdout);
}

#[cfg(feature = "z3")]
#[test]
fn a_program_is_refuted_by_inputs() {
    let folder = folder();
    let text = "int main(void) { if (__VERIFIER_nondet_int() == 4321) reach_error(); return 0; }\n";
    let path = write(&folder, text);
    let ran = repfuzz!("analyze", &path, "--json");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["verdict"], "refuted", "{json}");
    assert_eq!(json["assertions"][0]["inputs"][0], 4321, "{json}");
    assert_eq!(json["assertions"][0]["line"], 3, "{json}");
    // Intervals alone cannot tell.
    let ran = repfuzz!("analyze", &path, "--clients", "box", "--isolated");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stdout.ends_with("unknown (box: success)\n"), "{}", ran.stdout);
}

#[test]
fn programs_without_main_and_files_that_are_not_there_are_refused() {
    let folder = folder();
    let ran = repfuzz!("analyze", write(&folder, "int f(void) { return 1; }\n"));
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("there is no function `main`"), "{}", ran.stderr);
    let ran = repfuzz!("analyze", folder.path().join("none.c"));
    assert_eq!(ran.code, 2, "{}", ran.stdout);
}
