//! Rows of figure 7 on the sources of Debian's packages, where they were fetched by
//! `scripts/fetch_c_sources.sh`; `REPFUZZ_C_SOURCES` names another folder than `target/c-sources`.

use std::path::{Path, PathBuf};

use conformance::automata::Alphabet;
use conformance::check::{Mode, determinized_states};
use conformance::infer::infer_functions;
use conformance::lower::{Lowered, lower};
use conformance::model::{Model, compare};
use conformance::settings::{self, Role};

/// The folder of a package, if it was fetched.
fn sources(folder: &str) -> Option<PathBuf> {
    let fetched = std::env::var_os("REPFUZZ_C_SOURCES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/c-sources"),
        PathBuf::from,
    );
    let path = fetched.join(folder);
    if !path.is_dir() {
        test_support::skipped(format_args!("no {folder}: scripts/fetch_c_sources.sh fetches it"));
        return None;
    }
    Some(path)
}

/// A row of the table: of each side |Q|, functions and calls, then the verdicts.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    producer: Size,
    consumer: Size,
    vpa: bool,
    fa: bool,
    vacuous: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Size {
    states: usize,
    /// |Q| and number of functions with those that never run, which the paper counts.
    all: (usize, usize),
    calls: usize,
}

/// Reads one program as both sides, with the settings of `data/debian`.
fn both(sources: &Path, io: &str, include: &[&str], files: &[&str]) -> (Lowered, Lowered) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/debian").join(io);
    let settings = settings::read(io, &std::fs::read_to_string(path).unwrap()).unwrap();
    let files: Vec<PathBuf> = files.iter().map(|file| sources.join(file)).collect();
    let include = include.iter().map(|part| format!("-I{}", sources.join(part).display()));
    let options = canonical::c::Options {
        arguments: settings.arguments.iter().cloned().chain(include).collect(),
        calls: settings.kept_macros(),
        ..canonical::c::Options::default()
    };
    let program = canonical::c::read(&files, &options);
    let side = |role| lower(&program, role, &settings, None).unwrap();
    (side(Role::Producer), side(Role::Consumer))
}

fn row(producer: &Lowered, consumer: &Lowered) -> Row {
    let mut alphabet = Alphabet::default();
    let mut models = [producer, consumer]
        .map(|side| Model::program(side.program.clone(), &mut alphabet).unwrap());
    let size = |side: &Lowered, model: &Model| {
        let able = side.program.able();
        let all = infer_functions(&side.program, &able, &mut Alphabet::default()).unwrap();
        let states = model.automaton.len();
        Size { states, all: (all.automaton.len(), all.functions), calls: side.sites.len() }
    };
    let [own, other] = &mut models;
    let vpa = compare(own, other, Mode::Vpa, &mut alphabet).unwrap();
    let fa = compare(own, other, Mode::Fa, &mut alphabet).unwrap();
    Row {
        producer: size(producer, own),
        consumer: size(consumer, other),
        vpa: vpa.counterexample.is_none(),
        fa: fa.counterexample.is_none(),
        vacuous: vpa.vacuous,
    }
}

#[test]
fn bzip2_as_its_authors_annotated_it() {
    let Some(folder) = sources("bzip2-1.0.8") else { return };
    let files = [
        "bzip2.c",
        "bzlib.c",
        "compress.c",
        "decompress.c",
        "blocksort.c",
        "huffman.c",
        "crctable.c",
        "randtable.c",
    ];
    let (producer, consumer) = both(&folder, "bzip2.toml", &[], &files);
    let row = row(&producer, &consumer);
    eprintln!("{row:?}");
    assert!(row.vpa && row.fa && row.vacuous);
    // As printed: 8 and 10 calls, the consumer's 13 functions and 29 states.
    assert_eq!((row.producer.calls, row.consumer.calls), (8, 10));
    assert_eq!(row.consumer.all, (29, 13));
    // And determinized, 13, as their own automaton.
    let mut alphabet = Alphabet::default();
    let able = consumer.program.able();
    let all = infer_functions(&consumer.program, &able, &mut alphabet).unwrap();
    let states = determinized_states(&all.automaton, Mode::Vpa, &mut alphabet, 1_000).unwrap();
    assert_eq!(states, 13);
}

#[test]
fn gzip_unmodified_conforms_by_granularity() {
    let Some(folder) = sources("gzip-1.12") else { return };
    let files = [
        "gzip.c",
        "zip.c",
        "unzip.c",
        "inflate.c",
        "deflate.c",
        "trees.c",
        "bits.c",
        "util.c",
        "unpack.c",
        "unlzw.c",
        "unlzh.c",
    ];
    let verdicts = |io: &str| {
        let (producer, consumer) = both(&folder, io, &["", "lib"], &files);
        let row = row(&producer, &consumer);
        eprintln!("{io}: {row:?}");
        (row.vpa, row.fa, row.vacuous)
    };
    assert_eq!(verdicts("gzip.toml"), (true, true, true));
    assert_eq!(verdicts("gzip-long.toml"), (false, false, true));
}
