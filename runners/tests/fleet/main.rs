//! Fleets: a real `nats-server`, which each test starts for itself. Where there is none, tests are skipped, which
//! is printed.
//!
//! `cargo test --release -p repfuzz -F fleet --test fleet -- --ignored --nocapture` also measures, and kills fifty times.

#![cfg(feature = "fleet")]

mod dead;
mod ends;
mod fleet;
mod formats;
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

use test_support::{installed, skipped};

/// Prints a line past the harness's capture.
fn note(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
