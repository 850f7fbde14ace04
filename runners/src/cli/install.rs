//! `repfuzz clients --install`: installs Debian packages, then the tools of each client.

use std::sync::Arc;

use super::{fail, warn};
use clients::{Catalogue, CatalogueEntry, CatalogueError, tools};

/// Resolves names, `all` and `fast` to clients.
///
/// # Errors
///
/// Returns an error if a name is unknown.
pub fn chosen(
    catalogue: &Catalogue,
    words: &[String],
) -> Result<Vec<Arc<CatalogueEntry>>, CatalogueError> {
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

/// Installs the clients and reports each step on standard error. Continues after a failure, and
/// returns false if there was one.
pub fn install(entries: &[Arc<CatalogueEntry>]) -> bool {
    let named = entries.iter().flat_map(|entry| entry.info().install.iter().cloned());
    // Clients do not list their sandbox.
    let packages: Vec<String> = named.chain(["bubblewrap".to_owned()]).collect();
    let mut fine = match tools::apt::install(&packages, &mut |step| warn(format!("{step}\n"))) {
        Err(e) => {
            fail(e);
            false
        }
        Ok(installed) => {
            if !installed.unknown.is_empty() {
                fail(format!(
                    "not available in this distribution: {}",
                    installed.unknown.join(" ")
                ));
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
        if let Err(e) = tools::install(description, &mut |step| warn(format!("{name}: {step}\n"))) {
            fail(format!("{name}: {e}"));
            fine = false;
        }
    }
    fine
}
