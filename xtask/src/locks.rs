//! Lock files that are older than the manifests they belong to.
//!
//! Packages outside the workspace have separate lock files, which builds of the workspace do not read, so a new
//! dependency of a member makes them stale. Cargo resolves each of them from the index alone, without downloading or
//! building anything.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tree::tracked;

/// The state of a lock file.
#[derive(Debug, PartialEq, Eq)]
enum Lock {
    /// It has all that the manifests need, and nothing else.
    Fresh,
    /// It lacks something, or has something that nothing needs.
    Stale,
    /// The index of the registry could not be reached.
    Unreachable,
    /// Cargo failed otherwise; its message.
    Failed(String),
}

/// Prints a line for each lock file that is stale or could not be checked. Returns the number of those that fail the check:
/// all but those for which only the network is missing.
///
/// # Errors
///
/// Returns an error if git or cargo cannot be run.
pub fn check(root: &Path) -> Result<usize, String> {
    let (mut bad, mut checked) = (0, 0);
    for manifest in roots(root)? {
        let (shown, lock) = (manifest.display(), manifest.with_file_name("Cargo.lock"));
        let lock = lock.display();
        match state(root, &manifest)? {
            Lock::Fresh => checked += 1,
            Lock::Stale => {
                bad += 1;
                println!("{lock} is stale: run `cargo update --workspace --manifest-path {shown}`");
            }
            Lock::Unreachable => {
                println!("SKIPPED: {lock}: the registry's index could not be reached");
            }
            Lock::Failed(why) => {
                bad += 1;
                println!("{lock} could not be checked: {why}");
            }
        }
    }
    println!("lock files: {checked} are up to date, {bad} are not");
    Ok(bad)
}

/// Returns the manifests that have a lock file: those with a `[workspace]` table, relative to the root.
fn roots(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in tracked(root, &["Cargo.toml", "*/Cargo.toml"])? {
        let text = std::fs::read_to_string(root.join(&path));
        let text = text.map_err(|e| format!("{}: {e}", path.display()))?;
        if text.lines().any(|line| line.trim_end() == "[workspace]") {
            found.push(path);
        }
    }
    match found.is_empty() {
        true => Err(format!("git tracks no workspace in {}", root.display())),
        false => Ok(found),
    }
}

/// Resolves a lock file, without the network if that suffices.
fn state(root: &Path, manifest: &Path) -> Result<Lock, String> {
    match resolve(root, manifest, &["--offline"])? {
        Lock::Fresh => Ok(Lock::Fresh),
        _ => resolve(root, manifest, &[]),
    }
}

fn resolve(root: &Path, manifest: &Path, options: &[&str]) -> Result<Lock, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ended = Command::new(cargo)
        .args(["update", "--workspace", "--locked", "--manifest-path"])
        .arg(manifest)
        .args(options)
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo update: {e}"))?;
    Ok(judge(ended.status.success(), &String::from_utf8_lossy(&ended.stderr)))
}

/// Returns the state of a lock file, from cargo's status and messages.
fn judge(success: bool, messages: &str) -> Lock {
    let unreachable = ["failed to download", "failed to fetch", "spurious network error"];
    if success {
        Lock::Fresh
    } else if messages.contains("--locked was passed") {
        Lock::Stale
    } else if unreachable.iter().any(|sign| messages.contains(sign)) {
        Lock::Unreachable
    } else {
        let error = messages.lines().find_map(|line| line.strip_prefix("error: "));
        Lock::Failed(error.unwrap_or("cargo update failed").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Writes a package that depends on one beside it, and a lock file that has `locked`.
    fn package(folder: &Path, locked: &str) {
        for (name, dependencies) in [("one", "two = { path = \"../two\" }"), ("two", "")] {
            let source = folder.join(name).join("src");
            fs::create_dir_all(&source).unwrap();
            fs::write(source.join("lib.rs"), "").unwrap();
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n{dependencies}\n[workspace]\n"
            );
            fs::write(folder.join(name).join("Cargo.toml"), manifest).unwrap();
        }
        fs::write(folder.join("one/Cargo.lock"), format!("version = 4\n\n{locked}")).unwrap();
    }

    #[test]
    fn a_lock_file_that_lacks_a_package_is_stale() {
        let folder = std::env::temp_dir().join(format!("xtask-locks-{}", std::process::id()));
        let two = "[[package]]\nname = \"two\"\nversion = \"0.0.0\"\n";
        let one = "[[package]]\nname = \"one\"\nversion = \"0.0.0\"\n";
        let manifest = Path::new("one/Cargo.toml");
        package(&folder, &format!("{one}dependencies = [\n \"two\",\n]\n\n{two}"));
        assert_eq!(state(&folder, manifest), Ok(Lock::Fresh));
        package(&folder, one);
        assert_eq!(state(&folder, manifest), Ok(Lock::Stale));
        fs::write(folder.join("two/Cargo.toml"), "[package").unwrap();
        assert!(matches!(state(&folder, manifest), Ok(Lock::Failed(_))));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn messages_are_told_apart() {
        let stale =
            "error: the lock file X needs to be updated but --locked was passed to prevent this";
        assert_eq!(judge(false, stale), Lock::Stale);
        let network =
            "error: failed to get `serde`\n\nCaused by:\n  failed to download from `https://…`";
        assert_eq!(judge(false, network), Lock::Unreachable);
        let other = "warning: a\nerror: no matching package named `x` found\nlocation searched: …";
        assert_eq!(judge(false, other), Lock::Failed("no matching package named `x` found".into()));
        assert_eq!(judge(true, ""), Lock::Fresh);
    }
}
