//! Fleets: a real `nats-server`, which each test starts for itself. Where there is none, tests are skipped, which
//! is printed.
//!
//! `cargo test --release -p repfuzz --test fleet -- --ignored --nocapture` also measures, and kills fifty times.

#![cfg(feature = "fleet")]

mod dead;
mod ends;
mod fleet;
mod hostile;
mod kills;
mod losses;
mod machines;
mod measure;
mod nats;
mod night;
mod secure;
mod slurm;
mod view;

use std::io::Write;

/// Returns true if a program is installed; if not, prints a note past the harness's capture.
fn installed(program: &str, test: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let sbin = ["/usr/sbin", "/usr/local/sbin"].map(Into::into);
    let there =
        std::env::split_paths(&path).chain(sbin).any(|folder| folder.join(program).is_file());
    if !there {
        note(&format!("SKIPPED {test}: no {program}"));
    }
    there
}

/// Prints a line past the harness's capture.
fn note(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
