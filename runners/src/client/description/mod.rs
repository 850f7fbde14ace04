//! A client's description: a TOML file, checked when it is read.
//!
//! ```toml
//! name = "tiff2rgba"
//! summary = "libtiff's RGBA interface, as 8-bit RGBA"
//! decoder = "libtiff"                  # or "own"
//! install = ["libtiff-tools"]          # Debian packages
//! formats = ["tif", "bmp"]             # endings of what it reads; without it, only "tif"
//! applies = ["orientation"]            # what it is expected to honour
//!
//! [run]
//! command = ["tiff2rgba", "-c", "none", "{in}", "{out}"]
//!
//! [version]
//! command = ["tiff2rgba", "-h"]
//! pattern = 'LIBTIFF, Version (\S+)'
//!
//! [output]
//! format = "tiff"
//! ```
//!
//! `[run]` says at least one of
//!
//! - `command`: a process for each file, and more in `then`;
//! - `worker`: a process that stays and decodes file after file (its [protocol]); with
//!   `command` beside it, that is what a finding is confirmed by;
//! - `viewer`: a program with a window, shown on a screen of its own (see [`Viewer`]).
//!
//! What a client writes is a picture, unless `format = "bytes"` in `[output]` says that it is other content:
//! sound, a listing ([`Format`]).
//!
//! In commands, `{in}` is the file to read, `{out}` the file to write, `{dir}` the scratch
//! folder that holds both and is the current folder too, `{here}` the folder of the
//! description (for scripts beside it), `{tools}` the folder with what `[tools]` installs
//! for this client alone.
//!
//! [protocol]: crate::client::program::worker

mod info;
mod limits;
mod parse;
mod values;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

pub use info::{Decoder, Ignored, Info, Kind};
pub use limits::{Limits, Memory};
pub use parse::DescriptionError;
pub use values::{Color, FileName, Name, Pattern, Rectangle};
pub use words::{Arg, Argv, Places};

use super::output::Format;

/// A client that is a program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The name it is selected by: lower-case letters, digits, `-`, `+`, `_`, `.`.
    pub name: Name,
    /// What it is, in one line.
    pub summary: String,
    /// Whose decoder it has.
    pub decoder: Decoder,
    /// The Debian packages that bring it.
    #[serde(default)]
    pub install: Vec<String>,
    /// The endings of the files that it reads; TIFF's alone, if nothing is said.
    #[serde(default = "tiff")]
    pub formats: Vec<String>,
    /// What it is expected to honour.
    #[serde(default)]
    pub applies: Vec<String>,
    /// What it leaves alone by design, and why.
    #[serde(default)]
    pub ignores: Vec<Ignored>,
    /// How it is run.
    pub run: Run,
    /// How its version is found.
    #[serde(default)]
    pub version: Option<Version>,
    /// The picture that it makes.
    #[serde(default)]
    pub output: Output,
    /// What it needs beside Debian packages.
    #[serde(default)]
    pub tools: Tools,
    /// How its window is looked at, for a viewer.
    #[serde(default)]
    pub viewer: Viewer,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
    /// The ending of the files that it is given.
    #[serde(skip, default = "tif")]
    pub extension: String,
    /// The folder of the description file: `{here}`.
    #[serde(skip)]
    pub here: PathBuf,
    /// The folder of what `[tools]` installs: `{tools}`.
    #[serde(skip)]
    pub tools_folder: PathBuf,
}

impl Description {
    /// The name of the file that a client is given. A plain name: odd ones are another test.
    pub fn input(&self) -> String {
        format!("in.{}", self.extension)
    }
}

/// The ending of TIFF files.
pub const TIFF: &str = "tif";

fn tif() -> String {
    TIFF.to_owned()
}

fn tiff() -> Vec<String> {
    vec![tif()]
}

/// How a client is run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// A process a file: the program and its arguments. No shell is involved.
    #[serde(default)]
    pub command: Option<Argv>,
    /// A process that decodes file after file.
    #[serde(default)]
    pub worker: Option<Argv>,
    /// A program that shows the file in a window.
    #[serde(default)]
    pub viewer: Option<Argv>,
    /// More programs, run one after another once the first has ended well: what turns
    /// into a picture what the client has made.
    #[serde(default)]
    pub then: Vec<Argv>,
    /// Programs that a script calls which the program is given, as `sh -c` is: without them the
    /// client is not installed.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Environment variables, beside `PATH`, `HOME`, `TMPDIR` and the C.UTF-8 locale.
    #[serde(default)]
    pub env: BTreeMap<String, Arg>,
    /// Also pass on the whole environment of repfuzz.
    #[serde(default)]
    pub inherit_env: bool,
    /// Messages that say the file was refused though the exit status is 0; for a viewer, also
    /// what `xwininfo` says of a window.
    #[serde(default)]
    pub refused: Vec<Pattern>,
    /// Messages that say the client has crashed though no signal says so: `^panic: `.
    #[serde(default)]
    pub crashed: Vec<Pattern>,
}

impl Run {
    /// How the client is run, in the end.
    pub fn kind(&self) -> Kind {
        if self.worker.is_some() {
            Kind::Worker
        } else if self.viewer.is_some() {
            Kind::Viewer
        } else {
            Kind::Command
        }
    }

    /// What is run, in turn, where the client gets a process a file.
    pub fn commands(&self) -> impl Iterator<Item = &Argv> {
        self.command.iter().chain(&self.then)
    }

    /// Every program that is run in one way or another.
    pub fn programs(&self) -> impl Iterator<Item = &Argv> {
        self.commands().chain(&self.worker).chain(&self.viewer)
    }
}

/// What a client needs beside Debian packages: installed into `{tools}` by
/// `repfuzz clients --install`, in this order. The packages of Debian that this takes (pip,
/// npm, a compiler) are part of `install`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// Packages of PyPI with their versions, `Pillow==13.0.0`: into a virtual environment,
    /// whose interpreter is `{tools}/python/bin/python`.
    #[serde(default)]
    pub pip: Vec<String>,
    /// Packages of npm with their versions, `utif2@4.1.0`: into `{tools}/node_modules`.
    #[serde(default)]
    pub npm: Vec<String>,
    /// Programs to run in `{tools}`: compilers of glue.
    #[serde(default)]
    pub build: Vec<Argv>,
}

impl Tools {
    /// Whether Debian packages suffice.
    pub fn is_empty(&self) -> bool {
        self.pip.is_empty() && self.npm.is_empty() && self.build.is_empty()
    }
}

/// How a viewer's window is looked at. Its screen is 1024 pixels wide, 768 high, black where
/// no window is, and has no window manager.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Viewer {
    /// The part of the screen that counts; without it, all of it. What shows the file's size
    /// or date must be outside.
    pub area: Option<Rectangle>,
    /// A part of the screen that every picture covers, at least in part: if it has one colour
    /// only, there is none.
    pub middle: Option<Rectangle>,
    /// The colour around the picture, `#rrggbb`: as much of the area's border as has it is
    /// cut off, and a picture that has nothing else is none. Without it the area is the
    /// picture, and an area of one colour is none.
    pub background: Option<Color>,
}

/// How a client's version is found.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The program and its arguments.
    pub command: Argv,
    /// What the version looks like in what it prints: the first group, or all of the match.
    /// Without a pattern it is the first line that is not empty.
    #[serde(default)]
    pub pattern: Option<Pattern>,
}

/// The picture that a client makes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its format; `auto` looks at the first bytes.
    #[serde(default)]
    pub format: Format,
    /// Where it appears.
    #[serde(default)]
    pub from: From,
    /// The file's name in the scratch folder where the client does not take `{out}`; one
    /// `*` stands for anything.
    #[serde(default)]
    pub path: Option<FileName>,
}

/// Where a picture appears.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// In a file.
    #[default]
    File,
    /// On standard output.
    Stdout,
}
