//! Records the versions of the linked-in clients, which the binary reports.

use std::path::Path;

fn main() {
    // The descriptions of clients and the models of interfaces are embedded: a new file there means a new build.
    println!("cargo::rerun-if-changed=descriptions");
    println!("cargo::rerun-if-changed=build.rs");
    // A package has a lock file of its own; in the workspace it is the workspace's.
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

/// Returns the version of a package in the text of a lock file, which cargo writes with the
/// version in the line after the name.
fn locked_version<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    after.split('"').next()
}
