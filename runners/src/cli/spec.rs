//! What the subcommands that take a spec share: reading it, or a pipeline of them, and
//! records as JSON.

use std::io::Read;
use std::path::Path;

use inverter::pipeline::{Pipeline, ReadError};
use inverter::program::{Program, Side, SpecError};
use inverter::run::{Value, from_json};

use super::{TROUBLE, trouble};

/// The largest record that is read, in bytes of JSON.
const MAX_JSON: u64 = 64 << 20;

/// The longest line of a spec, in bytes, that is shown with a diagnostic. In far longer
/// ones nothing is seen, and miette panics past the 65535th column.
const SHOWN_LINE: usize = 1000;

/// Reads a spec or a pipeline. What is wrong with it is shown on standard error; then the
/// exit code is given.
pub fn read(path: &Path) -> Result<Pipeline, u8> {
    normalizers::read(path).map_err(|error| match error {
        ReadError::File(why) => trouble(why),
        ReadError::Specs(errors) => {
            errors.iter().for_each(refused);
            TROUBLE
        }
    })
}

/// Shows every diagnostic on standard error.
fn refused(error: &SpecError) {
    let spec = error.spec();
    let shown = spec.text.lines().all(|line| line.len() <= SHOWN_LINE);
    for one in error.each() {
        if !shown {
            let name = &spec.name;
            trouble(format!("{name}: {one} (the lines of the spec are too long to be shown)"));
            continue;
        }
        eprint!("{:?}", miette::Report::new(one));
    }
}

/// Reads a value of one of a program's records from a file of JSON.
pub fn record(path: &Path, program: &Program, side: Side) -> Result<Value, String> {
    let name = path.display();
    let file = std::fs::File::open(path).map_err(|e| format!("{name}: {e}"))?;
    let mut bytes = Vec::new();
    // Devices have no end.
    file.take(MAX_JSON + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
    if bytes.len() as u64 > MAX_JSON {
        return Err(format!("{name}: more than {MAX_JSON} bytes"));
    }
    let json = serde_json::from_slice(&bytes).map_err(|e| format!("{name}: not JSON: {e}"))?;
    from_json(program.record(side), &json).map_err(|e| format!("{name}: {e}"))
}
