//! `program`: C files as control-flow graphs.

use std::fs;

use serde_json::Value;

use crate::{folder, repfuzz};

const PROGRAM: &str = "int zip(int x) { return x; }\nint unzip(int x) { return -x; }\n\
    static int (*work)(int) = zip;\n#define get(x) (x + 1)\n\
    int main(int argc, char **argv) {\n  if (argc > 1) work = unzip;\n  return work(get(argc));\n}\n";

#[test]
fn functions_are_listed_with_the_targets_of_pointers() {
    let folder = folder();
    let file = folder.path().join("a.c");
    fs::write(&file, PROGRAM).unwrap();
    let run = repfuzz!("program", &file);
    let main = run.fine().lines().find(|line| line.contains("main")).unwrap().to_owned();
    assert!(main.contains("a.c:5:5") && main.contains("zip|unzip"), "{main}");
    assert!(!main.contains('?'), "{main}");
}

#[test]
fn graphs_are_printed_as_dot_and_json() {
    let folder = folder();
    let file = folder.path().join("a.c");
    fs::write(&file, PROGRAM).unwrap();
    let dot = repfuzz!("program", &file, "--dot");
    assert!(dot.fine().starts_with("digraph program {") && dot.stdout.contains("[argc > 1]"));
    let json = repfuzz!("program", &file, "--json", "--calls", "get");
    let program: Value = serde_json::from_str(json.fine()).unwrap();
    let functions = program["functions"].as_array().unwrap();
    let main = functions.iter().find(|f| f["name"] == "main").unwrap();
    assert!(main["body"]["edges"].as_array().unwrap().len() >= 4, "{main}");
    // The macro is a call.
    assert!(functions.iter().any(|f| f["name"] == "get" && f["body"].is_null()));
    assert_eq!(repfuzz!("program", &file, "--json", "--calls", "get").stdout, json.stdout);
}

#[test]
fn what_is_not_understood_is_a_note_with_its_place() {
    let folder = folder();
    let file = folder.path().join("a.c");
    fs::write(&file, "int f(int x) {\n  return x ?: 1; }\nint g(void) { return 1; }\n").unwrap();
    let run = repfuzz!("program", &file);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("a.c:2:13: `:` does not fit here (in `f`)"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
    fs::write(&file, "int x;\nint f(int x) {\n  return x ?: 1; }\n").unwrap();
    let run = repfuzz!("program", &file);
    assert_eq!(run.code, 1);
    let last = run.stderr.lines().last().unwrap();
    assert!(
        last.ends_with("no function was understood: the notes above say why"),
        "{}",
        run.stderr
    );
    fs::write(&file, "#include <no/such/file.h>\n").unwrap();
    assert!(repfuzz!("program", &file).error().contains("a.c:1:1: no/such/file.h"));
    let missing = folder.path().join("missing.c");
    assert!(repfuzz!("program", &missing).error().contains("cannot read the file"));
}
