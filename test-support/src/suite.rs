//! Suites of cases that are data: each case is a test with a name of its own.
//!
//! The `main` of a test target with `harness = false` adds its cases to [`Suites`] and runs them. They take the
//! arguments that other tests take, since `libtest-mimic` runs them: a filter, `--exact`, `--skip`, `--list`,
//! `--ignored`, `--nocapture` and so on, but only one filter. They run in parallel; the slowest are printed at the end.
//!
//! A case fails by a panic, as a test does. Its output is not captured, so that it calls [`note`] instead of `println!`:
//! notes are printed if the case fails, or with `--nocapture`.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Conclusion, Failed, FormatSetting, Trial};

/// The number of slow cases that are printed, if there are more.
const SLOWEST: usize = 5;

thread_local! {
    /// The notes of the case that this thread runs.
    static NOTES: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Adds a line to the notes of the running case. Threads that a case starts have no notes.
pub fn note(line: impl Display) {
    NOTES.with_borrow_mut(|notes| {
        notes.push_str(&line.to_string());
        notes.push('\n');
    });
}

/// Returns the files of a folder that have an extension, in the order of their names.
///
/// # Panics
///
/// Panics if the folder cannot be read, or has no such file: a suite without cases would pass.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    assert!(!files.is_empty(), "{}: no file has the extension {extension}", folder.display());
    files.sort();
    files
}

/// The name of a file without its folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

struct Case {
    name: String,
    ignored: bool,
    run: Box<dyn FnOnce() + Send>,
}

/// The cases of a test target.
///
/// ```no_run
/// use std::path::Path;
/// use std::process::ExitCode;
///
/// use test_support::suite::{Suites, files};
///
/// fn main() -> ExitCode {
///     let mut suites = Suites::default();
///     suites.files("texts", &files(Path::new("tests/texts"), "txt"), |path| {
///         assert!(!std::fs::read_to_string(path).unwrap().is_empty());
///     });
///     suites.case("texts::there_are_many", || assert!(files(Path::new("tests/texts"), "txt").len() > 30));
///     suites.run()
/// }
/// ```
#[derive(Default)]
pub struct Suites {
    cases: Vec<Case>,
}

impl Suites {
    /// Adds a case. Its name is a path as that of other tests: `suite::case`.
    pub fn case(&mut self, name: impl Into<String>, run: impl FnOnce() + Send + 'static) {
        self.cases.push(Case { name: name.into(), ignored: false, run: Box::new(run) });
    }

    /// Adds a case that is too slow for every change: it runs with `--ignored`.
    pub fn slow_case(&mut self, name: impl Into<String>, run: impl FnOnce() + Send + 'static) {
        self.cases.push(Case { name: name.into(), ignored: true, run: Box::new(run) });
    }

    /// Adds the case `SUITE::STEM` for each file.
    pub fn files(
        &mut self,
        suite: &str,
        files: &[PathBuf],
        run: impl Fn(&Path) + Copy + Send + 'static,
    ) {
        for path in files {
            let (name, path) = (format!("{suite}::{}", stem(path)), path.clone());
            self.case(name, move || run(&path));
        }
    }

    /// Adds the case `SUITE::STEM::full` for each file, as a slow one.
    pub fn full(
        &mut self,
        suite: &str,
        files: &[PathBuf],
        run: impl Fn(&Path) + Copy + Send + 'static,
    ) {
        for path in files {
            let (name, path) = (format!("{suite}::{}::full", stem(path)), path.clone());
            self.slow_case(name, move || run(&path));
        }
    }

    /// Runs the cases that the arguments of the program select, and prints the slowest.
    pub fn run(self) -> ExitCode {
        self.run_with(&Arguments::from_args()).0.exit_code()
    }

    /// Runs the cases, and returns the text about the slowest as well.
    fn run_with(self, arguments: &Arguments) -> (Conclusion, String) {
        let mut names = BTreeSet::new();
        for case in &self.cases {
            assert!(names.insert(&case.name), "two cases are called {}", case.name);
        }
        let times = Arc::new(Mutex::new(Vec::new()));
        let shows_notes = arguments.nocapture;
        let trial = |case: Case| {
            let (times, name, ignored) = (Arc::clone(&times), case.name.clone(), case.ignored);
            let trial = Trial::test(name, move || {
                let began = Instant::now();
                let (name, outcome) = (case.name.clone(), run_case(case, shows_notes));
                let took = began.elapsed();
                times.lock().unwrap_or_else(PoisonError::into_inner).push((took, name));
                outcome
            });
            trial.with_ignored_flag(ignored)
        };
        let trials = self.cases.into_iter().map(trial).collect();
        let conclusion = libtest_mimic::run(arguments, trials);
        let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
        let slowest = slowest(&mut times);
        // JSON is for programs.
        if arguments.format != Some(FormatSetting::Json) {
            print!("{slowest}");
        }
        (conclusion, slowest)
    }
}

/// Runs a case in a thread that has its name, as the test harness of Rust does: [`skipped`](crate::skipped) reports it.
fn run_case(case: Case, shows_notes: bool) -> Result<(), Failed> {
    let name = case.name;
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(case.run));
        (outcome, NOTES.take())
    };
    let thread = thread::Builder::new().name(name.clone()).spawn(run);
    let joined = thread.map_err(|e| format!("no thread: {e}"))?.join();
    let (outcome, notes) = joined.unwrap_or_else(|panic| (Err(panic), String::new()));
    if shows_notes && !notes.is_empty() {
        // One call: other cases print as well.
        print!("{}", format_args!("---- {name}\n{notes}"));
    }
    outcome.map_err(|panic| Failed::from(format!("{notes}{}", message(&*panic))))
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

/// Returns lines about the slowest of many cases.
fn slowest(times: &mut [(Duration, String)]) -> String {
    if times.len() <= SLOWEST {
        return String::new();
    }
    times.sort_by(|a, b| b.cmp(a));
    let line = |(took, name): &(Duration, String)| format!("{:9.2} s {name}\n", took.as_secs_f64());
    let lines: String = times.iter().take(SLOWEST).map(line).collect();
    format!("the slowest:\n{lines}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs three cases and a slow one; returns the numbers of those that passed, failed and were ignored, the names of
    /// the threads that ran, and what was printed.
    fn run(arguments: &[&str]) -> ([u64; 3], Vec<String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let names = Arc::new(Mutex::new(Vec::new()));
        let mut suites = Suites::default();
        let case = |word: &'static str| {
            let names = Arc::clone(&names);
            move || {
                names.lock().unwrap().push(thread::current().name().unwrap().to_owned());
                note(format_args!("noted: {word}"));
                assert!(word != "three", "{word} is wrong");
            }
        };
        suites.case("s::one", case("one"));
        suites.case("s::two", case("two"));
        suites.case("s::three", case("three"));
        suites.slow_case("s::one::full", case("full"));
        let log_option = format!("--logfile={}", log.display());
        let given = ["program", &log_option].into_iter().chain(arguments.iter().copied());
        let conclusion = suites.run_with(&Arguments::from_iter(given)).0;
        let counts = [conclusion.num_passed, conclusion.num_failed, conclusion.num_ignored];
        let mut names = names.lock().unwrap().clone();
        names.sort();
        (counts, names, std::fs::read_to_string(log).unwrap())
    }

    #[test]
    fn each_case_is_a_test_in_a_thread_of_its_name() {
        let (counts, names, log) = run(&[]);
        assert_eq!(counts, [2, 1, 1]);
        assert_eq!(names, ["s::one", "s::three", "s::two"]);
        assert!(log.contains("noted: three\nthree is wrong"), "{log}");
        assert!(!log.contains("noted: one"), "{log}");
    }

    #[test]
    fn arguments_select_cases() {
        assert_eq!(run(&["s::one"]).1, ["s::one"]);
        assert_eq!(run(&["s::one", "--include-ignored", "--test-threads=1"]).0, [2, 0, 0]);
        assert_eq!(run(&["--ignored"]).1, ["s::one::full"]);
        assert_eq!(run(&["--exact", "s::on"]).0, [0, 0, 0]);
        let (_, names, log) = run(&["--list"]);
        assert!(names.is_empty());
        assert_eq!(log, "s::one: test\ns::two: test\ns::three: test\ns::one::full: test\n");
    }

    #[test]
    fn the_slowest_of_many_are_named_with_their_seconds() {
        let mut times: Vec<_> =
            (1..=6).map(|k| (Duration::from_millis(k * 500), format!("s::c{k}"))).collect();
        let text = slowest(&mut times);
        assert!(text.starts_with("the slowest:\n     3.00 s s::c6\n     2.50 s s::c5\n"), "{text}");
        assert!(!text.contains("s::c1"), "{text}");
        assert_eq!(slowest(&mut times[..5]), "");
    }

    #[test]
    #[should_panic(expected = "no file has the extension txt")]
    fn a_folder_without_cases_is_an_error() {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "txt");
    }

    #[test]
    fn files_are_in_the_order_of_their_names() {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "rs");
        let names: Vec<String> = files.iter().map(|path| stem(path)).collect();
        assert_eq!(names, ["lib", "suite"]);
    }
}
