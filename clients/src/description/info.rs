//! Facts about a client that reports and listings show.

use serde::{Deserialize, Serialize};

/// The TIFF decoder that a client uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoder {
    /// Its own: findings are bugs of this client.
    Own,
    /// libtiff: findings may be bugs of libtiff.
    Libtiff,
    /// Unknown: a client given on the command line.
    #[default]
    Unknown,
}

impl std::fmt::Display for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Own => "own",
            Self::Libtiff => "libtiff",
            Self::Unknown => "unknown",
        })
    }
}

/// The way in which a client is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A library that is linked in.
    InProcess,
    /// One process per file.
    Command,
    /// A process that decodes many files.
    Worker,
    /// A GUI program, captured by screenshot.
    Viewer,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::InProcess => "in-process",
            Self::Command => "command",
            Self::Worker => "worker",
            Self::Viewer => "viewer",
        })
    }
}

/// A dimension that a client ignores by design, so that it is not tested on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignored {
    /// The dimension's name, such as `orientation`; it is ignored on every page.
    pub what: String,
    /// The reason why that is not a bug of the client.
    pub reason: String,
}

/// Facts about a client, however it is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The name by which it is selected.
    pub name: String,
    /// A one-line description.
    pub summary: String,
    /// The way in which it is run.
    pub kind: Kind,
    /// The decoder that it uses.
    pub decoder: Decoder,
    /// The Debian packages that provide the client.
    pub install: Vec<String>,
    /// Features that it is expected to honor, such as `orientation`.
    pub applies: Vec<String>,
    /// Dimensions that it ignores by design.
    pub ignores: Vec<Ignored>,
}

impl Info {
    /// Returns true if the client is expected to honor `what`.
    pub fn applies(&self, what: &str) -> bool {
        self.applies.iter().any(|a| a == what)
    }
}
