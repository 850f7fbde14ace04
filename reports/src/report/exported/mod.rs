//! A cause as a test in the framework of its client.
//!
//! The test contains the file, the pixels that are expected from it, and the code that the client's description uses to
//! read a file ([`TestCode`](clients::TestCode)), so it does not need repfuzz. It fails with the client that was run.

mod expected;
mod frameworks;
mod heading;
pub mod offered;
mod parts;

use tiff_harness::Picture;

use super::example::Example;
use super::issue::base64_lines;
use super::site::{Names, base_name};
use campaign::{Cause, Run};

use expected::values;
use heading::heading;
use offered::{ExportedTest, code, name};
use parts::{Parts, TestFile};

/// The maximum number of bytes of a file that a test contains; larger files are read from the test's folder.
const INLINE: usize = 1024;

/// Returns the test for the cause at `place`, whose files are `names`; `None` if it has no test.
pub fn exported(run: &Run, place: usize, names: &Names) -> Option<ExportedTest> {
    let cause = &run.causes[place];
    let code = code(run, cause)?;
    let example = Example::of(run, cause);
    let beside = base_name(&names.file);
    let file = match example.file.len() <= INLINE {
        true => TestFile::Inline(base64_lines(example.file)),
        false => TestFile::Beside(beside),
    };
    let name = name(run, place);
    let extension = beside.rsplit('.').next().unwrap_or("bin");
    let parts = Parts {
        name: &name,
        heading: heading(run, cause, &example, &file),
        code,
        input: format!("{name}.{extension}"),
        file,
        values: values(&example, canonical(run, cause), code.bytes)?,
    };
    let (framework, text) = frameworks::text(&parts);
    let command = frameworks::command(code, &name);
    Some(ExportedTest { framework, text, command })
}

/// The picture that all files of the example contain.
fn canonical<'r>(run: &'r Run, cause: &'r Cause) -> &'r Picture {
    cause.small.as_ref().map_or(&run.picture, |small| &small.picture)
}
