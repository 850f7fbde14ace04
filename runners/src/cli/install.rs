//! `repfuzz clients --install`: Debian packages for all, then what each client needs alone.

use std::sync::Arc;

use super::trouble;
use crate::client::{Catalogue, CatalogueError, Entry, tools};

/// The clients that the words mean: names, `all`, or `fast`.
///
/// # Errors
///
/// If a word is no client's name.
pub fn chosen(catalogue: &Catalogue, words: &[String]) -> Result<Vec<Arc<Entry>>, CatalogueError> {
    let mut names: Vec<String> = Vec::new();
    for word in words {
        match word.trim() {
            "all" => names.extend(catalogue.entries().iter().map(|e| e.info().name.clone())),
            "fast" => names.extend(Catalogue::fast().map(str::to_owned)),
            name => names.push(name.to_owned()),
        }
    }
    catalogue.select(&names)
}

/// Installs the clients, and tells on standard error what it does. What cannot be installed is said, and the others still are; `false`
/// if there was any such.
pub fn install(entries: &[Arc<Entry>]) -> bool {
    let named = entries.iter().flat_map(|entry| entry.info().install.iter().cloned());
    // What holds them is not theirs to ask for.
    let packages: Vec<String> = named.chain(["bubblewrap".to_owned()]).collect();
    let mut fine = match tools::apt::install(&packages, &mut |step| eprintln!("{step}")) {
        Err(e) => {
            trouble(e);
            false
        }
        Ok(installed) => {
            if !installed.unknown.is_empty() {
                trouble(format!("this distribution has no {}", installed.unknown.join(" ")));
            }
            installed.unknown.is_empty() && installed.failed.is_empty()
        }
    };
    for entry in entries {
        let Some(description) = entry.description() else { continue };
        if tools::missing(description).is_none() {
            continue;
        }
        let name = &entry.info().name;
        if let Err(e) = tools::install(description, &mut |step| eprintln!("{name}: {step}")) {
            trouble(format!("{name}: {e}"));
            fine = false;
        }
    }
    fine
}
