//! Selection of clients by the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::format::Format;
use super::{ProfileName, note};
#[cfg(feature = "fleet")]
use clients::description::TIFF;
use clients::{
    Availability, Catalogue, CatalogueEntry, CatalogueError, Client, ClientFailure, Hold, Sandbox,
    Selection, Selections, UnusableClient,
};
#[cfg(feature = "fleet")]
use fleet::work::Offered;

/// The user's decision on sandboxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandboxing {
    /// Run clients in the best sandbox that works.
    Wanted,
    /// Run clients without a sandbox.
    Off,
}

impl Sandboxing {
    /// Returns [`Sandboxing::Off`] if the user requested it.
    pub fn new(no_sandbox: bool) -> Self {
        if no_sandbox { Self::Off } else { Self::Wanted }
    }

    /// Returns the sandbox for the clients of a run, and prints a note about what it does not prevent, unless the user
    /// wants no sandbox.
    pub fn sandbox(self) -> Arc<Sandbox> {
        if self == Self::Off {
            return Sandbox::off();
        }
        let sandbox = Sandbox::best();
        if let Some(warning) = Sandbox::warning() {
            note(format!("warning: {warning}"));
        }
        if *sandbox == Sandbox::Off {
            note("clients run without a sandbox, because none works here; install bubblewrap");
            return sandbox;
        }
        let guarantees = sandbox.guarantees();
        let open: Vec<&str> =
            guarantees.iter().filter(|g| g.hold == Hold::Open).map(|g| g.subject).collect();
        if !open.is_empty() {
            let (name, open) = (sandbox.name(), open.join(", "));
            note(format!(
                "the sandbox of clients ({name}) does not hold: {open}; `repfuzz clients` says why, and what to do"
            ));
        }
        sandbox
    }
}

/// The seeds of a run. Clients that fail on the plain pictures are tried on them; a client that reads one of them can
/// be used.
#[derive(Clone, Copy)]
pub struct Seeds<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// The format of the seeds.
    pub format: &'a Format,
    /// The file name extension of the format.
    pub extension: &'a str,
}

impl Seeds<'_> {
    /// Returns true if `client` reads one of the seeds. Stops at the first hang.
    fn are_shown_by(&self, client: &CatalogueEntry) -> bool {
        let shown = |path: &PathBuf| {
            let Ok(bytes) = self.format.bytes(path) else { return Some(false) };
            let open = || self.format.open(path, ProfileName::default());
            client.shows(&bytes, || open().ok().map(|seed| seed.picture().clone()))
        };
        self.files.iter().map_while(shown).any(|shown| shown)
    }
}

/// Returns the client that an option names: by its name, or by a name and a command line.
///
/// # Errors
///
/// As [`select_clients`].
pub fn select_client(
    named: &str,
    describe: &[PathBuf],
    sandboxing: Sandboxing,
    (seed, format): (&PathBuf, &Format),
) -> Result<Vec<Box<dyn Client>>, String> {
    let one = [named.to_owned()];
    let (names, extra): (&[String], &[String]) =
        if named.contains('=') { (&[], &one) } else { (&one, &[]) };
    let extension = format.extension(seed);
    let seeds = Seeds { files: std::slice::from_ref(seed), format, extension: &extension };
    select_clients(Wanted { names, extra, describe, python: None }, sandboxing, seeds)
}

/// Returns the clients that are `wanted`. If none are named, returns all that work here and read files with the
/// extension of `seeds`. Prints a note if a sandbox is wanted but none works.
///
/// Notes a named client that does not work or has no description. Returns it as a client that cannot be run, so that
/// the results of the run report it.
///
/// # Errors
///
/// Returns a one-line message if a description is invalid or none of the named clients works.
pub fn select_clients(
    wanted: Wanted<'_>,
    sandboxing: Sandboxing,
    seeds: Seeds<'_>,
) -> Result<Vec<Box<dyn Client>>, String> {
    let picked = pick(wanted, &[], sandboxing.sandbox(), seeds, Fit::Any);
    let (mut clients, mut unusable) = (boxed(&picked.entries), Vec::new());
    for Failure { name, error } in picked.failures {
        let client = name.as_deref().and_then(|name| picked.catalogue.get(name).ok());
        let client = match (&error, client) {
            (CatalogueError::Unusable { why, .. }, Some(entry)) => {
                UnusableClient::new(entry.client(), why.clone())
            }
            (CatalogueError::Unknown { name, .. }, _) => {
                UnusableClient::unknown(name, error.to_string())
            }
            _ => return Err(error.to_string()),
        };
        unusable.push((error.to_string(), Box::new(client) as Box<dyn Client>));
    }
    if clients.is_empty() && !unusable.is_empty() {
        let reasons: Vec<String> = unusable.into_iter().map(|(why, _)| why).collect();
        return Err(reasons.join("; "));
    }
    for (why, client) in unusable {
        let then = if why.ends_with('?') { " The" } else { "; the" };
        note(format!("{why}{then} run goes on without it"));
        clients.push(client);
    }
    Ok(clients)
}

fn boxed(entries: &[Arc<CatalogueEntry>]) -> Vec<Box<dyn Client>> {
    entries.iter().map(|entry| Box::new(entry.client()) as Box<dyn Client>).collect()
}

/// The clients that the user requests.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The names of the clients. If there are none, all clients that work are used.
    pub names: &'a [String],
    /// Additional clients, as `NAME=COMMAND`.
    pub extra: &'a [String],
    /// Additional descriptions.
    pub describe: &'a [PathBuf],
    /// The interpreter of clients that are Python packages, in place of their own environments.
    pub python: Option<&'a Path>,
}

/// Returns the clients of a night for each of these `kinds` of seeds: the clients whose descriptions list the
/// extension, and the clients of command lines. If no client is named, those of `expected` that do not work are
/// failures as well.
pub fn select_for_night(
    wanted: Wanted<'_>,
    expected: &[String],
    sandboxing: Sandboxing,
    kinds: &[Seeds<'_>],
) -> Selections {
    let sandbox = sandboxing.sandbox();
    let (mut all, mut unfit) = (Vec::new(), BTreeMap::new());
    for seeds in kinds {
        let picked = pick(wanted, expected, Arc::clone(&sandbox), *seeds, Fit::Described);
        let failure = |Failure { name, error }| ClientFailure { name, why: error.to_string() };
        let failures = picked.failures.into_iter().map(failure).collect();
        all.push(Selection { clients: boxed(&picked.entries), failures });
        unfit.extend(picked.unfit);
    }
    let mut all = Selections::of(all);
    // The seeds of an earlier night may have had other formats.
    unfit.retain(|name, _| wanted.names.contains(name) && !all.uses(name));
    unfit.retain(|name, _| all.failures.iter().all(|failed| failed.name.as_ref() != Some(name)));
    let extensions: Vec<&str> = kinds.iter().map(|seeds| seeds.extension).collect();
    let failure =
        |(name, formats): (&String, &Vec<String>)| ClientFailure::unfit(name, formats, &extensions);
    all.failures.extend(unfit.iter().map(failure));
    all
}

/// Returns the clients that a worker offers, which are those that work here for any format, and the reasons why others
/// are not offered. A client that fails on a plain TIFF file is offered for other files if it reads any of them.
#[cfg(feature = "fleet")]
pub fn select_for_work(wanted: Wanted<'_>, sandboxing: Sandboxing) -> (Vec<Offered>, Vec<String>) {
    let sandbox = sandboxing.sandbox();
    let (mut catalogue, errors) =
        Catalogue::load_usable(wanted.describe, wanted.python, sandbox, TIFF);
    let mut failures: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let (names, errors) = add_extra(&mut catalogue, wanted);
    failures.extend(errors.iter().map(|failure| failure.error.to_string()));
    catalogue.entries().par_iter().for_each(|entry| {
        if names.is_empty() || names.contains(&entry.info().name) {
            entry.state();
        }
    });
    let mut offered = Vec::new();
    let all = catalogue.entries().iter().map(|entry| entry.info().name.clone());
    let chosen = if names.is_empty() { all.collect() } else { names.clone() };
    for name in chosen {
        let error = catalogue.select_ready(&[name.as_str()]).err().map(|error| error.to_string());
        let Ok(entry) = catalogue.get(name.trim()) else {
            failures.extend(error);
            continue;
        };
        let formats = entry.client().formats();
        let others = formats.is_none_or(|formats| formats.iter().any(|format| format != TIFF));
        let unusable = match (entry.state(), error) {
            (_, None) => BTreeMap::new(),
            (Availability::Broken { .. }, Some(why)) if others => {
                failures.push(format!("{why}; it is offered for other files than TIFF"));
                BTreeMap::from([(TIFF.to_owned(), why)])
            }
            (Availability::Missing { .. }, _) if names.is_empty() => continue,
            (_, Some(why)) => {
                failures.push(why);
                continue;
            }
        };
        offered.push(Offered { client: entry.client(), unusable });
    }
    (offered, failures)
}

/// The requested clients of a catalogue.
struct Picked {
    catalogue: Catalogue,
    /// The clients that work.
    entries: Vec<Arc<CatalogueEntry>>,
    failures: Vec<Failure>,
    /// The requested clients whose descriptions do not list the format of the seeds, each with its name and its
    /// formats.
    unfit: Vec<(String, Vec<String>)>,
}

/// A client that cannot be used, or a description that cannot be read.
struct Failure {
    name: Option<String>,
    error: CatalogueError,
}

/// The clients that are picked by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// All clients, regardless of their descriptions.
    Any,
    /// The clients whose descriptions say that they read such files.
    Described,
}

/// Adds the clients of command lines to a catalogue. Returns the names of all wanted clients, and the failures.
fn add_extra(catalogue: &mut Catalogue, wanted: Wanted<'_>) -> (Vec<String>, Vec<Failure>) {
    let (mut names, mut failures) = (wanted.names.to_vec(), Vec::new());
    for spec in wanted.extra {
        match catalogue.add_command_line(spec) {
            Ok(()) => names.extend(spec.split_once('=').map(|(name, _)| name.trim().to_owned())),
            Err(error) => failures.push(Failure { name: None, error }),
        }
    }
    (names, failures)
}

/// Picks the clients that are `wanted` for `seeds`. If no client is named, picks all clients that work and read such
/// files, and those of `expected` that do not work are failures.
fn pick(
    wanted: Wanted<'_>,
    expected: &[String],
    sandbox: Arc<Sandbox>,
    seeds: Seeds<'_>,
    fit: Fit,
) -> Picked {
    let extension = seeds.extension;
    let (mut catalogue, errors) =
        Catalogue::load_usable(wanted.describe, wanted.python, sandbox, extension);
    let nameless = |error| Failure { name: None, error };
    let mut failures: Vec<Failure> = errors.into_iter().map(nameless).collect();
    let (names, errors) = add_extra(&mut catalogue, wanted);
    failures.extend(errors);
    let all = names.is_empty();
    let shows_seed = |entry: &CatalogueEntry| seeds.are_shown_by(entry);
    let mut entries = if all { catalogue.ready() } else { Vec::new() };
    if all {
        let broken = |e: &&Arc<CatalogueEntry>| {
            e.reads(extension) && matches!(e.state(), Availability::Broken { .. })
        };
        let broken = catalogue.entries().par_iter().filter(broken);
        entries.extend(broken.filter(|e| shows_seed(e)).cloned().collect::<Vec<_>>());
    }
    let known = |name: &String| entries.iter().any(|entry| entry.info().name == *name);
    let mut wanted: Vec<String> = match all {
        true => expected.iter().filter(|name| !known(name)).cloned().collect(),
        false => names,
    };
    let mut unfit = Vec::new();
    if fit == Fit::Described {
        wanted.retain(|name| {
            let Ok(entry) = catalogue.get(name.trim()) else { return true };
            let reads = entry.reads(extension);
            if !reads {
                unfit.push((name.clone(), entry.client().formats().unwrap_or_default()));
            }
            reads
        });
    }
    if all {
        let noted = |name: &String| known(name) || wanted.contains(name);
        note_broken(&catalogue, extension, noted);
    }
    // Clients are probed in parallel but separately, so that a failure does not affect others.
    let select = |name: &String| match catalogue.get(name.trim()) {
        Ok(entry) if shows_seed(entry) => Ok(vec![entry.clone()]),
        _ => catalogue.select_ready(&[name.as_str()]),
    };
    let selected: Vec<_> = wanted.par_iter().map(select).collect();
    for (name, selected) in wanted.into_iter().zip(selected) {
        match selected {
            Ok(found) => {
                let new = |e: &&Arc<CatalogueEntry>| !entries.iter().any(|p| Arc::ptr_eq(p, e));
                let new: Vec<_> = found.iter().filter(new).cloned().collect();
                entries.extend(new);
            }
            Err(error) => failures.push(Failure { name: Some(name), error }),
        }
    }
    Picked { catalogue, entries, failures, unfit }
}

/// If all clients that work are used, notes those that are installed and do not work, except those that are `used` or
/// noted anyway.
fn note_broken(catalogue: &Catalogue, extension: &str, used: impl Fn(&String) -> bool) {
    let all = catalogue.entries().iter().filter(|entry| entry.reads(extension));
    for entry in all {
        let name = &entry.info().name;
        if let (Availability::Broken { why, .. }, false) = (entry.state(), used(name)) {
            note(format!("{name} is left out: {why}"));
        }
    }
}
