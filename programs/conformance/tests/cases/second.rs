//! Second looks at counterexamples: pairs of small programs whose truth is known by running them.
//!
//! Each pair of `data/second` has two cases: the check of it (`second`), and its truth (`runs`). For this it is compiled, and the producer's output is handed to the consumer, once for each list of
//! arguments. `truth` is `yes` if the consumer reads all files, and `no` if it refuses one. `verdict` is that of the check:
//! the truth, or `open`, with the words of `reason`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use conformance::automata::{Alphabet, Nwa};
use conformance::lower::lower;
use conformance::model::Model;
use conformance::second::{Sources, longer_look, second_look};
use conformance::settings::{self, Role, Settings};
use serde::Deserialize;
use test_support::suite::{Suites, note};

use crate::pairs::check_with;
use crate::{files, named};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// True if the programs write and read by the standard library.
    #[serde(default)]
    standard: bool,
    pair: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    producer: String,
    consumer: String,
    truth: String,
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    reason: String,
    /// Arguments of the producer's runs: none, and up to three.
    #[serde(default)]
    arguments: Vec<String>,
}

const IO: &str = "function = [
    { name = 'pb', direction = 'out', type = 'byte', value = 1 },
    { name = 'pw', direction = 'out', type = 'word', value = 1 },
    { name = 'gb', direction = 'in', type = 'byte', into = 0 },
    { name = 'gw', direction = 'in', type = 'word', into = 0 },
]";

const DECLARED: &str = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
                        void pb(int); void pw(int); int gb(void); int gw(void);\n";

/// The functions that write and read, and a check that all was read.
const RUNTIME: &str = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n
    static void put(int kind, int v) { putchar(kind); fwrite(&v, sizeof v, 1, stdout); }
    void pb(int v) { put('b', v); } void pw(int v) { put('w', v); }
    static int get(int kind) { int v; if (getchar() != kind || fread(&v, sizeof v, 1, stdin) != 1) _exit(9); return v; }
    int gb(void) { return get('b'); } int gw(void) { return get('w'); }
    static void done(int status, void *reads) { if (!status && reads && getchar() != EOF) _exit(8); }
    __attribute__((constructor)) static void begin(void) { on_exit(done, READS); }";

fn whole(text: &str) -> String {
    match text.contains("main(") {
        true => format!("{DECLARED}{text}"),
        false => format!("{DECLARED}int main(int argc, char **argv) {{ {text} return 0; }}"),
    }
}

/// Adds the suites.
pub fn add(suites: &mut Suites) {
    for path in files("second") {
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let io = if file.standard { "standard = true" } else { IO };
        for (name, pair) in named(&path, file.pair) {
            let checked = Arc::new(pair);
            let run = Arc::clone(&checked);
            suites.case(format!("second::{name}"), move || check(io, &checked));
            suites.case(format!("runs::{name}"), move || agrees_with_runs(&run));
        }
    }
}

/// The outcome of a check with a second look at its counterexample.
#[derive(Debug)]
// Its text is shown if a case fails.
#[allow(dead_code)]
struct Look {
    /// True if the consumer conforms at first look.
    first: bool,
    /// `yes`, `no` or `open`.
    verdict: &'static str,
    /// The reasons why it is open, or why there is no second look.
    reasons: Vec<String>,
    /// The remarks about both sides.
    remarks: Vec<String>,
    /// The events of the counterexample.
    word: Vec<String>,
}

/// Checks a consumer, twice if there is a counterexample.
fn look(io: &Settings, producer: &str, consumer: &str) -> Look {
    let first = check_with(io, producer, consumer);
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let options =
            canonical::c::Options { calls: io.kept_macros(), ..canonical::c::Options::default() };
        canonical::c::read(&[path], &options)
    };
    let (producer, consumer) = (read("p.c", producer), read("c.c", consumer));
    let sources =
        Sources { producer: &producer, consumer: Some(&consumer), settings: io, list: None };
    let none = Model::automaton(Nwa::default());
    if first.conforms {
        let (reasons, word) = (Vec::new(), Vec::new());
        let mut remarks = first.remarks.clone();
        let mut io = io.clone();
        let mut alphabet = Alphabet::default();
        let lowered = lower(&producer, Role::Producer, &io, None).unwrap();
        (io.written, io.partly) = (lowered.program.written(), lowered.program.partly_written());
        let model = Model::program(lowered.program, &mut alphabet).unwrap();
        let sources = Sources { settings: &io, ..sources };
        let longer = longer_look(sources, &model, remarks.len(), &mut alphabet).unwrap();
        let is_sure = match longer {
            Some((_, outcome)) if outcome.counterexample.is_some() => false,
            Some((fewer, _)) => {
                remarks = fewer.iter().map(ToString::to_string).collect();
                true
            }
            None => true,
        };
        if is_sure {
            return Look { first: true, verdict: "yes", reasons, remarks, word };
        }
    }
    match second_look(sources, &none, &mut Alphabet::default()) {
        Err(error) => {
            let (reasons, remarks) = (vec![error.to_string()], first.remarks);
            Look { first: false, verdict: "no", reasons, remarks, word: first.word }
        }
        Ok(second) => {
            let story = second.outcome.counterexample;
            let verdict = match (&story, second.open.is_empty()) {
                (None, _) => "yes",
                (Some(_), true) => "no",
                (Some(_), false) => "open",
            };
            let word = story.iter().flat_map(|story| &story.events).map(|e| e.kind.clone());
            let reasons = second.open.iter().map(ToString::to_string).collect();
            let remarks = second.remarks.iter().chain(&second.outcome.remarks);
            let remarks = remarks.map(ToString::to_string).collect();
            Look { first: false, verdict, reasons, remarks, word: word.collect() }
        }
    }
}

/// A counterexample that is not possible is none.
fn check(io: &str, pair: &Pair) {
    let io = settings::read("io", io).unwrap();
    let look = look(&io, &whole(&pair.producer), &whole(&pair.consumer));
    let expected = if pair.verdict.is_empty() { &pair.truth } else { &pair.verdict };
    note(format_args!("{look:?}"));
    let is_right = look.verdict == expected && look.reasons.join("\n").contains(&pair.reason);
    assert!(is_right, "{} -- {}: {look:?}", pair.producer, pair.consumer);
}

/// Compiles a program with the runtime.
fn compile(folder: &Path, name: &str, text: &str, reads: bool) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(path.with_extension("c"), whole(text)).unwrap();
    std::fs::write(folder.join("runtime.c"), RUNTIME).unwrap();
    let reads = if reads { "-DREADS=stdin" } else { "-DREADS=NULL" };
    let done = Command::new("cc")
        .args(["-w", reads, "-o"])
        .arg(&path)
        .arg(path.with_extension("c"))
        .arg(folder.join("runtime.c"))
        .status();
    assert!(done.unwrap().success(), "{text}");
    path
}

fn agrees_with_runs(pair: &Pair) {
    let folder = tempfile::tempdir().unwrap();
    let producer = compile(folder.path(), "p", &pair.producer, false);
    let consumer = compile(folder.path(), "c", &pair.consumer, true);
    let mut given = vec![Vec::new(), vec!["x"], vec!["x", "y"], vec!["x", "y", "z"]];
    given.extend(pair.arguments.iter().map(|line| line.split(' ').collect()));
    let mut truth = "yes";
    for arguments in given {
        let written = Command::new(&producer).args(arguments).output().unwrap();
        // A run that fails writes no whole file.
        if !written.status.success() {
            continue;
        }
        let mut run =
            Command::new(&consumer).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        // A consumer that has seen enough does not wait for the rest.
        let _ = std::io::Write::write_all(&mut run.stdin.take().unwrap(), &written.stdout);
        if !run.wait().unwrap().success() {
            truth = "no";
        }
    }
    assert_eq!(truth, pair.truth, "{} -- {}", pair.producer, pair.consumer);
}
