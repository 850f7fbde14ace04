//! The clients that a command line names.

use std::path::PathBuf;

use super::note;
use crate::client::{Catalogue, Client, Sandbox};

/// The clients of these `names` and those of `extra` (`NAME=COMMAND`), with the descriptions
/// in `describe`; if none are named, all that work here and read files with this ending. In a sandbox, if `sandboxed`; where none
/// works, that is noted.
///
/// # Errors
///
/// One line: a client that is not known or does not work here, a description that is wrong.
pub fn pick(
    names: &[String],
    extra: &[String],
    describe: &[PathBuf],
    sandboxed: bool,
    extension: &str,
) -> Result<Vec<Box<dyn Client>>, String> {
    let sandbox = if sandboxed { Sandbox::best() } else { Sandbox::off() };
    if *sandbox == Sandbox::Off && sandboxed {
        note("clients run without a sandbox, for none works here: install bubblewrap");
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
