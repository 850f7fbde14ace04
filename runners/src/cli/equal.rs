//! `repfuzz equal`: do two files mean the same?

use std::path::PathBuf;

use clap::Args;

use super::{FINE, FOUND, FormatArgs, ProfileName, say, trouble};

/// Compare what two files mean: exit 0 equal, 1 different, 2 cannot tell.
#[derive(Debug, Clone, Args)]
pub struct EqualArgs {
    /// One file
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Which format they are of
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; gives the exit code.
pub fn run(args: &EqualArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    let open = |path| format.open(path, ProfileName::default());
    let (a, b) = match (open(&args.a), open(&args.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(why), _) | (_, Err(why)) => return trouble(format!("cannot tell: {why}")),
    };
    if a.picture() == b.picture() {
        return FINE;
    }
    say(crate::report::compare(a.picture(), b.picture()));
    FOUND
}
