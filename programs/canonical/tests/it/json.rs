//! Programs are the same after they were written as JSON and read again.

use std::fs;
use std::path::Path;

use canonical::Program;
use canonical::c::{Options, read, read_text};

fn same(program: Program, name: &str) {
    let text = serde_json::to_string(&program).unwrap();
    let again: Program = serde_json::from_str(&text).unwrap();
    // The only part that is not written.
    let known = Program { unsequenced: Vec::new(), ..program };
    assert!(again == known, "{name}");
    assert_eq!(serde_json::to_string(&again).unwrap(), text, "{name}");
}

#[test]
fn programs_are_read_as_they_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            same(read(std::slice::from_ref(&path), &Options::default()), &path.to_string_lossy());
            count += 1;
        }
    }
    assert!(count > 40, "{count} programs");
}

#[test]
fn strings_that_are_no_text_are_bytes() {
    let text = "char a[] = \"\\xff\\0b\", *b = \"text\"; long double d = 0.25;";
    let program = read_text("t.c", text, &Options::default());
    assert_eq!(program.diagnostics, []);
    let json = serde_json::to_string(&program).unwrap();
    assert!(json.contains("[255,0,98,0]") && json.contains("\"text\""), "{json}");
    same(program, "strings");
}
