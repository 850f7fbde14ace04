//! Programs of `tests/c` run the same in the interpreter as compiled by `cc`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use canonical::c::{Options, read};
use canonical::interpret::{Bounds, Library, Machine, Stop, Value};

const INPUT: &[u8] = b"some words of\ninput 12\n";

/// The output and exit status of the compiled program.
fn compiled(file: &Path, folder: &Path) -> (String, i32) {
    let program = folder.join(file.file_stem().expect("files have names"));
    let status = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O0", "-o"])
        .arg(&program)
        .arg(file)
        .status()
        .expect("there is a C compiler");
    assert!(status.success(), "{} does not compile", file.display());
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it has an input").write_all(INPUT).ok();
    let output = child.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("its output is text");
    (text, output.status.code().expect("it ends by itself"))
}

/// The output and exit status in the interpreter.
fn interpreted(file: &Path) -> (String, i32) {
    let program = read(&[file.to_owned()], &Options::default());
    let remarks: Vec<&str> = program.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(remarks.is_empty(), "{}: {remarks:?}", file.display());
    let main = program.function_named("main").expect("there is a main");
    let mut host = Library::new(INPUT);
    let mut machine = Machine::new(&program, Bounds::default());
    let status = match machine.run(&mut host, main, &[]) {
        Stop::Returned(Value::Int(value)) => i32::try_from(value & 0xff).expect("a byte"),
        Stop::Returned(_) => 0,
        Stop::Exit(status) => status,
        other => panic!("{}: {other:?}", file.display()),
    };
    (String::from_utf8(host.output).expect("its output is text"), status)
}

#[test]
fn programs_run_as_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let entries = fs::read_dir(here).expect("there are programs");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() >= 40, "{} programs", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let expected = compiled(file, folder.path());
        let result = std::panic::catch_unwind(|| interpreted(file));
        if result.as_ref().ok() != Some(&expected) {
            wrong.push(format!("{}:\n  {expected:?}\n  {:?}", file.display(), result.ok()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
