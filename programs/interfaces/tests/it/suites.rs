//! Test suites as C and as Rust compile, and notice implementations that differ.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use interfaces::c::{ErrorKind, Options, Translated, read};
use interfaces::graph::Graph;
use interfaces::suite::{Coverage, c_suite, rust_suite, sequences};
use interfaces::synthesis::{Mode, synthesize};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

fn of(name: &str, functions: &str, error: ErrorKind) -> (Translated, Graph) {
    let options = Options {
        functions: functions.split(',').map(str::to_owned).collect(),
        error,
        stack: 8,
        front_end: canonical::c::Options::default(),
    };
    let translated = read(file(name), &options).unwrap_or_else(|e| panic!("{e}"));
    let graph = synthesize(translated.library.clone(), Mode::Stable, None).unwrap();
    (translated, graph)
}

/// Compiles a program and runs it; returns its exit code and its output.
fn run(compiler: &mut Command, folder: &Path) -> (i32, String) {
    let program = folder.join("program");
    let compiled = compiler.arg("-o").arg(&program).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(program).output().unwrap();
    (ran.status.code().unwrap(), String::from_utf8(ran.stdout).unwrap())
}

fn run_c(suite: &str, implementation: &str) -> (i32, String) {
    run_c_with(&["-w"], suite, implementation)
}

fn run_c_with(arguments: &[&str], suite: &str, implementation: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let (file, library) = (folder.path().join("suite.c"), folder.path().join("library.c"));
    fs::write(&file, suite).unwrap();
    fs::write(&library, implementation).unwrap();
    let included = format!("-DIMPLEMENTATION=\"{}\"", library.display());
    run(Command::new("cc").args(arguments).arg(included).arg(file), folder.path())
}

#[test]
fn suites_in_c_agree_with_the_library_that_they_are_of() {
    for (name, functions, error, from, to) in [
        ("stack.c", "push,pop", ErrorKind::Err, "MAX 3", "MAX 4"),
        (
            "decoder.c",
            "decoder_start,decoder_feed,decoder_row,decoder_finish",
            ErrorKind::Err,
            "need = 2",
            "need = 1",
        ),
        ("allocator.c", "block_alloc,block_free", ErrorKind::Exit, "BLOCKS 3", "BLOCKS 2"),
        (
            "cursor.c",
            "db_connect,db_begin,db_query,db_fetch,db_column,db_commit,db_close",
            ErrorKind::Exit,
            "d->row < 2",
            "d->row < 1",
        ),
    ] {
        let (t, graph) = of(name, functions, error);
        let all = sequences(&graph, Coverage::Pairs);
        let suite = c_suite(&graph, &all, &t.functions, t.error());
        let text = fs::read_to_string(file(name)).unwrap();
        let (code, said) = run_c(&suite, &text);
        assert_eq!((code, said), (0, format!("0 of {} sequences differ\n", all.len())), "{name}");
        assert!(text.contains(from), "{name}");
        let (code, said) = run_c(&suite, &text.replace(from, to));
        assert_eq!(code, 1, "{name}: {said}");
        assert!(said.starts_with("sequence "), "{name}: {said}");
    }
}

/// The graph of a library in a text.
fn of_text(text: &str, functions: &str) -> (Translated, Graph) {
    let options = Options {
        functions: functions.split(',').map(str::to_owned).collect(),
        error: ErrorKind::Exit,
        stack: 8,
        front_end: canonical::c::Options::default(),
    };
    let program = canonical::c::read_text("library.c", text, &options.front_end);
    let translated = interfaces::c::translate("library", &program, &options).unwrap();
    let graph = synthesize(translated.library.clone(), Mode::Stable, None).unwrap();
    (translated, graph)
}

/// Codes that a suite could take for its own.
#[test]
fn exit_codes_of_the_library_are_not_those_of_the_suite() {
    let text = |code: i32, most: i32| {
        format!(
            "#include <stdlib.h>\nstatic int n;
             void up(void) {{ if (++n == {most}) exit({code}); }}
             void down(void) {{ if (n-- == 0) exit({code}); }}"
        )
    };
    let (t, graph) = of_text(&text(1, 3), "up,down");
    let all = sequences(&graph, Coverage::Pairs);
    let suite = c_suite(&graph, &all, &t.functions, t.error());
    for code in [0, 1, 2, 3, 100, 101, 102] {
        let (found, said) = run_c(&suite, &text(code, 3));
        assert_eq!((found, said), (0, format!("0 of {} sequences differ\n", all.len())), "{code}");
        for most in [2, 4] {
            let (found, said) = run_c(&suite, &text(code, most));
            assert_eq!(found, 1, "{code}: {said}");
        }
    }
}

/// An index out of range fails with the options that the suite names; without them, it says so.
#[test]
fn a_suite_names_the_options_that_make_indices_fail() {
    let text = "static int a[2]; static volatile int n; void next(void) { if (n < 3) n++; }
        int get(void) { return a[n]; }";
    let (t, graph) = of_text(text, "next,get");
    let suite = c_suite(&graph, &sequences(&graph, Coverage::Edges), &t.functions, t.error());
    let line = suite.lines().find(|l| l.contains(" cc -fwrapv")).unwrap();
    let mut options: Vec<&str> = line.split_whitespace().filter(|o| o.starts_with('-')).collect();
    let (code, said) = run_c_with(&["-w"], &suite, text);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("an index out of range does not stop this program"), "{said}");
    options.push("-w");
    let (code, said) = run_c_with(&options, &suite, text);
    assert_eq!(code, 0, "{said}");
}

/// A stack in Rust under the suite's trait, of `MOST` numbers.
const STACK: &str = "
struct Stack(Vec<i64>);
impl suite::Library for Stack {
    fn push(&mut self, n: i64) -> Result<(), String> {
        if self.0.len() == MOST { return Err(\"full\".to_owned()); }
        self.0.push(n);
        Ok(())
    }
    fn pop(&mut self) -> Result<(), String> {
        self.0.pop().map(|_| ()).ok_or_else(|| \"empty\".to_owned())
    }
}
fn main() {
    let wrong = suite::run(|| Stack(Vec::new()));
    wrong.iter().for_each(|w| println!(\"{w}\"));
    std::process::exit(i32::from(!wrong.is_empty()));
}
";

/// Runs a suite as a part of a module, by `include!`.
fn run_rust(suite: &str, most: usize) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.rs");
    fs::write(folder.path().join("suite.rs"), suite).unwrap();
    fs::write(
        &main,
        format!("mod suite {{ include!(\"suite.rs\"); }}\nconst MOST: usize = {most};\n{STACK}"),
    )
    .unwrap();
    run(
        Command::new("rustc").args(["--edition", "2021", "-D", "warnings"]).arg(main),
        folder.path(),
    )
}

#[test]
fn suites_in_rust_agree_with_a_stack_of_the_same_size() {
    let (_, graph) = of("stack.c", "push,pop", ErrorKind::Err);
    let suite = rust_suite(&graph, &sequences(&graph, Coverage::Pairs));
    assert_eq!(run_rust(&suite, 3), (0, String::new()));
    let (code, said) = run_rust(&suite, 2);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("must succeed"), "{said}");
    let (code, said) = run_rust(&suite, 4);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("must fail"), "{said}");
}
