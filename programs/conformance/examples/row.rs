//! Measures a row of figure 7: `row IO.toml PRODUCER.c.. -- CONSUMER.c..` (or `CONSUMER.toml`).
//!
//! Prints sizes, verdicts and times. Reading C and inference are timed separately. Times are medians of five runs.

#[path = "../benches/timed/mod.rs"]
mod timed;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use conformance::automata::Alphabet;
use conformance::check::{
    Mode, determinized_states, explicit, is_vacuous, on_the_fly, split_values,
};
use conformance::infer::infer_functions;
use conformance::lower::{Lowered, lower};
use conformance::model::Model;
use conformance::read;
use conformance::settings::{self, Role, Settings};
use timed::timed;

/// The runs of each measurement.
const RUNS: usize = 5;

/// The maximum number of states of the determinized consumer, for the paper's method.
const LIMIT: usize = 2_000;

fn main() -> ExitCode {
    match row() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn row() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let split = words.iter().position(|word| word == "--").ok_or("`--` is missing")?;
    let io = words.first().filter(|_| split > 1).ok_or("an io.toml and files are needed")?;
    let text = std::fs::read_to_string(io).map_err(|e| format!("{io}: {e}"))?;
    let settings = settings::read(io, &text).map_err(|e| e.to_string())?;
    let mut alphabet = Alphabet::default();
    let producer = side(&words[1..split], Role::Producer, &settings, &mut alphabet)?;
    let consumer = side(&words[split + 1..], Role::Consumer, &settings, &mut alphabet)?;
    let (mut own, mut other) = (producer.automaton, consumer.automaton);
    split_values(&mut own, &mut other, &mut alphabet);
    for mode in [Mode::Vpa, Mode::Fa] {
        let (found, quick) = timed(RUNS, || on_the_fly(&own, &other, mode));
        let found = found.map_err(|e| e.to_string())?;
        let began = Instant::now();
        let slow = explicit(&own, &other, mode, &mut alphabet, LIMIT);
        let slow = match slow {
            Ok(slow) if slow.is_some() == found.is_some() => {
                format!("agrees, {:?}", began.elapsed())
            }
            Ok(_) => return Err("the two ways disagree".to_owned()),
            Err(e) => e.to_string(),
        };
        let states = determinized_states(&other, mode, &mut alphabet, LIMIT);
        let states = states.map_or_else(|e| e.to_string(), |n| n.to_string());
        let verdict = if found.is_none() { "Y" } else { "N" };
        println!("{mode:?}: {verdict} in {quick:?}; determinized: {states}; explicit: {slow}");
    }
    println!("vacuous: {}", is_vacuous(&other).map_err(|e| e.to_string())?);
    Ok(())
}

/// Reads a side and prints its sizes and times.
fn side(
    files: &[String],
    role: Role,
    settings: &Settings,
    alphabet: &mut Alphabet,
) -> Result<Model, String> {
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    if let [file] = &files[..]
        && file.extension() == Some("toml".as_ref())
    {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        let automaton =
            read::toml::read(&name(file), &text, alphabet).map_err(|e| e.to_string())?;
        println!("{}: |Q| {}", role.name(), automaton.len());
        return Ok(Model::automaton(automaton));
    }
    let began = Instant::now();
    let arguments = settings.arguments.iter().chain(&settings.program(role).arguments);
    let options = canonical::c::Options {
        arguments: arguments.cloned().collect(),
        calls: settings.kept_macros(),
        ..canonical::c::Options::default()
    };
    let program = canonical::c::read(&files, &options);
    let reading = began.elapsed();
    for diagnostic in &program.diagnostics {
        let place = diagnostic.place.map(|place| program.at(place)).unwrap_or_default();
        eprintln!("{place}: {} ({:?})", diagnostic.message, diagnostic.effect);
    }
    let infer = |alphabet: &mut Alphabet| -> Result<(Lowered, Model), String> {
        let lowered = lower(&program, role, settings, None).map_err(|e| e.to_string())?;
        let model = Model::program(lowered.program.clone(), alphabet).map_err(|e| e.to_string())?;
        Ok((lowered, model))
    };
    let (found, inferring) = timed(RUNS, || infer(alphabet));
    let (lowered, model) = found?;
    println!(
        "{}: |Q| {}, functions {} -> {}, calls {}, read in {reading:?}, inferred in {inferring:?}",
        role.name(),
        model.automaton.len(),
        lowered.functions,
        model.functions.unwrap_or_default(),
        lowered.sites.len(),
    );
    let running = &lowered.program;
    let paper = infer_functions(running, &running.able(), &mut Alphabet::default())
        .map_err(|e| e.to_string())?;
    println!(
        "    with functions that never run: |Q| {}, functions {}",
        paper.automaton.len(),
        paper.functions
    );
    Ok(model)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
