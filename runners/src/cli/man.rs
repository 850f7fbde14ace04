//! `repfuzz man`: writes the manual pages.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};

use super::{SUCCESS, fail};
use reports::files::{make, put};

/// Write manual pages for all subcommands
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Folder for the pages, such as ~/.local/share/man/man1
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Writes the pages of `command`, which is the whole command line; returns the exit code.
pub fn run(args: &ManArgs, command: Command) -> u8 {
    // `repfuzz help` has no separate page.
    let mut command = command.disable_help_subcommand(true);
    // Sets the full names of subcommands, such as `repfuzz fuzz`.
    command.build();
    match pages(&args.output, &command) {
        Ok(()) => SUCCESS,
        Err(error) => fail(error),
    }
}

/// The section that `clap_mangen` does not support.
const EXIT_STATUS: &str = r#".SH "EXIT STATUS"
.TP
0
Success.
.TP
1
The command ran, and found something: a difference between files or clients, a new finding, a spec
whose inverse fails its check, or a client that is not ready.
.TP
2
The command failed. Standard error has the reason.
"#;

fn pages(folder: &Path, command: &Command) -> io::Result<()> {
    make(folder)?;
    let release = format!("repfuzz {}", command.get_version().unwrap_or_default());
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    for command in [command].into_iter().chain(shown) {
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim().to_owned();
        let several = command.has_subcommands();
        let man = clap_mangen::Man::new(command.clone().override_usage(usage));
        let man = man.source(&release).manual("repfuzz manual");
        let mut page = Vec::new();
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        if several {
            man.render_subcommands_section(&mut page)?;
        }
        page.extend(EXIT_STATUS.as_bytes());
        put(&folder.join(man.get_filename()), page)?;
    }
    Ok(())
}
