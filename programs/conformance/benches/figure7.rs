//! Measures the times of inference and of checks on gzip and bzip2: `cargo bench -p repfuzz-conformance`.
//!
//! Needs the sources that `scripts/fetch_c_sources.sh` fetches into `target/c-sources`, or the folder
//! that `REPFUZZ_C_SOURCES` names. Times are medians of eleven runs.

mod timed;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use conformance::automata::Alphabet;
use conformance::check::{Mode, on_the_fly, split_values};
use conformance::lower::lower;
use conformance::model::Model;
use conformance::settings::{self, Role};
use timed::timed;

/// The runs of each measurement.
const RUNS: usize = 11;

const BZIP2: &str =
    "bzip2.c bzlib.c compress.c decompress.c blocksort.c huffman.c crctable.c randtable.c";
const GZIP: &str =
    "gzip.c zip.c unzip.c inflate.c deflate.c trees.c bits.c util.c unpack.c unlzw.c unlzh.c";

fn main() {
    println!(
        "| program | reading C, both sides | inference, both sides | check, VPA | check, FA |"
    );
    println!("|---|---:|---:|---:|---:|");
    for (name, folder, io, include, files) in [
        ("gzip 1.12, a `long` of four bytes", "gzip-1.12", "gzip.toml", "lib", GZIP),
        ("gzip 1.12, unmodified", "gzip-1.12", "gzip-long.toml", "lib", GZIP),
        ("bzip2 1.0.8", "bzip2-1.0.8", "bzip2.toml", "", BZIP2),
    ] {
        match row(folder, io, include, files) {
            Ok(times) => {
                let cells = times.map(|time| format!("{:.2} ms", time.as_secs_f64() * 1e3));
                println!("| {name} | {} |", cells.join(" | "));
            }
            Err(why) => println!("{name}: SKIPPED: {why}"),
        }
    }
}

fn row(folder: &str, io: &str, include: &str, files: &str) -> Result<[Duration; 4], String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fetched = std::env::var_os("REPFUZZ_C_SOURCES")
        .map_or_else(|| here.join("../../target/c-sources"), PathBuf::from);
    let sources = fetched.join(folder);
    if !sources.is_dir() {
        return Err(format!("no {folder}; scripts/fetch_c_sources.sh fetches it"));
    }
    let path = here.join("tests/data/debian").join(io);
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let settings = settings::read(io, &text).map_err(|e| e.to_string())?;
    let files: Vec<PathBuf> = files.split(' ').map(|file| sources.join(file)).collect();
    let include = ["", include].map(|part| format!("-I{}", sources.join(part).display()));
    let options = canonical::c::Options {
        arguments: settings.arguments.iter().cloned().chain(include).collect(),
        calls: settings.kept_macros(),
        ..canonical::c::Options::default()
    };
    let began = Instant::now();
    let program = canonical::c::read(&files, &options);
    let reading = began.elapsed() * 2;
    let infer = || -> Result<_, conformance::Error> {
        let mut alphabet = Alphabet::default();
        let mut side = |role| {
            let lowered = lower(&program, role, &settings, None)?;
            Model::program(lowered.program, &mut alphabet)
        };
        let (own, other) = (side(Role::Producer)?, side(Role::Consumer)?);
        Ok((own.automaton, other.automaton, alphabet))
    };
    let (found, inference) = timed(RUNS, infer);
    let (mut own, mut other, mut alphabet) = found.map_err(|e| e.to_string())?;
    split_values(&mut own, &mut other, &mut alphabet);
    let (_, vpa) = timed(RUNS, || on_the_fly(&own, &other, Mode::Vpa));
    let (_, fa) = timed(RUNS, || on_the_fly(&own, &other, Mode::Fa));
    Ok([reading, inference, vpa, fa])
}
