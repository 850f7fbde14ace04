//! Checks of the source tree that no other tool makes, and the tests of what has changed.
//!
//! `cargo xtask style` counts headless doc lines, long files, long functions, circles of files, and
//! places around clients that open files by their paths, and fails if a count is above its limit.
//! `CONTRIBUTING.md` explains the limits.
//! `cargo xtask links` fails if a relative link of a Markdown file leads nowhere.
//! `cargo xtask locks` fails if a lock file is not up to date, also outside the workspace.
//! `cargo xtask affected` runs the tests of the packages that have changed.
//! `cargo xtask skipped` fails if a test had nothing to try that is not in `.ci/skipped`.

mod affected;
mod circles;
mod headless;
mod length;
mod links;
mod locks;
mod paths;
mod skipped;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Checks of the source tree that no other tool makes")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count headless doc lines, long files, long functions and circles of files
    Style(Style),
    /// Check the relative links of the Markdown files
    Links {
        /// The root of the source tree
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Check the lock files, also those of the packages outside the workspace
    Locks {
        /// The root of the source tree
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Run the tests of the packages that have changed since a commit
    Affected(affected::Affected),
    /// Compare the tests that reported to be skipped with the list of those that may be
    Skipped {
        /// The output of the tests
        log: PathBuf,
        /// The list: on each line a target, a test, and after `#` the reason
        #[arg(long, default_value = ".ci/skipped")]
        list: PathBuf,
    },
}

#[derive(Args)]
struct Style {
    /// The root of the source tree
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Most doc lines that may begin with a headless clause
    #[arg(long, default_value_t = 10)]
    headless: usize,
    /// Most lines of a file, without its tests
    #[arg(long, default_value_t = 500)]
    file: usize,
    /// Most lines of a function
    #[arg(long, default_value_t = 80)]
    function: usize,
    /// Most circles of files
    #[arg(long, default_value_t = 13)]
    circles: usize,
    /// Only count: exit with 0 whatever the counts are
    #[arg(long)]
    count: bool,
    /// List every headless doc line
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let passed = match Cli::parse().command {
        Command::Style(style) => run(&style),
        Command::Links { root } => links::broken(&root).map(|broken| {
            broken.iter().for_each(|link| println!("{link}"));
            println!("broken links: {}", broken.len());
            broken.is_empty()
        }),
        Command::Locks { root } => locks::check(&root).map(|bad| bad == 0),
        Command::Affected(affected) => affected::test(&affected),
        Command::Skipped { log, list } => skipped::check(&log, &list),
    };
    match passed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Prints the counts. Returns false if one is above its limit.
fn run(style: &Style) -> Result<bool, String> {
    let files = tree::source_files(&style.root)?;
    let headless = headless::lines(&files);
    let (long_files, long_functions) = length::long(&files, style.file, style.function);
    let circles = circles::circles(&files);
    let paths = paths::opened(&files);

    let mut good = true;
    let mut report = |what: &str, found: &[String], most: usize, list: bool| {
        good &= found.len() <= most;
        println!("{what}: {} (at most {most})", found.len());
        if list {
            found.iter().for_each(|line| println!("  {line}"));
        }
    };
    let list = style.list || headless.len() > style.headless && !style.count;
    report("headless doc lines", &headless, style.headless, list);
    report(&format!("files above {} lines", style.file), &long_files, 0, true);
    report(&format!("functions above {} lines", style.function), &long_functions, 0, true);
    report("circles of files", &circles, style.circles, true);
    report("files of clients opened by path", &paths, 0, true);
    Ok(good || style.count)
}
