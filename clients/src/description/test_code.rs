//! Code that reads a file by a client's interface, inside a test of the client's own framework.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::argv::Piece;
use super::{Argv, Description, OutputSource, Placeholders};
use crate::output::Format;

/// Runs a command and decodes the picture that it writes, in Python.
const READ_COMMAND: &str = include_str!("read_command.py");

/// Decodes the picture files that clients write, in Python.
const READ_PICTURE: &str = include_str!("read_picture.py");

/// A framework of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// pytest: `def read(path)` returns rows of pixels, or the bytes of content that is no picture.
    Pytest,
    /// `cargo test`: `fn read(path: &Path) -> Result<Vec<Vec<[u16; 4]>>, Box<dyn Error>>`.
    Cargo,
    /// JUnit 5: the method `static int[][][] read(java.nio.file.Path path) throws Exception`.
    Junit,
    /// C with `assert`: `int read_picture(const char *path, uint32_t *width, uint32_t *height, uint16_t **rgba)`
    /// returns 0 for success.
    C,
    /// Catch2: the function of C, compiled as C++.
    Catch2,
    /// `node --test`: `async function read(path)` returns rows of pixels.
    Node,
    /// `go test`: `func read(path string) ([][][4]uint16, error)`.
    Go,
}

/// The function `read` of a test, which reads a file by the same interface as the client and returns its
/// pixels: rows of red, green, blue and alpha, each from 0 to 65535. Stores contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCode {
    /// The framework.
    pub framework: Framework,
    /// The function, with what it imports or includes before it.
    pub read: String,
    /// The packages that it needs, or for C the options of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// True if it returns the bytes of content that is no picture; by `format = "bytes"` of the description.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bytes: bool,
}

impl Framework {
    /// Returns the name that [`TestCode::read`] must define.
    fn function(self) -> &'static str {
        match self {
            Self::C | Self::Catch2 => "read_picture(",
            _ => "read(",
        }
    }
}

impl TestCode {
    /// Checks that the function is there.
    pub(super) fn check(&self) -> Result<(), String> {
        let function = self.framework.function();
        match self.read.contains(function) {
            true => Ok(()),
            false => Err(format!("the code must define the function {function}…)")),
        }
    }
}

impl Description {
    /// Returns the code by which a test reads a file: the described one, or else one that runs the client's own
    /// command. `None` if there is no command that works without repfuzz.
    pub(super) fn test_code(&self) -> Option<TestCode> {
        let bytes = self.output.format == Format::Bytes;
        if let Some(test) = &self.test {
            return Some(TestCode { bytes, ..test.clone() });
        }
        let run = &self.run;
        run.command.as_ref()?;
        let ours = |argv: &Argv| argv.has(&Piece::Here) || argv.has(&Piece::Tools);
        if run.commands().any(ours) {
            return None;
        }
        let placeholders = Placeholders {
            input: Path::new("{in}"),
            output: Path::new("{out}"),
            dir: Path::new("{dir}"),
            here: Path::new(""),
            tools: Path::new(""),
        };
        let words = |argv: &Argv| -> Vec<String> {
            argv.fill(&placeholders).iter().map(|w| w.to_string_lossy().into_owned()).collect()
        };
        let commands: Vec<Vec<String>> = run.commands().map(words).collect();
        let json = |value: &[Vec<String>]| serde_json::to_string(value).unwrap_or_default();
        let extension = self.output.format.extension();
        let written = match (self.output.from, &self.output.path) {
            (OutputSource::Stdout, _) => String::new(),
            (OutputSource::File, Some(name)) => name.as_str().to_owned(),
            (OutputSource::File, None) => format!("out.{extension}"),
        };
        let (result, decode) = if bytes { ("data", "") } else { ("picture(data)", READ_PICTURE) };
        let read = READ_COMMAND
            .replace("COMMANDS_HERE", &json(&commands))
            .replace("WRITTEN_HERE", &format!("{written:?}"))
            .replace("EXTENSION_HERE", &format!("{extension:?}"))
            .replace("INPUT_HERE", &format!("{:?}", self.input()))
            .replace("RESULT_HERE", result);
        let read = format!("{read}{decode}");
        Some(TestCode { framework: Framework::Pytest, read, needs: Vec::new(), bytes })
    }
}
