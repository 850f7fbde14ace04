//! `repfuzz invert`: the inverse of a spec.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use inverter::invert::{EnsureKind, Inverse};
use inverter::program::{Length, SpecError};

use super::{FINE, TROUBLE, say, trouble};

/// Print the inverse of a normalization program.
#[derive(Debug, Clone, Args)]
pub struct InvertArgs {
    /// The normalization program
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = Emit::Inverse, value_name = "WHAT")]
    pub emit: Emit,
}

/// What of an inverse to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The inverse program
    Inverse,
    /// Each ensure, with the line of the spec that each conjunct comes from, and why
    Ensures,
    /// The names of what is free to be chosen
    Dimensions,
}

/// Runs the command; gives the exit code.
pub fn run(args: &InvertArgs) -> u8 {
    let name = args.spec.display().to_string();
    let text = match std::fs::read_to_string(&args.spec) {
        Ok(text) => text,
        Err(e) => return trouble(format!("{name}: {e}")),
    };
    match inverter::check::load(&name, &text) {
        Ok(inverse) => {
            let text = match args.emit {
                Emit::Inverse => inverse.to_string(),
                Emit::Ensures => inverse.explain_ensures(),
                Emit::Dimensions => dimensions(&inverse).join("\n"),
            };
            say(text.trim_end());
            FINE
        }
        Err(e) => refused(&e, &name, &text),
    }
}

/// The longest line of a spec, in bytes, that is shown with a diagnostic. In far longer
/// ones nothing is seen, and miette panics past the 65535th column.
const SHOWN_LINE: usize = 1000;

/// Shows every diagnostic on standard error.
fn refused(error: &SpecError, name: &str, text: &str) -> u8 {
    let shown = text.lines().all(|line| line.len() <= SHOWN_LINE);
    for one in error.each() {
        if !shown {
            trouble(format!("{name}: {one} (the lines of the spec are too long to be shown)"));
            continue;
        }
        eprint!("{:?}", miette::Report::new(one));
    }
    TROUBLE
}

/// The dimensions that the inverse's choices are named by.
fn dimensions(inverse: &Inverse) -> Vec<String> {
    let fields = &inverse.program.input.fields;
    let mut out: Vec<String> = Vec::new();
    for e in &inverse.ensures {
        match &e.kind {
            EnsureKind::Places { bases, .. } => {
                // Arrays are placed first, then single things among their elements.
                let (scalars, arrays): (Vec<usize>, Vec<usize>) =
                    bases.iter().partition(|b| fields[**b].is_scalar());
                for (k, field) in arrays.iter().chain(&scalars).enumerate() {
                    let f = &fields[*field];
                    let name = f.dimension();
                    if f.is_scalar() {
                        out.extend((k > 0).then(|| format!("{name} place")));
                        out.push(format!("{name} gap"));
                    } else {
                        out.push(format!("{name} order"));
                        out.extend((k > 0).then(|| format!("{name} places")));
                        out.push(format!("{name} gaps"));
                    }
                }
            }
            kind => out.extend(kind.fields().iter().map(|f| fields[*f].dimension().to_owned())),
        }
    }
    out.extend(inverse.free_scalars.iter().map(|f| fields[*f].dimension().to_owned()));
    for field in inverse.partly_assigned() {
        let name = fields[field].dimension();
        let lengths = &fields[field].lengths;
        for (k, length) in lengths.iter().enumerate() {
            match (length, lengths.len()) {
                (Length::Is(_), _) => {}
                (Length::Free, 1) => out.push(format!("{name} tail")),
                (Length::Free, _) => out.push(format!("{name} tail {k}")),
            }
        }
        out.push(format!("{name} fill"));
    }
    out
}
