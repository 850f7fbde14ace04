//! `repfuzz fuzz --calls`: sequences of calls on libraries, replayed on equivalent files.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::client_selection::Sandboxing;
use super::fuzz::{FuzzArgs, folder};
use super::{FOUND, Format, SUCCESS, fail, note, processors, say};
use crate::calls::{
    CallsRun, Cause, Driver, Model, Settings, Suite, across, causes, example, page, programs, run,
    table,
};
use campaign::Stop;
use reports::files::{make, put};

/// Replays the sequences of the model `which` on every seed; returns the exit code.
pub fn fuzz(args: &FuzzArgs, which: &str, format: &Format) -> u8 {
    match try_fuzz(args, which, format) {
        Ok(true) => FOUND,
        Ok(false) => SUCCESS,
        Err(why) => fail(why),
    }
}

fn try_fuzz(args: &FuzzArgs, which: &str, format: &Format) -> Result<bool, String> {
    let model = Model::load(which)?;
    let drivers = drivers(args, &model)?;
    let stop = Stop::on_ctrl_c();
    let settings = Settings {
        variants: args.variants,
        seed: args.seed,
        jobs: args.jobs.unwrap_or_else(processors).max(1),
        time: args.time.map(Duration::from_secs),
        reduce_time: args.reduce_time.map(Duration::from_secs),
    };
    let mut runs: Vec<(CallsRun, Suite)> = Vec::new();
    let mut unread: Vec<String> = Vec::new();
    for (place, seed) in args.seeds.iter().enumerate() {
        if stop.ends_variants() {
            break;
        }
        let restriction = args.restriction.restriction();
        let subject = format.open_restricted(seed, args.profile, &restriction)?;
        let shown = seed.display().to_string();
        let (mut result, suite) = run(&model, &drivers, &*subject, &shown, &settings, &stop)?;
        let (dir, before) = match args.seeds.len() {
            1 => (args.report.clone(), String::new()),
            _ => {
                let name = folder(place, seed);
                (args.report.join(&name), format!("{name}/"))
            }
        };
        let extension = format.extension(seed);
        for (number, cause) in result.causes.iter_mut().enumerate() {
            cause.shown_by = format!("{before}{}", example(number, &extension));
        }
        write(&dir, &result, &drivers, &page(&result, &suite.classes, &extension), &extension)
            .map_err(|e| e.to_string())?;
        if args.json {
            say(json!(result));
        } else {
            say(format!("{shown}\n{}report: {}\n", table(&result), dir.join(PAGE).display()));
        }
        if result.drivers.iter().all(|driver| driver.run == 0) {
            unread.push(format!("{shown}: no driver can read it"));
            continue;
        }
        runs.push((result, suite));
    }
    if runs.len() > 1 {
        let faults = across(&runs, &drivers, &settings, &stop)?;
        all_seeds(&args.report, &runs, &faults, args.json).map_err(|e| e.to_string())?;
    }
    // Each of the others has been tried.
    match unread.split_last() {
        None => Ok(runs.iter().any(|(run, _)| run.found())),
        Some((last, others)) => {
            others.iter().for_each(note);
            Err(last.clone())
        }
    }
}

/// Writes and prints the causes of several seeds.
fn all_seeds(
    dir: &Path,
    runs: &[(CallsRun, Suite)],
    faults: &[Cause],
    as_json: bool,
) -> std::io::Result<()> {
    let seeds: Vec<&str> = runs.iter().map(|(run, _)| run.seed.as_str()).collect();
    let result = json!({ "seeds": seeds, "causes": faults });
    put(&dir.join("calls.json"), format!("{result:#}\n"))?;
    if as_json {
        say(result);
    } else {
        say(format!("{} seeds, {} causes\n{}", seeds.len(), faults.len(), causes(faults)));
    }
    Ok(())
}

/// The name of the page in the report's folder.
const PAGE: &str = "calls.html";

/// Returns the drivers of the model and of the command line: the named ones, or all that work here.
fn drivers(args: &FuzzArgs, model: &Model) -> Result<Vec<Driver>, String> {
    let sandbox = Sandboxing::new(args.no_sandbox).sandbox();
    let (mut drivers, failures) = Driver::of(model, &args.describe, &sandbox);
    if let Some(missing) = args.clients.iter().find(|n| !drivers.iter().any(|d| d.name() == *n)) {
        let why = failures.iter().find(|why| why.contains(missing.as_str())).cloned();
        return Err(why.unwrap_or_else(|| format!("no driver is called {missing:?}")));
    }
    if !args.clients.is_empty() || !args.extra.is_empty() {
        drivers.retain(|d| args.clients.iter().any(|name| name == d.name()));
    }
    for command in &args.extra {
        drivers.push(Driver::of_command(command, &sandbox)?);
    }
    match drivers.is_empty() {
        true => Err(failures.into_iter().next().unwrap_or_else(|| "no driver".to_owned())),
        false => {
            failures.iter().for_each(note);
            Ok(drivers)
        }
    }
}

/// Writes the page, the result as JSON, and the files and programs that show causes.
fn write(
    dir: &Path,
    run: &CallsRun,
    drivers: &[Driver],
    page: &str,
    extension: &str,
) -> std::io::Result<()> {
    make(dir)?;
    for (name, text) in programs(&run.causes, drivers, |number| example(number, extension)) {
        put(&dir.join(name), &text)?;
    }
    put(&dir.join(PAGE), page)?;
    put(&dir.join("calls.json"), format!("{:#}\n", json!(run)))?;
    for (number, cause) in run.causes.iter().enumerate() {
        put(&dir.join(example(number, extension)), &cause.file)?;
    }
    Ok(())
}
