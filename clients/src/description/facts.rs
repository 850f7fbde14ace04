//! Facts about a client that reports show to its maintainer.

use serde::{Deserialize, Serialize};
use tiff_harness::dimension::of_page;

use super::{Argv, Decoder, Description, TestCode};

/// A few lines in the client's own language that read a file through the same interface as the client's glue, and print
/// the size and the first pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The language, as Markdown names it: `python`.
    pub language: String,
    /// The text, with `{file}` for the path of the file.
    pub text: String,
}

impl Script {
    /// Returns the text for the file at `path`.
    pub fn of(&self, path: &str) -> String {
        self.text.trim_end().replace("{file}", path)
    }
}

/// Facts about a client for a report. Stores contain them: a new field needs `#[serde(default)]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The decoder that it uses.
    pub decoder: Decoder,
    /// The library whose faults it shares with other clients: `libtiff`; empty if unknown.
    #[serde(default)]
    pub library: String,
    /// The package that provides it: `Pillow==13.0.0 of PyPI`; empty if unknown.
    pub package: String,
    /// A script that shows its result without repfuzz.
    pub script: Option<Script>,
    /// The code with which an exported test reads a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestCode>,
    /// True if its conventions are known, so that it is compared with the right output. Older stores do not contain
    /// this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_contract: bool,
    /// The features that it does not support, according to its own documentation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<Unsupported>,
}

/// A feature that a client does not support according to its documentation or source. Its refusal of such files is a
/// limit, whatever the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsupported {
    /// The dimension, such as `tiled`, on any page.
    pub what: String,
    /// The unsupported value classes; if there are none, everything that it refuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The source of this information.
    pub reason: String,
}

impl Unsupported {
    /// Returns true if a value of this class in `dimension` is this feature.
    pub fn is(&self, dimension: &str, class: &str) -> bool {
        let (_, on_its_page) = of_page(dimension);
        (self.what == dimension || self.what == on_its_page)
            && (self.values.is_empty() || self.values.iter().any(|value| value == class))
    }
}

/// Packages that a client needs to be installed or run, but that do not provide it.
const HELPERS: [&str; 6] =
    ["python3-pip", "python3-minimal", "python3-numpy", "nodejs", "npm", "fp-compiler"];

impl Description {
    /// Returns the facts that reports show.
    pub fn facts(&self) -> Facts {
        Facts {
            decoder: self.decoder,
            library: self.library(),
            package: self.package().unwrap_or_default(),
            script: self.script.clone(),
            test: self.test_code(),
            has_contract: self.contract.is_some(),
            unsupported: self.unsupported.clone(),
        }
    }

    /// Returns the library that decodes: the library in the description, otherwise the decoder, otherwise the client
    /// itself, whatever registry it comes from.
    fn library(&self) -> String {
        let name = self.name.as_str();
        match (&self.library, self.decoder) {
            (Some(library), _) => library.clone(),
            (None, Decoder::Libtiff) => self.decoder.to_string(),
            (None, Decoder::Own) => name.strip_suffix("-pypi").unwrap_or(name).to_owned(),
            (None, Decoder::Unknown) => String::new(),
        }
    }

    /// Returns the package that provides the client: the one whose version is reported.
    fn package(&self) -> Option<String> {
        let version = self.version.as_ref().map(|version| &version.command);
        let of = |packages: &[String], registry: &str| {
            let first = packages.iter().find(|package| !package.starts_with('-'))?;
            Some(format!("{first} of {registry}"))
        };
        if version.is_some_and(Argv::uses_tools) {
            let found = of(&self.tools.pip, "PyPI").or_else(|| of(&self.tools.npm, "npm"));
            if found.is_some() {
                return found;
            }
        }
        let queried = version.filter(|argv| argv.program() == Some("dpkg-query"));
        let queried = queried.and_then(Argv::last);
        let named = self.install.iter().find(|name| !HELPERS.contains(&name.as_str()));
        let name = queried.or_else(|| named.map(String::as_str))?;
        Some(format!("the Debian package {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_declared_by_dimension_or_by_value_class() {
        let declared = |values: &[&str]| Unsupported {
            what: "compression".to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            reason: "its manual".to_owned(),
        };
        let (all, some) = (declared(&[]), declared(&["LZMA", "Zstandard"]));
        for (dimension, class, expected) in [
            ("compression", "LZMA", [true, true]),
            ("page 2: compression", "LZMA", [true, true]),
            ("compression", "LZW", [true, false]),
            ("predictor", "LZMA", [false, false]),
        ] {
            assert_eq!([all.is(dimension, class), some.is(dimension, class)], expected);
        }
    }
}
