//! Installation of Debian packages.

use std::ffi::OsString;
use std::path::Path;

use super::install::{InstallError, run};
use crate::executable;

/// The packages that could not be installed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Packages that this distribution does not have.
    pub unknown: Vec<String>,
    /// Packages whose installation failed.
    pub failed: Vec<String>,
}

/// Installs packages as root or with `sudo`, without recommended packages. Skips packages that are installed or that
/// this distribution does not have. Calls `say` with each step.
///
/// # Errors
///
/// Returns an error if neither root nor `sudo` is available.
pub fn install(packages: &[String], say: &mut dyn FnMut(&str)) -> Result<Installed, InstallError> {
    let mut wanted: Vec<&str> = packages.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.retain(|package| !is_installed(package));
    let mut installed = Installed::default();
    if wanted.is_empty() {
        return Ok(installed);
    }
    let Some(root) = become_root() else {
        return Err(InstallError::NotAllowed(format!(
            "neither root nor sudo without a password; install these first: {}",
            wanted.join(" ")
        )));
    };
    // Old lists may name files that no longer exist. Without a network they may still work.
    if let Err(e) = apt_get(&root, &["update"], &[]) {
        say(&format!("apt-get update failed: {e}"));
    }
    let known = |package: &&str| {
        let words = ["apt-cache", "show", "--quiet", package].map(OsString::from);
        run(Path::new("/"), &words).is_ok()
    };
    let (there, unknown): (Vec<&str>, Vec<&str>) = wanted.into_iter().partition(known);
    installed.unknown = unknown.into_iter().map(str::to_string).collect();
    if !there.is_empty() {
        say(&format!("apt-get install {}", there.join(" ")));
        let options = ["install", "--yes", "--no-install-recommends"];
        if apt_get(&root, &options, &there).is_err() {
            // One conflicting package must not prevent the installation of the others.
            for package in there {
                if let Err(e) = apt_get(&root, &options, &[package]) {
                    say(&format!("{package}: {e}"));
                    installed.failed.push(package.to_string());
                }
            }
        }
    }
    Ok(installed)
}

fn is_installed(package: &str) -> bool {
    // A program such as npm may have been installed in another way.
    if executable::exists(package) {
        return true;
    }
    let words = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}", package];
    run(Path::new("/"), &words.map(OsString::from)).is_ok_and(|status| status == "installed")
}

/// Returns the prefix that runs a command as root.
fn become_root() -> Option<Vec<&'static str>> {
    if rustix::process::geteuid().is_root() {
        return Some(Vec::new());
    }
    let sudo = ["sudo", "--non-interactive", "true"].map(OsString::from);
    run(Path::new("/"), &sudo).is_ok().then(|| vec!["sudo", "--non-interactive"])
}

fn apt_get(root: &[&str], options: &[&str], packages: &[&str]) -> Result<String, InstallError> {
    let start = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--quiet"];
    let words = root.iter().chain(&start).chain(options).chain(packages);
    let ran = run(Path::new("/"), &words.map(OsString::from).collect::<Vec<_>>());
    ran.map_err(|error| match error {
        InstallError::Failed { words, .. } => {
            InstallError::Failed { program: "apt-get".to_string(), words }
        }
        other => other,
    })
}
