//! `repfuzz formats`: the formats that ship.

use clap::Args;

use super::{SUCCESS, say, wrapped};
use normalizers::shipped;

/// The columns of a terminal.
const WIDTH: usize = 80;
/// The columns of a name.
const NAME: usize = 10;

/// List the formats that ship: names for --format
///
/// A file of one of them is recognized by its first bytes, or by the end of its name. Other formats are
/// described by a spec of your own: see `repfuzz new` and docs/write-a-spec.md.
#[derive(Debug, Clone, Args)]
pub struct FormatsArgs {}

/// Runs the command; returns the exit code.
pub fn run(_: &FormatsArgs) -> u8 {
    let tiff =
        "TIFF 6.0 and BigTIFF: pages, strips and tiles, all that `repfuzz dimensions` lists.";
    let mut all: Vec<(&str, String)> = shipped::descriptions().collect();
    all.push(("tiff", tiff.to_owned()));
    all.sort_unstable();
    for (name, text) in all {
        for (k, line) in wrapped(&text, WIDTH - NAME).into_iter().enumerate() {
            say(format_args!("{:NAME$}{line}", if k == 0 { name } else { "" }));
        }
    }
    SUCCESS
}
