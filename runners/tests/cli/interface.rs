//! `interface`: graphs, suites, clients, and libraries that are refused.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{file, folder, installed, repfuzz};

const C: &str = "programs/interfaces/tests/c";
const RULES: &str = "programs/interfaces/tests/libraries";

fn stack() -> std::path::PathBuf {
    file(&format!("{C}/stack.c"))
}

#[test]
fn a_library_in_c_as_json() {
    let ran = repfuzz!("interface", stack(), "--functions", "push,pop", "--json");
    let json: Value = serde_json::from_str(ran.fine()).unwrap();
    assert_eq!(json["regions"], 4, "{json}");
    assert_eq!(json["nodes"].as_array().unwrap().len(), 5, "{json}");
    let pop = |e: &&Value| e["from"] == 0 && e["call"] == "pop";
    let edges = json["edges"].as_array().unwrap();
    let to = edges.iter().find(pop).unwrap()["to"].as_u64().unwrap() as usize;
    assert_eq!(json["nodes"][to]["error"], true, "{json}");
}

#[test]
fn the_paper_mode_differs_from_the_library_and_the_stable_one_does_not() {
    let rules = file(&format!("{RULES}/stack.gu"));
    let paper = repfuzz!("interface", &rules, "--mode", "paper", "--exhaustive", "4");
    assert_eq!(paper.code, 1, "{}", paper.stderr);
    let line = "fails although the graph allows it: push(0) pop() pop()\n";
    assert!(paper.stdout.contains(line), "{}", paper.stdout);
    for mode in ["stable", "learning", "cegar", "direct"] {
        repfuzz!("interface", &rules, "--mode", mode, "--exhaustive", "4").fine();
    }
}

#[test]
fn drawings() {
    let folder = folder();
    let svg = folder.path().join("stack.svg");
    let ran = repfuzz!("interface", stack(), "--functions", "push,pop", "--dot", "--svg", &svg);
    assert!(ran.fine().starts_with("digraph \"stack\" {\n"), "{}", ran.stdout);
    let text = fs::read_to_string(svg).unwrap();
    // The background, four states and the error.
    assert_eq!(text.matches("<rect ").count(), 6, "{text}");
    assert!(text.ends_with("</svg>\n"), "{text}");
}

/// Compiles a suite with an implementation and runs it.
fn run_suite(folder: &Path, implementation: &str) -> i32 {
    let library = folder.join("implementation.c");
    fs::write(&library, implementation).unwrap();
    let program = folder.join("suite");
    let compiled = Command::new("cc")
        .arg(format!("-DIMPLEMENTATION=\"{}\"", library.display()))
        .arg("-o")
        .args([&program, &folder.join("pairs.c")])
        .status()
        .unwrap();
    assert!(compiled.success());
    Command::new(program).status().unwrap().code().unwrap()
}

#[test]
fn suites_notice_a_stack_that_is_too_large() {
    if !installed("cc") {
        return;
    }
    let folder = folder();
    let path = folder.path();
    repfuzz!("interface", stack(), "--functions", "push,pop", "--suite", path).fine();
    let text = fs::read_to_string(stack()).unwrap();
    assert_eq!(run_suite(path, &text), 0);
    assert_eq!(run_suite(path, &text.replace("MAX 3", "MAX 4")), 1);
    assert_eq!(run_suite(path, &text.replace("stack.top == 0", "stack.top == 1")), 1);
    let rust = fs::read_to_string(path.join("edges.rs")).unwrap();
    assert!(rust.contains("fn push(&mut self, sd: i64) -> Result<(), String>;"), "{rust}");
}

#[test]
fn clients_are_checked() {
    let folder = folder();
    let client = folder.path().join("client.c");
    let check = |body: &str| {
        let declared = "void push(int); int pop(void);\n";
        fs::write(&client, format!("{declared}{body}")).unwrap();
        repfuzz!("interface", stack(), "--functions", "push,pop", "--client", &client)
    };
    let fine = check("int main(void) {\n  push(1);\n  push(2);\n  pop();\n  return pop();\n}\n");
    assert!(fine.fine().ends_with("the client reaches no error\n"), "{}", fine.stdout);
    let wrong =
        check("static void f(void) { pop(); }\nint main(void) {\n  push(1);\n  f();\n  f();\n}\n");
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
    let calls: Vec<&str> = wrong.stdout.lines().rev().take(3).collect();
    assert!(calls[0].ends_with("client.c:2:23 pop()"), "{calls:?}");
    assert!(calls[2].ends_with("client.c:4:3 push(1)"), "{calls:?}");
}

#[test]
fn wrong_libraries_are_refused_with_their_place() {
    let folder = folder();
    let path = folder.path().join("bad.gu");
    let error = |text: &str| {
        fs::write(&path, text).unwrap();
        let ran = repfuzz!("interface", &path);
        ran.error().rsplit_once("bad.gu").unwrap().1.to_owned()
    };
    let head = "module M:\n var a : [0..3]; var err : [0..1]; init a = 0 & err = 0;\n";
    for (text, expected) in [
        ("", ":1:1: expected `module`, found the end of the file"),
        ("module M:\n var a : [3..0];\nendmodule", ":2:10: [3..0] is no range of values"),
        (&format!("{head}endmodule"), ":1:1: the library has no functions"),
        (
            &format!("{head} output f {{ b = 1 ==> a' = 1; }}\nendmodule"),
            ":3:13: no variable or constant `b`",
        ),
        (
            &format!("{head} output f {{\n  a < 4 ==> a' = a + 1;\n }}\nendmodule"),
            ":4:3: rule 1 of `f` leaves the range of a variable if a = 3, err = 0",
        ),
        (
            &format!("{head} output f {{ {}1 ==> a' = 1; }}\nendmodule", "(".repeat(9000)),
            ":3:213: this expression is nested too deeply",
        ),
    ] {
        assert_eq!(error(text), expected, "{text:.200}");
    }
    let missing = repfuzz!("interface", folder.path().join("none.c"), "--functions", "f");
    assert!(missing.error().contains("none.c: cannot be read: "), "{}", missing.stderr);
    let bare = repfuzz!("interface", stack());
    assert!(bare.error().ends_with("C needs --functions: the names of those that clients call"));
    let unknown = repfuzz!("interface", stack(), "--functions", "peek");
    assert!(unknown.error().contains("no function `peek`; there are: "), "{}", unknown.stderr);
}

#[test]
fn c_without_a_translation_is_refused_with_its_place() {
    let folder = folder();
    let path = folder.path().join("bad.c");
    let error = |text: &str| {
        fs::write(&path, text).unwrap();
        let ran = repfuzz!("interface", &path, "--functions", "f");
        ran.error().to_owned()
    };
    let pointer = error("struct s { int a; } x, *p = &x;\nvoid f(void) {\n  p->a = 1;\n}\n");
    assert!(pointer.contains("bad.c:3:"), "{pointer}");
    let none = error("this is no C");
    assert!(none.contains("bad.c:1:"), "{none}");
}

#[test]
fn the_time_limit_is_for_all_of_it() {
    let folder = folder();
    let path = folder.path().join("large.c");
    let text = "int err; static unsigned x, y;
        void step(unsigned k) { x = x * 69069u + k; y = y + x % 1000u; }
        void check(void) { if (x % 7919u == y % 7901u) err = 1; }";
    fs::write(&path, text).unwrap();
    for mode in ["stable", "paper"] {
        let start = std::time::Instant::now();
        let functions = "--functions=step,check";
        let ran = repfuzz!("interface", &path, functions, "--mode", mode, "--time", "2");
        let error = ran.error().to_owned();
        assert!(start.elapsed().as_secs() < 10, "{mode}: {:?}", start.elapsed());
        assert!(error.contains("large.c: the time limit of 2 s passed while "), "{error}");
        assert!(error.ends_with("; --time gives more") && ran.stdout.is_empty(), "{error}");
    }
    // The limit holds for sequences that run as well.
    let endless = "static int n; void f(void) { n++; if (n > 3) for (;;) ; }";
    fs::write(&path, endless).unwrap();
    let ran = repfuzz!("interface", &path, "--functions", "f", "--exhaustive", "4", "--time", "3");
    assert!(ran.error().contains("while the sequences of at most 4 calls were run"));
}

#[test]
fn clients_that_are_called_back_are_not_said_to_reach_no_error() {
    let folder = folder();
    let client = folder.path().join("client.c");
    let text = "void push(int); int pop(void); void later(void (*)(void));
static void f(void) { pop(); }
int main(void) {
  later(f);
  return 0;
}
";
    fs::write(&client, text).unwrap();
    let ran = repfuzz!("interface", stack(), "--functions", "push,pop", "--client", &client);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(!ran.stdout.contains("the client reaches no error"), "{}", ran.stdout);
    assert!(ran.stderr.contains("may call `f`, given to `later` ("), "{}", ran.stderr);
    assert!(ran.stderr.contains("client.c:4:3)"), "{}", ran.stderr);
    let ran =
        repfuzz!("interface", stack(), "--functions", "push,pop", "--client", &client, "--json");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["client"]["can_fail"], Value::Null, "{json}");
    assert_eq!(json["client"]["not_followed"][0]["function"], "f", "{json}");
}
