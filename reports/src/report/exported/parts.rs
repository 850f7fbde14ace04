//! The parts of a test that do not depend on its framework.

use clients::TestCode;

use super::expected::Values;

/// The parts of a test that its framework puts together.
pub struct Parts<'t> {
    /// The name of the test: an identifier in every language.
    pub name: &'t str,
    /// The lines of the comment at its beginning.
    pub heading: Vec<String>,
    /// The code that reads a file.
    pub code: &'t TestCode,
    /// The file.
    pub file: TestFile<'t>,
    /// The name of a file that the test writes.
    pub input: String,
    /// The expected values.
    pub values: Values,
}

/// The file that a test reads.
pub enum TestFile<'t> {
    /// The file in base64, in lines.
    Inline(Vec<String>),
    /// The name of a file next to the test.
    Beside(&'t str),
}
