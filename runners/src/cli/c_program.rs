//! Programs in C on the command line: options of the preprocessor, and messages about them.

use std::path::PathBuf;

use canonical::c::Options;
use canonical::{Diagnostic, Effect, Program};
use clap::Args;

/// Options of the preprocessor, as compilers have them.
#[derive(Debug, Clone, Args)]
pub struct Preprocessor {
    /// Search this folder for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
}

impl Preprocessor {
    /// Returns the options of the front end, by which each file is preprocessed.
    pub fn options(&self) -> Options {
        let include = self.include.iter().map(|folder| format!("-I{}", folder.display()));
        let define = self.define.iter().map(|name| format!("-D{name}"));
        Options { arguments: include.chain(define).collect(), ..Options::default() }
    }
}

/// Returns a diagnostic in one line, with its place if that is known.
pub fn message(program: &Program, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.place.map(|place| format!("{}: ", program.at(place)));
    place.unwrap_or_default() + &diagnostic.message
}

/// Returns a diagnostic in one line, with its function and its consequence.
pub fn noted(program: &Program, diagnostic: &Diagnostic) -> String {
    let of = diagnostic.function.map(|id| format!(" (in `{}`)", program.function(id).name));
    let consequence = match diagnostic.effect {
        Effect::OverApproximated => "over-approximated",
        Effect::Unsound => "not sound",
        Effect::NoBody => "the function has no graph",
        Effect::LeftOut => "left out",
    };
    format!("{}{}: {consequence}", message(program, diagnostic), of.unwrap_or_default())
}
