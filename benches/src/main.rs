//! Measurements of repfuzz: each figure is a median of several runs, next to that of a competitor, in
//! one process on one core. `make bench` writes `docs/performance.md`.

mod big;
mod generators;
mod inversion;
mod library;
mod measure;
mod peers;
mod places;
mod plot;
mod small;
mod staged;
mod table;
mod variants;

use std::path::Path;
use std::process::ExitCode;

use table::Report;

/// The allocator of `repfuzz`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // This is a separate process, whose peak memory is measured.
        ["peak", what, file] => big::peak(what, file),
        ["library", format, seed, folder, seconds, most] => {
            library::run([format, seed, folder, seconds, most])
        }
        [] => all(None, None),
        ["-o", file] => all(None, Some(file)),
        [section] => all(Some(section), None),
        _ => Err(
            "usage: benches [small|variants|big|places|staged|inversion|generators] [-o docs/performance.md]"
                .to_owned(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("benches: {why}");
            ExitCode::from(2)
        }
    }
}

/// One part of the measurements.
type Part = (&'static str, fn(&mut Report) -> Result<(), String>);

const PARTS: [Part; 7] = [
    ("small", small::measure),
    ("variants", variants::measure),
    ("big", big::measure),
    ("places", places::measure),
    ("staged", staged::measure),
    ("inversion", inversion::measure),
    ("generators", generators::measure),
];

fn all(only: Option<&str>, file: Option<&str>) -> Result<(), String> {
    let mut report = Report::new(peers::versions());
    for (_, measure) in PARTS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        measure(&mut report)?;
    }
    println!("{}", report.text());
    match file {
        Some(file) => report.write(Path::new(file)),
        None => Ok(()),
    }
}
