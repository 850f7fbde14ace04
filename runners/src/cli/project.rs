//! `repfuzz.toml`: the options of the ordinary runs of a project, in its folder.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde::Deserialize;

use super::fuzz::FuzzArgs;
use super::{ProfileName, note};
use equivalents::max_size::MaxSize;
use reports::nightly::{FileError, matching, read_toml};

/// The name of the file.
pub const PROJECT: &str = "repfuzz.toml";

/// Options of `repfuzz fuzz` that apply unless the command line sets them. The keys are those of `nightly.toml`. Paths
/// are relative to the file's folder, which is the current one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    seeds: Option<Vec<String>>,
    clients: Option<Vec<String>>,
    client: Option<Vec<String>>,
    describe: Option<Vec<PathBuf>>,
    python: Option<PathBuf>,
    format: Option<PathBuf>,
    vary: Option<Vec<String>>,
    without: Option<Vec<String>>,
    fix: Option<Vec<String>>,
    wide: Option<bool>,
    number: Option<u64>,
    variants: Option<NonZeroUsize>,
    time_s: Option<u64>,
    reduce_time_s: Option<u64>,
    max_size: Option<MaxSize>,
    jobs: Option<NonZeroUsize>,
    hang_limit: Option<usize>,
    accepted: Option<PathBuf>,
    report: Option<PathBuf>,
}

/// Completes the arguments from the file in the current folder, if there is one. `matches` are those of `repfuzz fuzz`.
///
/// # Errors
///
/// Returns one line if the file cannot be read.
pub fn complete(args: &mut FuzzArgs, matches: &ArgMatches) -> Result<(), FileError> {
    let path = Path::new(PROJECT);
    if path.exists() {
        apply(args, matches, read_toml(path)?)?;
        note(format!("the options of {PROJECT} hold, but for those on the command line"));
    }
    Ok(())
}

/// Sets each option that is in the file but not on the command line.
fn apply(args: &mut FuzzArgs, matches: &ArgMatches, project: Project) -> Result<(), FileError> {
    let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    fn set<T>(given: bool, from: Option<T>, to: &mut T) {
        if let Some(value) = from.filter(|_| !given) {
            *to = value;
        }
    }
    if args.seeds.is_empty()
        && let Some(patterns) = &project.seeds
    {
        for pattern in patterns {
            args.seeds.extend(matching(pattern, Path::new(PROJECT))?.0);
        }
        let mut seen = BTreeSet::new();
        args.seeds.retain(|seed| seen.insert(seed.clone()));
    }
    // A client defined on the command line also replaces those of the file.
    let clients = given("clients") || given("extra");
    set(clients, project.clients, &mut args.clients);
    set(clients, project.client, &mut args.extra);
    set(given("describe"), project.describe, &mut args.describe);
    set(given("python"), project.python.map(Some), &mut args.python);
    set(given("spec"), project.format.map(Some), &mut args.format.spec);
    set(given("max_size"), project.max_size, &mut args.format.size.max_size);
    set(given("vary"), project.vary, &mut args.restriction.vary);
    set(given("without"), project.without, &mut args.restriction.without);
    set(given("fix"), project.fix, &mut args.restriction.fix);
    let profile = |wide| if wide { ProfileName::Wide } else { ProfileName::Strict };
    set(given("profile"), project.wide.map(profile), &mut args.profile);
    set(given("seed"), project.number, &mut args.seed);
    set(given("variants"), project.variants.map(NonZeroUsize::get), &mut args.variants);
    set(given("time"), project.time_s.map(Some), &mut args.time);
    set(given("reduce_time"), project.reduce_time_s.map(Some), &mut args.reduce_time);
    set(given("jobs"), project.jobs.map(|n| Some(n.get())), &mut args.jobs);
    set(given("hang_limit"), project.hang_limit, &mut args.hang_limit);
    set(given("accepted"), project.accepted, &mut args.accepted);
    set(given("report"), project.report, &mut args.report);
    Ok(())
}
