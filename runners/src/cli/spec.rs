//! Reading of specs, pipelines and JSON records for the subcommands that take them.

use std::io::BufReader;
use std::path::Path;

use inverter::pipeline::{Pipeline, ReadError};
use inverter::program::{Program, Side, SpecError};
use inverter::run::{Record, from_json_reader};

use super::{FAILURE, fail, warn};

/// The number of bytes that are read at a time.
const READ: usize = 1 << 16;

/// The maximum length in bytes of a line that is shown with a diagnostic. Far longer lines are unreadable, and miette
/// panics past column 65535.
const SHOWN_LINE: usize = 1000;

/// Reads a spec or a pipeline from a file, or a shipped one by its name. Prints its errors on standard error and
/// returns the exit code.
pub fn read(path: &Path) -> Result<Pipeline, u8> {
    let name = path.to_str().filter(|_| !path.is_file());
    let read = match name.and_then(normalizers::shipped::shipped) {
        Some(read) => read,
        None if name.is_some_and(|name| !name.contains(['.', '/'])) => {
            let name = path.display();
            return Err(fail(format_args!(
                "{name}: no such file, and no format of this name ships (`repfuzz formats` lists them)"
            )));
        }
        None => normalizers::read(path),
    };
    read.map_err(|error| match error {
        ReadError::File(why) => fail(why),
        ReadError::Specs(errors) => {
            errors.iter().for_each(refused);
            FAILURE
        }
    })
}

/// Prints every diagnostic on standard error.
pub fn refused(error: &SpecError) {
    for one in error.each() {
        let file = one.file();
        if file.text.lines().any(|line| line.len() > SHOWN_LINE) {
            let name = &file.name;
            fail(format!("{name}: {one} (the lines of the spec are too long to show)"));
            continue;
        }
        warn(format_args!("{:?}", miette::Report::new(one)));
    }
}

/// Reads a record of a program from a JSON file.
pub fn record(path: &Path, program: &Program, side: Side) -> Result<Record, String> {
    let name = path.display();
    let read = |file| from_json_reader(program.record(side), BufReader::with_capacity(READ, file));
    let file = std::fs::File::open(path).map_err(|e| format!("{name}: {e}"))?;
    read(file).map_err(|e| format!("{name}: {e}"))
}
