//! `repfuzz completions`: prints a completion script for a shell.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use super::{SUCCESS, fail};

/// Print a completion script for a shell
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// Shell to complete commands in
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the script for `command`, the whole command line; returns the exit code.
pub fn run(args: &CompletionsArgs, mut command: Command) -> u8 {
    let name = command.get_name().to_owned();
    // The script is buffered, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    match io::stdout().write_all(&script) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => fail(e),
        _ => SUCCESS,
    }
}
