//! Code that reads a file through a client's interface, inside a test in the client's own framework.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::argv::Piece;
use super::{Arg, Argv, Description, OutputSource, Placeholders};
use crate::output::Format;

/// Runs a command and decodes the picture that it writes, in Python.
const READ_COMMAND: &str = include_str!("read_command.py");

/// Decodes the picture files that clients write, in Python.
const READ_PICTURE: &str = include_str!("read_picture.py");

/// A framework of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// pytest: `def read(path)` returns rows of pixels, or the bytes of content that is not a picture.
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

/// The function `read` of a test, which reads a file through the same interface as the client and returns its pixels:
/// rows of red, green, blue and alpha, each from 0 to 65535. Stores contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCode {
    /// The framework.
    pub framework: Framework,
    /// The function, preceded by its imports or includes.
    pub read: String,
    /// The packages that it needs or, for C, the compiler options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// True if it returns the bytes of content that is not a picture, because of `format = "bytes"` in the description.
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
    /// Returns the code with which a test reads a file: the described one, or otherwise one that runs the client's own
    /// command. `None` if there is no command that works without repfuzz.
    pub(super) fn test_code(&self) -> Option<TestCode> {
        let bytes = self.output.format == Format::Bytes;
        if let Some(test) = &self.test {
            return Some(TestCode { bytes, ..test.clone() });
        }
        let run = &self.run;
        run.command.as_ref()?;
        let ours = |argv: &Argv| argv.has(&Piece::Here) || argv.has(&Piece::Tools);
        let is_ours = |value: &Arg| value.has(&Piece::Here) || value.has(&Piece::Tools);
        if run.commands().any(ours) || run.env.values().any(is_ours) {
            return None;
        }
        let placeholders = Placeholders {
            region: None,
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
        let value = |value: &Arg| value.fill(&placeholders).to_string_lossy().into_owned();
        let env: BTreeMap<&String, String> =
            run.env.iter().map(|(name, arg)| (name, value(arg))).collect();
        let extension = self.output.format.extension();
        let written = match (self.output.from, &self.output.path) {
            (OutputSource::Stdout, _) => String::new(),
            (OutputSource::File, Some(name)) => name.as_str().to_owned(),
            (OutputSource::File, None) => format!("out.{extension}"),
        };
        let (result, decode) = if bytes { ("data", "") } else { ("picture(data)", READ_PICTURE) };
        let read = READ_COMMAND
            .replace("COMMANDS_HERE", &serde_json::json!(commands).to_string())
            .replace("ENVIRONMENT_HERE", &serde_json::json!(env).to_string())
            .replace("WRITTEN_HERE", &format!("{written:?}"))
            .replace("EXTENSION_HERE", &format!("{extension:?}"))
            .replace("INPUT_HERE", &format!("{:?}", self.input()))
            .replace("RESULT_HERE", result);
        let read = format!("{read}{decode}");
        Some(TestCode { framework: Framework::Pytest, read, needs: Vec::new(), bytes })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::process::Command;

    use image::{DynamicImage, ImageBuffer, ImageFormat};

    use super::*;
    use crate::output::decode;

    fn described(more: &str) -> Result<Description, String> {
        let text = format!(
            "name = \"a\"\nsummary = \"a\"\ndecoder = \"own\"\n[run]\ncommand = [\"COMMAND\", \"{{in}}\"]\n{more}"
        );
        let text = match more.starts_with("glue") {
            true => {
                text.replace("COMMAND", "{here}/a").replace(more, "[output]\nfrom = \"stdout\"\n")
            }
            false => text.replace("COMMAND", "view"),
        };
        Description::parse(&text, "a.toml", Path::new("/")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_command_is_run_and_glue_needs_code() {
        let stdout = "[output]\nfrom = \"stdout\"\n";
        let test = described(stdout).unwrap().test_code().unwrap();
        assert_eq!((test.framework, test.bytes), (Framework::Pytest, false));
        assert!(test.read.contains(r#"COMMANDS = [["view","{in}"]]"#), "{}", test.read);
        assert!(test.read.contains("return picture(data)") && test.read.contains("def picture"));
        let bytes = described("[output]\nformat = \"bytes\"\nfrom = \"stdout\"\n").unwrap();
        let test = bytes.test_code().unwrap();
        assert!(
            test.bytes && test.read.contains("return data") && !test.read.contains("def picture")
        );
        assert!(described("glue").unwrap().test_code().is_none());
        let named = |read: &str| {
            described(&format!("{stdout}[test]\nframework = \"go\"\nread = \"{read}\"\n"))
        };
        assert_eq!(named("func read(path)").unwrap().test_code().unwrap().framework, Framework::Go);
        let error = named("func load()").unwrap_err();
        assert!(error.contains("the code must define the function read(…)"), "{error}");
    }

    /// The Python in a test decodes client output in the same way as repfuzz.
    #[test]
    fn pictures_are_decoded_alike() {
        if !test_support::installed("python3") {
            return;
        }
        let png = |picture: DynamicImage| {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.into_inner()
        };
        let samples = |count: usize| (0..count).map(|k| (k * 37 % 251) as u8).collect::<Vec<u8>>();
        let deep = |count: usize| (0..count).map(|k| (k * 7919 % 65521) as u16).collect::<Vec<_>>();
        let rgb: DynamicImage =
            ImageBuffer::from_raw(7, 5, samples(105)).map(DynamicImage::ImageRgb8).unwrap();
        let files: Vec<Vec<u8>> = vec![
            b"P1 # c\n3 2 101 0 1 0".to_vec(),
            b"P2\n2 1\n15\n15 5\n".to_vec(),
            b"P3 1 1 255 1 2 3".to_vec(),
            b"P4\n9 2\n\x80\x80\x0f\x00".to_vec(),
            b"P5 2 1 # c\n3\n\x03\x01".to_vec(),
            b"P5 1 1 1023\n\x02\x00".to_vec(),
            b"P6\n1 1\n255\n\x01\x02\x03".to_vec(),
            b"P7\nWIDTH 1\nHEIGHT 2\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x01\x02\x03\x04".to_vec(),
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nENDHDR\n\x01\x02\x03\x04\x05\x06\x07\x08".to_vec(),
            b"RGBA 1 1\n\x01\x02\x03\x04".to_vec(),
            png(rgb.clone()),
            png(rgb.to_luma8().into()),
            png(ImageBuffer::from_raw(5, 3, deep(60)).map(DynamicImage::ImageRgba16).unwrap()),
            png(ImageBuffer::from_raw(5, 3, deep(30)).map(DynamicImage::ImageLumaA16).unwrap()),
        ];
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "import sys\n{READ_PICTURE}\nfor file in sys.argv[1:]:\n    \
             all = picture(open(file, 'rb').read())\n    \
             print(len(all[0]), len(all), *[v for row in all for pixel in row for v in pixel])\n"
        );
        let mut python = Command::new("python3");
        python.arg("-c").arg(script);
        for (place, file) in files.iter().enumerate() {
            let path = folder.path().join(place.to_string());
            std::fs::write(&path, file).unwrap();
            python.arg(path);
        }
        let ran = python.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let lines = String::from_utf8(ran.stdout).unwrap();
        for (line, file) in lines.lines().zip(&files) {
            let picture = decode(file, Format::Auto).unwrap();
            let samples = picture.rgba().iter().map(|v| u32::from(*v));
            let numbers: Vec<u32> =
                [picture.width(), picture.height()].into_iter().chain(samples).collect();
            let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
            assert_eq!(line, words.join(" "), "{:?}", String::from_utf8_lossy(file));
        }
        assert_eq!(lines.lines().count(), files.len());
    }
}
