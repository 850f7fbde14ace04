//! `repfuzz man`: writes the manual pages.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};

use super::{SUCCESS, fail};
use crate::files::{make, put};

/// Write manual pages for all subcommands
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Folder for the pages, such as ~/.local/share/man/man1
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Writes the pages of `command`, the whole command line; returns the exit code.
pub fn run(args: &ManArgs, mut command: Command) -> u8 {
    // Sets the full names of subcommands, such as `repfuzz fuzz`.
    command.build();
    match pages(&args.output, &command) {
        Ok(()) => SUCCESS,
        Err(error) => fail(error),
    }
}

fn pages(folder: &Path, command: &Command) -> io::Result<()> {
    make(folder)?;
    let subcommands = command.get_subcommands().filter(|c| c.get_name() != "help");
    for command in [command].into_iter().chain(subcommands) {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        put(&folder.join(man.get_filename()), page)?;
    }
    Ok(())
}
