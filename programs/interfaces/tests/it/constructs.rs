//! Libraries in C with constructs that are easily got wrong: each is refused at a line, or its graph agrees
//! with every sequence of calls on the compiled code.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use interfaces::c::{ErrorKind, Options, answers, read};
use interfaces::exhaustive::{alphabet, compare_answers};
use interfaces::synthesis::{Mode, synthesize_within};
use interfaces::watch::Watch;

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

/// Describes how a library is not as its first line says.
fn problem(file: &PathBuf) -> Option<String> {
    let text = fs::read_to_string(file).unwrap();
    let (functions, expected) = header(&text);
    let options = Options {
        functions,
        error: ErrorKind::Either,
        stack: 8,
        front_end: canonical::c::Options::default(),
    };
    let length = match (read(file.clone(), &options), expected) {
        (Err(refused), Err((line, reason))) => {
            let is_here = refused.place.line.to_string() == line;
            return (!is_here || !refused.message.contains(&reason)).then(|| refused.to_string());
        }
        (Err(refused), Ok(_)) => return Some(refused.to_string()),
        (Ok(_), Err(_)) => return Some("is not refused".to_owned()),
        (Ok(translated), Ok(length)) => (translated, length),
    };
    let (translated, length) = length;
    let watch = Watch::new(Some(Duration::from_secs(60)));
    let graph = match synthesize_within(translated.library.clone(), Mode::Stable, &watch) {
        Ok(graph) => graph,
        Err(refused) => return Some(refused.to_string()),
    };
    let alphabet = alphabet(&graph);
    let error = translated.error();
    let answers = answers(file, &translated.functions, &alphabet, length, error, &watch).unwrap();
    let compared = compare_answers(&graph, &alphabet, length, &answers).unwrap();
    let texts = |s: Option<Vec<_>>| {
        s.map(|s| s.iter().map(|c| graph.call_text(c)).collect::<Vec<_>>().join(" "))
    };
    if let Some(fails) = texts(compared.unsafe_sequence) {
        return Some(format!("is not safe: {fails}"));
    }
    if let Some(refused) = texts(compared.refused_sequence) {
        return Some(format!("is not permissive: {refused}"));
    }
    println!("{}: {} sequences", file.display(), compared.sequences);
    // A graph without errors, or with nothing but errors, would prove little.
    let fails = answers.iter().filter(|a| **a == b'E').count();
    (fails == 0 || fails == answers.len()).then(|| format!("{fails} of {} fail", answers.len()))
}

#[test]
fn constructs_agree_with_the_compiled_code_or_are_refused() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/constructs");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let problems: Vec<String> = files
        .iter()
        .filter_map(|f| Some(format!("{}: {}", f.file_name()?.display(), problem(f)?)))
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
