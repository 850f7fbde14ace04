//! Planted changes of headers: which of them the check notices, and why it does not notice the others.
//!
//! Each file of `data/planted` has changes of one package. Sources of gzip and bzip2 are not here:
//! `scripts/fetch_c_sources.sh` gets them, into `target/c-sources` or the folder that
//! `REPFUZZ_C_SOURCES` names. Without them only the model is changed.

use std::path::{Path, PathBuf};

use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::lower::lower;
use conformance::model::{Model, Outcome, compare};
use conformance::settings::{self, Role, Settings};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Planted {
    folder: String,
    include: Vec<String>,
    producer: Vec<String>,
    consumer: Vec<String>,
    io: toml::Table,
    #[serde(default)]
    base: Vec<Base>,
    change: Vec<Change>,
}

/// A change of the sources that every check needs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    file: String,
    find: String,
    replace: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    name: String,
    file: String,
    edits: Vec<[String; 2]>,
    noticed: bool,
    #[serde(default)]
    why: String,
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of a package: beside the data, or fetched.
fn sources(folder: &str) -> Option<PathBuf> {
    let fetched = std::env::var_os("REPFUZZ_C_SOURCES")
        .map_or_else(|| here().join("../../target/c-sources"), PathBuf::from);
    [here().join("tests/data/planted").join(folder), fetched.join(folder)]
        .into_iter()
        .find(|path| path.is_dir())
}

/// Replaces a text that occurs once.
fn edit(text: &str, find: &str, replace: &str) -> String {
    assert_eq!(text.matches(find).count(), 1, "not there once: {find}");
    text.replacen(find, replace, 1)
}

impl Planted {
    fn settings(&self) -> Settings {
        settings::read("io", &toml::to_string(&self.io).unwrap()).unwrap()
    }

    /// Reads the programs with the changes of one file, and checks.
    fn outcome(&self, sources: &Path, settings: &Settings, change: Option<&Change>) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let copied = self.producer.iter().chain(&self.consumer);
        for name in copied {
            let mut text = std::fs::read_to_string(sources.join(name)).unwrap();
            for base in self.base.iter().filter(|base| base.file == *name) {
                text = edit(&text, &base.find, &base.replace);
            }
            for change in change.iter().filter(|change| change.file == *name) {
                for [find, replace] in &change.edits {
                    text = edit(&text, find, replace);
                }
            }
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mut alphabet = Alphabet::default();
        let mut settings = settings.clone();
        let mut model = |names: &[String], role: Role| {
            let files: Vec<PathBuf> = names.iter().map(|name| folder.path().join(name)).collect();
            let include =
                self.include.iter().map(|part| format!("-I{}", sources.join(part).display()));
            let options = canonical::c::Options {
                arguments: settings.arguments.iter().cloned().chain(include).collect(),
                calls: settings.kept_macros(),
                ..canonical::c::Options::default()
            };
            let program = canonical::c::read(&files, &options);
            let lowered = lower(&program, role, &settings, None).unwrap();
            if role == Role::Producer {
                settings.written = lowered.program.written();
                settings.partly = lowered.program.partly_written();
            }
            lowered.remarks.iter().for_each(|remark| eprintln!("{remark}"));
            Model::program(lowered.program, &mut alphabet).unwrap()
        };
        let producer = model(&self.producer, Role::Producer);
        let consumer = model(&self.consumer, Role::Consumer);
        compare(&producer, &consumer, Mode::Vpa, &mut alphabet).unwrap()
    }
}

/// Reads the changes of one package.
fn planted(name: &str) -> Planted {
    let path = here().join(format!("tests/data/planted/{name}.toml"));
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks all changes of one package; false if its sources are absent.
fn changes(name: &str) -> bool {
    let planted = planted(name);
    let Some(sources) = sources(&planted.folder) else {
        let why = format_args!("no {}: scripts/fetch_c_sources.sh fetches it", planted.folder);
        test_support::skipped(why);
        return false;
    };
    let settings = planted.settings();
    let base = planted.outcome(&sources, &settings, None);
    assert_eq!(base.counterexample, None, "{name} as it is");
    assert!(!base.vacuous);
    let mut wrong = Vec::new();
    for change in &planted.change {
        let outcome = planted.outcome(&sources, &settings, Some(change));
        let noticed = outcome.counterexample.is_some();
        eprintln!("{name}: {}: {}", change.name, if noticed { "noticed" } else { &change.why });
        assert_eq!(change.why.is_empty(), change.noticed, "{}: a reason", change.name);
        if noticed != change.noticed {
            wrong.push(format!("{}: {:?}", change.name, outcome.counterexample));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    true
}

#[test]
fn changes_of_the_model_are_noticed_or_explained() {
    assert!(changes("model"));
}

#[test]
fn changes_of_gzip_are_noticed_or_explained() {
    changes("gzip");
}

#[test]
fn changes_of_bzip2_are_noticed_or_explained() {
    changes("bzip2");
}

#[test]
fn bzip2_bit_by_bit_is_a_false_alarm_of_granularity() {
    let mut planted = planted("bzip2");
    let Some(sources) = sources(&planted.folder) else { return };
    // The writer as it is, for any block.
    planted.base.retain(|base| base.file == "decompress.c");
    let settings = planted.settings();
    let story = planted.outcome(&sources, &settings, None).counterexample.unwrap();
    let line = |site: &Option<conformance::program::Site>| site.as_ref().unwrap().place.line;
    // Two bits that are written at once, and read one after another.
    let refused = &story.events[story.read];
    assert_eq!((refused.kind.as_str(), line(&refused.site)), ("bits:2=2", 535));
    let mut expected = story.expected.iter().map(|e| (e.kind.as_str(), line(&e.site)));
    assert!(expected.any(|e| e == ("bits:1=1", 328)), "{:?}", story.expected);
}
