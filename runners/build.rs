//! Tells the code which versions of the linked-in clients it is built with.

use std::path::Path;

fn main() {
    // The shipped descriptions are embedded: a new file there means a new build.
    println!("cargo::rerun-if-changed=../corpus/clients");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["image", "tiff"] {
        let version = locked_version(Path::new("../Cargo.lock"), name).unwrap_or_default();
        println!("cargo::rustc-env=REPFUZZ_{}_VERSION={version}", name.to_uppercase());
    }
}

/// The version of a package in the lock file; nothing if there is no lock file.
fn locked_version(lock: &Path, name: &str) -> Option<String> {
    let lock: toml::Table = std::fs::read_to_string(lock).ok()?.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let package = packages.iter().find(|p| p.get("name").and_then(|n| n.as_str()) == Some(name))?;
    Some(package.get("version")?.as_str()?.to_string())
}
