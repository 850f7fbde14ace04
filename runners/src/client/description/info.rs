//! What people are told about a client.

use serde::{Deserialize, Serialize};

/// Whose TIFF decoder a client has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoder {
    /// One of its own: its findings are its own too.
    Own,
    /// libtiff: what goes wrong may be libtiff's doing.
    Libtiff,
    /// Not known: a client from the command line.
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

/// How a client is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A library that is linked in.
    InProcess,
    /// A process a file.
    Command,
    /// A process that decodes file after file.
    Worker,
    /// A program with a window.
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

/// Something that a client leaves alone by design, and is not tested on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignored {
    /// What: the name of a dimension, like `orientation`.
    pub what: String,
    /// Why that is no bug of the client.
    pub reason: String,
}

/// What people are told about a client, however it is driven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The name it is selected by.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// How it is driven.
    pub kind: Kind,
    /// Whose decoder it has.
    pub decoder: Decoder,
    /// The Debian packages that bring it.
    pub install: Vec<String>,
    /// What it is expected to honour: `orientation`.
    pub applies: Vec<String>,
    /// What it leaves alone by design.
    pub ignores: Vec<Ignored>,
}

impl Info {
    /// Whether the client is expected to honour `what`.
    pub fn applies(&self, what: &str) -> bool {
        self.applies.iter().any(|a| a == what)
    }
}
