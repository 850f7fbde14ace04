//! `repfuzz equal`: do two files mean the same?

use std::path::PathBuf;

use clap::Args;

use super::{FINE, FOUND, open, say, trouble};

/// Compare what two files mean: exit 0 equal, 1 different, 2 cannot tell.
#[derive(Debug, Clone, Args)]
pub struct EqualArgs {
    /// One file
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    pub b: PathBuf,
}

/// Runs the command; gives the exit code.
pub fn run(args: &EqualArgs) -> u8 {
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
