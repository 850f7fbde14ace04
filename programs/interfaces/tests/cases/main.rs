//! Libraries in C with constructs that are easily got wrong: each is refused at a line, or its graph agrees
//! with every sequence of calls on the compiled code.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use interfaces::c::{ErrorKind, Options, answers, read};
use interfaces::exhaustive::{alphabet, compare_answers};
use interfaces::synthesis::{Mode, synthesize_within};
use interfaces::watch::Watch;
use test_support::suite::{self, Suites, note};

/// The first line of a library: functions, and the length of sequences or the line and the reason for which
/// it is refused.
fn header(text: &str) -> (Vec<String>, Result<usize, (String, String)>) {
    let first = text.lines().next().unwrap().strip_prefix("// calls: ").unwrap();
    let (functions, expected) = first.split_once("; ").unwrap();
    let expected = match expected.split_once(": ") {
        Some((line, reason)) => {
            Err((line.strip_prefix("refused ").unwrap().to_owned(), reason.to_owned()))
        }
        None => Ok(expected.strip_prefix("length ").unwrap().parse().unwrap()),
    };
    (functions.split(',').map(str::to_owned).collect(), expected)
}

/// Compares a library with its first line.
fn check(file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let (functions, expected) = header(&text);
    let options = Options {
        functions,
        error: ErrorKind::Either,
        stack: 8,
        front_end: canonical::c::Options::default(),
    };
    let (translated, length) = match (read(file.to_owned(), &options), expected) {
        (Err(refused), Err((line, reason))) => {
            let is_here = refused.place.line.to_string() == line;
            assert!(is_here && refused.message.contains(&reason), "{refused}");
            return;
        }
        (Err(refused), Ok(_)) => panic!("{refused}"),
        (Ok(_), Err(_)) => panic!("it is not refused"),
        (Ok(translated), Ok(length)) => (translated, length),
    };
    let watch = Watch::new(Some(Duration::from_secs(60)));
    let graph = synthesize_within(translated.library.clone(), Mode::Stable, &watch);
    let graph = graph.unwrap_or_else(|refused| panic!("{refused}"));
    let alphabet = alphabet(&graph);
    let error = translated.error();
    let answers = answers(file, &translated.functions, &alphabet, length, error, &watch).unwrap();
    let compared = compare_answers(&graph, &alphabet, length, &answers).unwrap();
    let texts = |s: Option<Vec<_>>| {
        s.map(|s| s.iter().map(|c| graph.call_text(c)).collect::<Vec<_>>().join(" "))
    };
    if let Some(fails) = texts(compared.unsafe_sequence) {
        panic!("it is not safe: {fails}");
    }
    if let Some(refused) = texts(compared.refused_sequence) {
        panic!("it is not permissive: {refused}");
    }
    note(format_args!("{} sequences", compared.sequences));
    // A graph without errors, or with nothing but errors, would prove little.
    let fails = answers.iter().filter(|a| **a == b'E').count();
    assert!((1..answers.len()).contains(&fails), "{fails} of {} fail", answers.len());
}

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/constructs");
    let mut suites = Suites::default();
    suites.files("constructs", &suite::files(&folder, "c"), check);
    suites.run()
}
