//! A cause as a test in the framework of its client.
//!
//! The test contains the file, the pixels that are expected of it, and the code by which the client's description
//! reads a file ([`TestCode`]), so it needs nothing of repfuzz. It fails with the client that was run.

mod expected;
mod frameworks;
mod heading;

use clients::{Framework, TestCode};
use tiff_harness::Picture;

use super::example::Example;
use super::site::{Names, base_name, slug};
use campaign::oracle::Outcome;
use campaign::{Cause, Depth, Run, Verdict};

use expected::{Values, values};
use heading::heading;

/// Larger files are read from beside the test.
const INLINE: usize = 1024;

/// A test of one cause.
pub struct ExportedTest {
    /// The name of its framework.
    pub framework: &'static str,
    /// Its text.
    pub text: String,
    /// The command that runs it.
    pub command: String,
}

/// The parts of a test that its framework puts together.
struct Parts<'t> {
    /// The name of the test: an identifier in every language.
    name: &'t str,
    /// The lines of the comment at its beginning.
    heading: Vec<String>,
    code: &'t TestCode,
    file: TestFile<'t>,
    /// The name of a file that the test writes.
    input: String,
    values: Values,
}

/// The file that a test reads.
enum TestFile<'t> {
    /// In base64, in lines.
    Inline(Vec<String>),
    /// The name of a file beside the test.
    Beside(&'t str),
}

/// The code of the test for the cause; `None` for a cause that has no test: a limit, a hang, a result that changes from run to
/// run, or a picture of which nothing says what is right although the conventions of the client are known.
fn code<'r>(run: &'r Run, cause: &Cause) -> Option<&'r TestCode> {
    let facts = &run.clients[cause.client].facts;
    let code = facts.test.as_ref()?;
    Example::of(run, cause).expected?;
    // Of content that is no picture, pytest alone has a test.
    let fits = code.framework == Framework::Pytest || !code.bytes;
    let has_outcome = matches!(cause.outcome, Outcome::Wrong | Outcome::Crash | Outcome::Refused);
    let is_steady = cause.depth <= Depth::Partly && !cause.limit;
    let is_right = !facts.has_contract || !is_undecided(cause);
    (has_outcome && fits && is_steady && is_right).then_some(code)
}

/// Returns true if a picture is wrong in so far as it is another one than the client's own of the seed.
fn is_undecided(cause: &Cause) -> bool {
    let unknown = cause.verdict.is_none_or(|verdict| verdict == Verdict::ContractUnknown);
    cause.outcome == Outcome::Wrong && unknown
}

/// The path of the test for the cause at `place`, relative to the report's folder; `None` if it has none.
pub fn path(run: &Run, place: usize) -> Option<String> {
    let cause = &run.causes[place];
    let framework = code(run, cause)?.framework;
    let name = name(run, place);
    Some(format!("files/{}", frameworks::file_name(framework, &name)))
}

/// The name of the test for the cause at `place`: `test_01_pillow_wrong`.
fn name(run: &Run, place: usize) -> String {
    let cause = &run.causes[place];
    let client = slug(&run.clients[cause.client].name).replace('-', "_");
    format!("test_{:02}_{client}_{}", place + 1, cause.outcome)
}

/// Writes the test for the cause at `place`, whose files are `names`; `None` if it has none.
pub fn exported(run: &Run, place: usize, names: &Names) -> Option<ExportedTest> {
    let cause = &run.causes[place];
    let code = code(run, cause)?;
    let example = Example::of(run, cause);
    let beside = base_name(&names.file);
    let file = match example.file.len() <= INLINE {
        true => TestFile::Inline(super::issue::base64_lines(example.file)),
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
