//! Selects the causes that have a test, and names its parts.

use clients::{Framework, TestCode};

use crate::report::clean::slug;
use crate::report::example::Example;
use campaign::oracle::Outcome;
use campaign::{Cause, Depth, Run};

/// A test of one cause.
pub struct ExportedTest {
    /// The name of its framework.
    pub framework: &'static str,
    /// Its text.
    pub text: String,
    /// The command that runs it.
    pub command: String,
}

/// Returns the code of the test for the cause; `None` for a cause that has no test: a limit, a hang, a result that
/// changes from run to run, or a picture whose expected content is unknown even with the conventions of the client.
pub fn code<'r>(run: &'r Run, cause: &Cause) -> Option<&'r TestCode> {
    let facts = &run.clients[cause.client].facts;
    let code = facts.test.as_ref()?;
    Example::of(run, cause).expected?;
    // Only pytest has tests of content that is not a picture.
    let fits = code.framework == Framework::Pytest || !code.bytes;
    let has_outcome = matches!(cause.outcome, Outcome::Wrong | Outcome::Crash | Outcome::Refused);
    let is_steady = cause.depth <= Depth::Partly && cause.is_fault();
    let is_right = !facts.has_contract || !cause.is_undecided();
    (has_outcome && fits && is_steady && is_right).then_some(code)
}

/// Returns the path of the test for the cause at `place`, relative to the report's folder; `None` if it has no test.
pub fn path(run: &Run, place: usize) -> Option<String> {
    let cause = &run.causes[place];
    let framework = code(run, cause)?.framework;
    let name = name(run, place);
    Some(format!("files/{}", file_name(framework, &name)))
}

/// The name of the test for the cause at `place`: `test_01_pillow_wrong`.
pub fn name(run: &Run, place: usize) -> String {
    let cause = &run.causes[place];
    let client = slug(&run.clients[cause.client].name).replace('-', "_");
    format!("test_{:02}_{client}_{}", place + 1, cause.outcome)
}

/// The name of a test's file. It begins with `test_` (`Test_` in Java), so the framework finds it.
pub fn file_name(framework: Framework, name: &str) -> String {
    match framework {
        Framework::Pytest => format!("{name}.py"),
        Framework::Cargo => format!("{name}.rs"),
        Framework::Junit => format!("{}.java", class_name(name)),
        Framework::C => format!("{name}.c"),
        Framework::Catch2 => format!("{name}.cpp"),
        Framework::Node => format!("{name}.test.mjs"),
        Framework::Go => format!("{name}_test.go"),
    }
}

/// The name of a class in Java, which is that of its file.
pub fn class_name(name: &str) -> String {
    name.replacen('t', "T", 1)
}
