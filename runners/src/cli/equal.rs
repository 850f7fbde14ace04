//! `repfuzz equal`: compares the meaning of two files.

use std::path::PathBuf;

use clap::Args;

use super::{FOUND, FormatArgs, ProfileName, SUCCESS, fail, say};

/// Compare the meaning of two files
///
/// The exit code is 0 if they mean the same, 1 if not, and 2 if a file cannot be read. Pages that one
/// file has after the last of the other are not compared.
#[derive(Debug, Clone, Args)]
pub struct EqualArgs {
    /// One file
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The other file
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Format of the files.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Printed for a canonical value that is a picture if the other one is not.
const PICTURE: &str = "a picture of exact colors";

/// Runs the command; returns the exit code.
pub fn run(args: &EqualArgs) -> u8 {
    let format = match args.format.format(&[&args.a, &args.b]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    let open = |path| format.open(path, ProfileName::default());
    let (a, b) = match (open(&args.a), open(&args.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(why), _) | (_, Err(why)) => return fail(format!("cannot compare: {why}")),
    };
    if a.picture() == b.picture() {
        let Some((number, own, other)) = a.differing_page(&*b) else { return SUCCESS };
        say(format!("page {number}: {own}\npage {number}: {other}"));
        return FOUND;
    }
    match (a.value(), b.value()) {
        (None, None) => say(reports::report::compare(a.picture(), b.picture())),
        (a, b) => {
            say(format!("{}\n{}", a.as_deref().unwrap_or(PICTURE), b.as_deref().unwrap_or(PICTURE)))
        }
    }
    FOUND
}
