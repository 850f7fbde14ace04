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

const SURFACE: &str = "struct X { h: u32, w: u32, pitch: u32, d: [u8; pitch * h] }
    struct Y { h: u32, w: u32, d: [[u8; w]; h] }
    fn normalize(x: &X, y: &mut Y) {
        assume(x.pitch >= x.w);
        y.h = x.h;
        y.w = x.w;
        for i in 0..x.h {
            for j in 0..x.w { y.d[i][j] = x.d[i * x.pitch + j]; }
        }
    }
";

#[cfg(feature = "z3")]
#[test]
fn a_spec_is_proved_with_its_invariants_and_refuted_without_its_condition() {
    let folder = folder();
    let path = folder.path().join("spec.rs");
    fs::write(&path, SURFACE).unwrap();
    let ran = repfuzz!("analyze", &path, "--invariants");
    assert!(
        ran.fine().contains("x.d[i*x.pitch + j] is inside: proved (polyhedra)"),
        "{}",
        ran.stdout
    );
    for said in [
        "spec.rs:8:43: x.d[i*x.pitch + j] is inside: proved (polyhedra)",
        "y.d has each element assigned once: proved (inverter)",
        "spec.rs:7:9: for i in 0..x.h {\n    box: i >= 0\n    polyhedra: ",
        "\nproved (box: success, polyhedra: success)\n",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    fs::write(&path, SURFACE.replace("assume(x.pitch >= x.w);", "")).unwrap();
    let ran = repfuzz!("analyze", &path, "--json");
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let stage = &json["stages"][0];
    assert_eq!((&json["verdict"], &stage["name"]), (&"refuted".into(), &"spec".into()));
    let refuted = |o: &&Value| o["verdict"] == "refuted";
    let all = stage["obligations"].as_array().unwrap();
    let [only] = all.iter().filter(refuted).collect::<Vec<_>>()[..] else { panic!("{json}") };
    assert_eq!((&only["kind"], &only["line"]), (&"read".into(), &8.into()), "{json}");
    assert!(only["input"].as_str().unwrap().contains("x.d[0] is outside the array"), "{json}");
}

#[test]
fn specs_that_cannot_be_analysed_are_refused() {
    let folder = folder();
    let path = folder.path().join("spec.rs");
    fs::write(&path, SURFACE).unwrap();
    for (more, why) in [
        (vec!["-I", "."], "-I and -D are for programs in C"),
        (vec!["--entry", "other"], "there is no stage `other`"),
    ] {
        let ran = crate::ran(crate::command().arg("analyze").arg(&path).args(more));
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    fs::write(&path, "fn normalize() {}").unwrap();
    let ran = repfuzz!("analyze", &path);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
}

#[test]
fn programs_without_main_and_files_that_are_not_there_are_refused() {
    let folder = folder();
    let ran = repfuzz!("analyze", write(&folder, "int f(void) { return 1; }\n"));
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("there is no function `main`"), "{}", ran.stderr);
    // The front end's reason comes first.
    let ran = repfuzz!("analyze", write(&folder, "int main(void) { return 1 }\n"));
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let [reason, nothing] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(reason.contains("prog.c:3:27: `}` does not fit here (in `main`)"), "{reason}");
    assert!(nothing.contains("there is no function `main` with a body"), "{nothing}");
    let ran = repfuzz!("analyze", folder.path().join("none.c"));
    assert_eq!(ran.code, 2, "{}", ran.stdout);
}

#[test]
fn programs_without_assertions_differ_from_those_that_reach_none() {
    let folder = folder();
    let ran = repfuzz!("analyze", write(&folder, "int main(void) { return 1; }\n"));
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let nothing = "unknown: there is no assertion in the program (";
    assert!(ran.stdout.starts_with(nothing), "{}", ran.stdout);
    let text = "void f(void) { reach_error(); }\nint main(void) { return 1; }\n";
    let ran = repfuzz!("analyze", write(&folder, text));
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains(": unknown: no call of `f` was reached\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nunknown: no assertion was reached ("), "{}", ran.stdout);
}

#[test]
fn what_only_other_code_calls_is_not_proved() {
    let folder = folder();
    let callback = "#include <stdlib.h>\n\
        static int compare(const void *a, const void *b) { reach_error(); return 0; }\n\
        int main(void) { int a[2] = {1, 2}; qsort(a, 2, sizeof(int), compare); return 0; }\n";
    let destructor = "__attribute__((destructor)) static void last(void) { reach_error(); }\n\
        int main(void) { return 0; }\n";
    let packed = "#pragma omp parallel\n\
        int main(void) { int i = 0; if (i) reach_error(); return 0; }\n";
    for (text, note) in [
        (callback, "gets the address of a function: nothing is called proved"),
        (destructor, "the function runs after `main` is left out: nothing is called proved"),
        (packed, "prog.c:3:1: `#pragma omp` is not understood: nothing is called proved"),
    ] {
        let path = write(&folder, text);
        let ran = repfuzz!("analyze", &path);
        assert_eq!(ran.code, 3, "{}", ran.stdout);
        assert!(ran.stderr.contains(note), "{}", ran.stderr);
        let json: serde_json::Value =
            serde_json::from_str(&repfuzz!("analyze", &path, "--json").stdout).unwrap();
        assert_eq!(json["verdict"], "unknown", "{json}");
    }
}

#[test]
fn a_name_in_parentheses_is_a_function() {
    let folder = folder();
    let text = "static int (f)(int x) { return x + 1; }\n\
        int main(void) { int y = 4; if (f(y) != 5) reach_error(); return 0; }\n";
    repfuzz!("analyze", write(&folder, text)).fine();
}
