//! Client descriptions: TOML files, validated when they are read.
//!
//! ```toml
//! name = "tiff2rgba"
//! summary = "libtiff's RGBA interface, as 8-bit RGBA"
//! decoder = "libtiff"                  # or "own"
//! library = "tifffile"                 # if it is another one, which several clients use
//! install = ["libtiff-tools"]          # Debian packages
//! formats = ["tif", "bmp"]             # extensions of the formats it reads; default: only "tif"; [] is any
//! applies = ["orientation"]            # features that it is expected to honour
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
//!
//! [script]                             # for reports, if the command is glue (docs/adapters.md)
//! language = "python"
//! text = '''...'''
//!
//! [test]                               # for exported tests, in its own framework (docs/adapters.md)
//! framework = "pytest"                 # or "cargo", "junit", "c", "catch2", "node", "go"
//! needs = ["Pillow"]                   # packages, or options of the C compiler
//! read = '''...'''                     # a function `read` that returns rows of RGBA, 0 to 65535
//!
//! [[unsupported]]                      # features whose refusal is a limit, whatever it says
//! what = "compression"
//! values = ["LZMA", "Zstandard"]       # value classes; default: all that it refuses
//! reason = "README: no LZMA, no Zstandard"
//!
//! [contract]                           # conventions of its output; written by `--probe`
//! depth = "8 bits, nearest"
//! ```
//!
//! `[run]` has at least one of
//!
//! - `command`: one process per file, and more commands in `then`;
//! - `worker`: a process that decodes many files (see its [protocol]); if there is also a `command`, it confirms
//!   findings;
//! - `viewer`: a GUI program, run on a virtual display and captured by screenshot (see
//!   [`Viewer`]).
//!
//! Reads that return more than a picture are in `[output.extra]` ([`ExtraRead`]):
//!
//! ```toml
//! region = ["vips", "crop", "{in}", "{out}", "{x}", "{y}", "{w}", "{h}"]
//! pages = ["gm", "convert", "{in}", "+adjoin", "PNG:{dir}/out-%d.png"]
//! metadata = ["gm", "identify", "-format", "%x %y %U", "{in}"]
//! threads = true                       # the worker answers
//! ```
//!
//! A client's output is a picture, unless `[output]` has `format = "bytes"` for other content,
//! such as sound or a listing ([`Format`]).
//!
//! In commands, `{in}` is the file to read, `{out}` the file to write, `{dir}` the scratch
//! folder that holds both and is also the current folder, `{here}` the folder of the
//! description (for scripts beside it), `{tools}` the folder of the software that `[tools]`
//! installs for this client alone.
//!
//! Glue that cannot express what a client returns prints a line that starts with `glue: ` to
//! standard error and fails ([`GlueFailure`](crate::GlueFailure)).
//!
//! [protocol]: crate::program::worker

mod argv;
mod facts;
mod info;
mod limits;
mod parse;
mod program_files;
mod test_code;
mod values;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

pub use argv::{Arg, Argv, Placeholders};
pub use facts::{Facts, Script, Unsupported};
pub use info::{Decoder, Ignored, Info, Kind};
pub use limits::{Limits, Memory};
pub use parse::DescriptionError;
pub use program_files::ProgramFiles;
pub use test_code::{Framework, TestCode};
pub use values::{Color, FileName, Name, Pattern, Rectangle};

use super::output::Format;
use crate::contract::Contract;
use crate::extra::{ExtraCommand, ExtraRead};

/// A client program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The name by which it is selected: lower-case letters, digits, `-`, `+`, `_`, `.`.
    pub name: Name,
    /// A one-line description; it may be empty.
    #[serde(default)]
    pub summary: String,
    /// The decoder that it uses.
    #[serde(default)]
    pub decoder: Decoder,
    /// The library that decodes for it, if that is neither libtiff nor the client itself. Clients with the same library
    /// share its faults.
    #[serde(default)]
    pub library: Option<String>,
    /// The Debian packages that provide it.
    #[serde(default)]
    pub install: Vec<String>,
    /// File name extensions of the formats that it reads: only TIFF by default, any format if the list is empty.
    #[serde(default = "tiff")]
    pub formats: Vec<String>,
    /// Features that it is expected to honour.
    #[serde(default)]
    pub applies: Vec<String>,
    /// Dimensions that it ignores by design, with reasons.
    #[serde(default)]
    pub ignores: Vec<Ignored>,
    /// Features that it does not support, each with the source of this information.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// A script that shows its result without repfuzz.
    #[serde(default)]
    pub script: Option<Script>,
    /// The code with which a test in the client's own framework reads a file.
    #[serde(default)]
    pub test: Option<TestCode>,
    /// The conventions of its output on TIFF files.
    #[serde(default)]
    pub contract: Option<Contract>,
    /// The commands that run it.
    pub run: Invocation,
    /// The command that prints its version.
    #[serde(default)]
    pub version: Option<Version>,
    /// The picture that it writes.
    #[serde(default)]
    pub output: Output,
    /// Software that it needs in addition to Debian packages.
    #[serde(default)]
    pub tools: Tools,
    /// The part of the screen to capture, for a viewer.
    #[serde(default)]
    pub viewer: Viewer,
    /// Its resource limits.
    #[serde(default)]
    pub limits: Limits,
    /// The extension of its input file.
    #[serde(skip, default = "tif")]
    pub extension: String,
    /// The folder of the description file: `{here}`.
    #[serde(skip)]
    pub here: PathBuf,
    /// The folder into which `[tools]` installs: `{tools}`.
    #[serde(skip)]
    pub tools_folder: PathBuf,
}

impl Description {
    /// The name of the client's input file. The name is plain, because unusual file names are not tested here.
    pub fn input(&self) -> String {
        format!("in.{}", self.extension)
    }
}

/// The file name extension of TIFF.
pub const TIFF: &str = "tif";

fn tif() -> String {
    TIFF.to_owned()
}

fn tiff() -> Vec<String> {
    vec![tif()]
}

/// The commands that run a client.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invocation {
    /// One process per file: the program and its arguments. No shell is involved.
    #[serde(default)]
    pub command: Option<Argv>,
    /// A process that decodes many files.
    #[serde(default)]
    pub worker: Option<Argv>,
    /// True if the worker publishes the edges that it reaches (`docs/edges.md`).
    #[serde(default)]
    pub edges: bool,
    /// A program that shows the file in a window.
    #[serde(default)]
    pub viewer: Option<Argv>,
    /// Further programs, run in order after the first has succeeded, which convert the client's output into a picture.
    #[serde(default)]
    pub then: Vec<Argv>,
    /// Programs that a script among the arguments calls (as in `sh -c`). The client counts as
    /// missing without them.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Environment variables, in addition to `PATH`, `HOME`, `TMPDIR` and the C.UTF-8 locale.
    #[serde(default)]
    pub env: BTreeMap<String, Arg>,
    /// Also pass on the whole environment of repfuzz.
    #[serde(default)]
    pub inherit_env: bool,
    /// True if its programs connect to their own sockets, such as those of a server and its client.
    #[serde(default)]
    pub sockets: bool,
    /// Messages which mean that the file was refused although the exit status is 0; for a viewer, they are also matched
    /// against the output of `xwininfo`.
    #[serde(default)]
    pub refused: Vec<Pattern>,
    /// Messages which mean that the client crashed although no signal shows it: `^panic: `.
    #[serde(default)]
    pub crashed: Vec<Pattern>,
}

impl Invocation {
    /// The way in which the client is run.
    pub fn kind(&self) -> Kind {
        if self.worker.is_some() {
            Kind::Worker
        } else if self.viewer.is_some() {
            Kind::Viewer
        } else {
            Kind::Command
        }
    }

    /// The programs that are run, in order, if the client gets one process per file.
    pub fn commands(&self) -> impl Iterator<Item = &Argv> {
        self.command.iter().chain(&self.then)
    }

    /// All programs that are run in any mode.
    pub fn programs(&self) -> impl Iterator<Item = &Argv> {
        self.commands().chain(&self.worker).chain(&self.viewer)
    }
}

impl Description {
    /// All programs that are run in any mode, and for extra reads.
    pub fn programs(&self) -> impl Iterator<Item = &Argv> {
        self.run.programs().chain(self.output.extra.values().filter_map(ExtraCommand::argv))
    }
}

/// Software that a client needs in addition to Debian packages. `repfuzz clients --install` installs it into `{tools}`,
/// in this order. The Debian packages that this requires (pip, npm, a compiler) belong in `install`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// PyPI packages with versions, such as `Pillow==13.0.0`. They go into a virtual environment,
    /// whose interpreter is `{tools}/python/bin/python`.
    #[serde(default)]
    pub pip: Vec<String>,
    /// npm packages with versions, such as `utif2@4.1.0`. They go into `{tools}/node_modules`.
    #[serde(default)]
    pub npm: Vec<String>,
    /// Programs to run in `{tools}`: compilers of glue.
    #[serde(default)]
    pub build: Vec<Argv>,
}

impl Tools {
    /// Returns true if Debian packages suffice.
    pub fn is_empty(&self) -> bool {
        self.pip.is_empty() && self.npm.is_empty() && self.build.is_empty()
    }
}

/// The part of a viewer's screen to capture. The screen is 1024 by 768 pixels, black outside of
/// windows, and has no window manager.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Viewer {
    /// The part of the screen to compare; by default all of it. Text such as the file's size or date must be outside.
    pub area: Option<Rectangle>,
    /// A part of the screen that every picture covers at least partly. If it has a single color, no picture is shown.
    pub middle: Option<Rectangle>,
    /// The colour around the picture, `#rrggbb`. Borders of this colour are cropped; if nothing is
    /// left, no picture is shown. Without it the whole area is the picture, and an area of a
    /// single colour counts as none.
    pub background: Option<Color>,
    /// The way to make a running viewer open another file, if there is one. The viewer then stays alive for many files,
    /// and each finding is confirmed in a fresh process.
    pub open: Option<Open>,
}

/// The way to make a viewer open `{in}`: words that it reads from a socket.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The socket on which it listens, below the scratch folder.
    pub socket: PathBuf,
    /// The words to send, in order.
    pub say: Vec<Arg>,
    /// The answer to each word.
    pub answer: String,
}

/// The command that prints a client's version.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The program and its arguments.
    pub command: Argv,
    /// A pattern for the version in the output: its first group, or else the whole match. Without a pattern, the
    /// version is the first nonempty line.
    #[serde(default)]
    pub pattern: Option<Pattern>,
    /// True if the command exits with an error even when it prints the version, because some programs print it only
    /// with their usage. Otherwise the output of a failing command is never used as a version.
    #[serde(default)]
    pub fails: bool,
}

/// The picture that a client writes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its format; `auto` detects it from the first bytes.
    #[serde(default)]
    pub format: Format,
    /// The place where it is written.
    #[serde(default)]
    pub from: OutputSource,
    /// The file's name in the scratch folder, if the client takes no `{out}`. One `*` matches
    /// anything.
    #[serde(default)]
    pub path: Option<FileName>,
    /// The extra reads that it does, of every file that is read rightly.
    #[serde(default)]
    pub extra: BTreeMap<ExtraRead, ExtraCommand>,
}

/// The place where a picture is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputSource {
    /// A file.
    #[default]
    File,
    /// Standard output.
    Stdout,
}
