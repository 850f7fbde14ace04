//! Selection of clients by the command line.

use std::path::PathBuf;

use super::note;
use crate::client::{Catalogue, Client, Sandbox};

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
    let sandbox = match sandboxing {
        Sandboxing::Wanted => Sandbox::best(),
        Sandboxing::Off => Sandbox::off(),
    };
    if *sandbox == Sandbox::Off && sandboxing == Sandboxing::Wanted {
        note("clients run without a sandbox, because none works here; install bubblewrap");
    }
    let catalogue = Catalogue::load_for(describe, sandbox, extension);
    let mut catalogue = catalogue.map_err(|e| e.to_string())?;
    for spec in extra {
        catalogue.add_command_line(spec).map_err(|e| e.to_string())?;
    }
    let mut names = names.to_vec();
    names.extend(extra.iter().filter_map(|e| Some(e.split_once('=')?.0.to_owned())));
    let picked = if names.is_empty() {
        catalogue.ready()
    } else {
        catalogue.select_ready(&names).map_err(|e| e.to_string())?
    };
    Ok(picked.iter().map(|entry| Box::new(entry.client()) as Box<dyn Client>).collect())
}
