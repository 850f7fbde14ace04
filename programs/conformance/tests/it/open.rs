//! Code that is not followed, and that a remark must tell of: pairs of small programs that do not fit, of which no verdict may
//! be a plain "conforms", and pairs that do.
//!
//! Each file of `data/open` is about one kind of code. `verdict` is `no` for a counterexample, `open` for a remark, which
//! has the words of `remark`, and `yes` for a consumer that conforms without one.

use std::path::Path;

use crate::pairs::check_with;
use conformance::settings::{self, Settings};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    io: String,
    pair: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    producer: String,
    consumer: String,
    verdict: String,
    #[serde(default)]
    remark: String,
}

const IO: &str = "function = [
    { name = 'pb', direction = 'out', type = 'byte', value = 1 },
    { name = 'pw', direction = 'out', type = 'word', value = 1 },
    { name = 'gb', direction = 'in', type = 'byte', into = 0 },
    { name = 'tb', direction = 'in', type = 'byte?', into = 0 },
    { name = 'gw', direction = 'in', type = 'word', into = 0 },
]";

const DECLARED: &str = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <setjmp.h>\n\
                        void pb(int); void pw(int); int gb(void); int tb(void); int gw(void);\n";

fn whole(text: &str) -> String {
    match text.contains("main") {
        true => format!("{DECLARED}{text}"),
        false => format!("{DECLARED}int main(int argc, char **argv) {{ {text} return 0; }}"),
    }
}

/// Checks all pairs of a file.
fn all(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/open").join(name);
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = if file.io.is_empty() { IO } else { &file.io };
    let io: Settings = settings::read("io", text).unwrap();
    let mut wrong = Vec::new();
    for Pair { producer, consumer, verdict, remark } in &file.pair {
        let checked = check_with(&io, &whole(producer), &whole(consumer));
        let found = match (checked.conforms, checked.remarks.is_empty()) {
            (false, _) => "no",
            (true, true) => "yes",
            (true, false) => "open",
        };
        if found != verdict || !checked.remarks.join("\n").contains(remark.as_str()) {
            wrong.push(format!("{producer}  --  {consumer}: {found}, {:?}", checked.remarks));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn functions_that_never_return() {
    all("returns.toml");
}

#[test]
fn statuses_that_depend_on_what_was_read() {
    all("statuses.toml");
}

#[test]
fn calls_through_pointers() {
    all("pointers.toml");
}

#[test]
fn members_of_heap_memory() {
    all("heap.toml");
}

#[test]
fn functions_of_the_library_that_change_values() {
    all("library.toml");
}

#[test]
fn flags_and_counters() {
    all("flags.toml");
}

#[test]
fn constants_and_conversions() {
    all("constants.toml");
}

#[test]
fn code_that_is_not_seen() {
    all("unseen.toml");
}

#[test]
fn conditions_that_do_not_matter() {
    all("silent.toml");
}

#[test]
fn functions_of_the_library() {
    all("standard.toml");
}
