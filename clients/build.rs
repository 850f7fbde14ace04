//! Records the versions of the linked-in clients, which the binary reports.

use std::path::Path;

fn main() {
    // The descriptions of clients and the models of interfaces are embedded, so a new file there requires a new build.
    println!("cargo::rerun-if-changed=descriptions");
    println!("cargo::rerun-if-changed=build.rs");
    // A package outside the workspace has its own lock file; inside, it is the workspace's.
    let lock =
        ["Cargo.lock", "../Cargo.lock"].map(Path::new).into_iter().find(|path| path.exists());
    let lock = lock.map_or_else(String::new, |path| {
        println!("cargo::rerun-if-changed={}", path.display());
        std::fs::read_to_string(path).unwrap_or_default()
    });
    for name in ["image", "tiff"] {
        let version = locked_version(&lock, name).unwrap_or_default();
        println!("cargo::rustc-env=REPFUZZ_{}_VERSION={version}", name.to_uppercase());
    }
}

/// Returns the version of a package from the text of a lock file, where cargo writes the version on the line after the
/// name.
fn locked_version<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    after.split('"').next()
}
