//! Selection of clients by the command line.

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::note;
use crate::client::{Catalogue, CatalogueEntry, Client, Hold, Sandbox};

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

    /// Returns the sandbox for the clients of a run, and prints a note of what it does not hold, unless the user wants
    /// none.
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

/// Returns the clients of these `names` and of `extra` (`NAME=COMMAND`), using the descriptions
/// in `describe`. If none are named, returns all that work here and read files with this
/// extension. Prints a note if a sandbox is wanted but none works.
///
/// # Errors
///
/// Returns one line: an unknown or unusable client, or an invalid description.
pub fn select_clients(
    names: &[String],
    extra: &[String],
    describe: &[PathBuf],
    sandboxing: Sandboxing,
    extension: &str,
) -> Result<Vec<Box<dyn Client>>, String> {
    let mut selection = select_working(names, extra, describe, &[], sandboxing, extension);
    match selection.failures.is_empty() {
        true => Ok(selection.clients),
        false => Err(selection.failures.swap_remove(0).why),
    }
}

/// A client that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFailure {
    /// Its name; `None` if the description cannot be read.
    pub name: Option<String>,
    /// The reason, in one line.
    pub why: String,
}

/// The clients that work, and the reasons why others do not.
pub struct Selection {
    /// The clients that can be used.
    pub clients: Vec<Box<dyn Client>>,
    /// The clients that cannot be used.
    pub failures: Vec<ClientFailure>,
}

/// Like [`select_clients`], without the clients that cannot be used. If no client is named, those of
/// `expected` that do not work are failures as well.
pub fn select_working(
    names: &[String],
    extra: &[String],
    describe: &[PathBuf],
    expected: &[String],
    sandboxing: Sandboxing,
    extension: &str,
) -> Selection {
    let sandbox = sandboxing.sandbox();
    let (mut catalogue, errors) = Catalogue::load_usable(describe, sandbox, extension);
    let nameless = |why: String| ClientFailure { name: None, why };
    let mut failures: Vec<ClientFailure> =
        errors.iter().map(|error| nameless(error.to_string())).collect();
    let mut names = names.to_vec();
    for spec in extra {
        match catalogue.add_command_line(spec) {
            Ok(()) => names.extend(spec.split_once('=').map(|(name, _)| name.to_owned())),
            Err(error) => failures.push(nameless(error.to_string())),
        }
    }
    let all = names.is_empty();
    let mut picked = if all { catalogue.ready() } else { Vec::new() };
    let known = |name: &String| picked.iter().any(|entry| entry.info().name == *name);
    let wanted: Vec<&String> =
        if all { expected.iter() } else { names.iter() }.filter(|name| !known(name)).collect();
    // Probed in parallel, one by one, so that one that fails says nothing about others.
    let selected: Vec<_> =
        wanted.par_iter().map(|name| catalogue.select_ready(&[name.as_str()])).collect();
    for (name, selected) in wanted.into_iter().zip(selected) {
        match selected {
            Ok(entries) => {
                let new = |e: &&Arc<CatalogueEntry>| !picked.iter().any(|p| Arc::ptr_eq(p, e));
                let new: Vec<_> = entries.iter().filter(new).cloned().collect();
                picked.extend(new);
            }
            Err(error) => {
                let why = error.to_string();
                failures.push(ClientFailure { name: Some(name.clone()), why });
            }
        }
    }
    let clients = picked.iter().map(|entry| Box::new(entry.client()) as Box<dyn Client>).collect();
    Selection { clients, failures }
}
