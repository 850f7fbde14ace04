//! `repfuzz new`: writes the starting files of a new format.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{SUCCESS, fail, say};

const SPEC: &str = include_str!("new_files/spec.rs");
const CLIENT: &str = include_str!("new_files/client.toml");
const READER: &str = include_str!("new_files/reader.py");

/// Write a spec to start from, a tiny seed, and a client with its description
#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    /// Name of the format: its file name extension
    #[arg(value_name = "NAME", value_parser = name)]
    pub name: String,
    /// Folder for the files
    #[arg(short, long, default_value = ".", value_name = "DIR")]
    pub output: PathBuf,
}

fn name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    match (1..=8).contains(&text.len()) && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("must be 1 to 8 lower-case letters or digits".to_owned()),
    }
}

/// A picture of 3 by 2 pixels in the format of the spec.
fn seed() -> Vec<u8> {
    let mut file = b"PIC1".to_vec();
    file.extend(16u32.to_le_bytes());
    file.extend([3u16, 2, 4, 0].map(u16::to_le_bytes).concat());
    file.extend([0, 128, 255, 0, 255, 64, 32, 0]);
    file
}

/// Runs the command; returns the exit code.
pub fn run(args: &NewArgs) -> u8 {
    let NewArgs { name, output } = args;
    let named = |text: &str| text.replace("NAME", name).into_bytes();
    let files = [
        (output.join(format!("{name}.rs")), named(SPEC)),
        (output.join(format!("seed.{name}")), seed()),
        (output.join(format!("{name}-client.toml")), named(CLIENT)),
        (output.join(format!("read-{name}.py")), named(READER)),
    ];
    if let Err(e) = std::fs::create_dir_all(output) {
        return fail(format!("{}: {e}", output.display()));
    }
    for (path, bytes) in &files {
        if let Err(e) = write(path, bytes) {
            return fail(format!("{}: {e}", path.display()));
        }
        say(path.display());
    }
    let [spec, seed, client, _] = &files;
    let (spec, seed, client) = (spec.0.display(), seed.0.display(), client.0.display());
    say(format!("next: repfuzz variants {seed} --spec {spec} -n 10 -o variants"));
    say(format!(
        "then: repfuzz fuzz {seed} --spec {spec} --describe {client} --clients {name}-reader"
    ));
    SUCCESS
}

/// Writes a file that does not exist yet.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}
