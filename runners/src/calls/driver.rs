//! Drivers: clients that replay sequences on a library.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interfaces::graph::{Call, Graph};
use interfaces::replay::{self, Answers, Step};
use interfaces::suite::Sequence;
use serde::{Deserialize, Serialize};

use clients::output::Format;
use clients::{Client, CommandClient, Description, Reply, Sandbox, library, tools};

use super::model::Model;

/// The maximum number of sequences in one request, to which the time limit of a client applies.
const BATCH: usize = 400;

/// The maximum product of the number of sequences and the size of the file in bytes in one request. A call reads the
/// whole file, and each request runs the plain order once more. This is not a time limit, so requests do not depend on
/// the machine.
const BATCH_BYTES: usize = 100 << 20;

/// The minimum number of sequences in one request, even for a large file.
const SMALL_BATCH: usize = 8;

/// The number of sequences of one file whose crashes or hangs are isolated individually.
const MOST_CRASHES: usize = 8;

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The library died.
    Crash,
    /// The library did not finish.
    Hang,
    /// A call read something other than in the plain order.
    Differs,
    /// A call failed that succeeds in the plain order.
    Refused,
}

impl Kind {
    /// All kinds, the worst first.
    pub const ALL: [Self; 4] = [Self::Crash, Self::Hang, Self::Differs, Self::Refused];

    /// The kind as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Differs => "differs",
            Self::Refused => "refused",
        }
    }
}

/// The result of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All calls gave the same result as in the plain order. `not_here` counts the calls that had nothing to read in
    /// this file.
    Fine {
        /// The number of calls for which the file has nothing.
        not_here: usize,
        /// True if the last call must fail, and does not.
        accepted: bool,
    },
    /// A call did not behave as it must.
    Fault {
        /// The kind.
        kind: Kind,
        /// The position of the call; if unknown, the position of the last call.
        call: usize,
        /// The reason, in the words of the library.
        why: String,
    },
    /// It was not run because too many other sequences crash or because the client exceeds its limits.
    NotRun,
}

/// The results of all sequences on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// The library cannot read the file in the plain order.
    Unread(String),
    /// The verdicts on the sequences.
    Verdicts(Vec<Verdict>),
}

/// The code of a driver in C.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The C file; `None` if unknown.
    pub file: Option<PathBuf>,
    /// The command that compiles it, with `{in}` and `{out}` for its names.
    pub compile: Vec<String>,
}

/// A program or a linked-in library that replays sequences.
pub struct Driver {
    client: Box<dyn Client>,
    version: String,
    source: Option<Source>,
}

impl Driver {
    fn new(client: Box<dyn Client>, source: Option<Source>) -> Self {
        let version = client.version().to_owned();
        Self { client, version, source }
    }

    /// The code of a driver that is a program.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Builds and returns the drivers of a model that work here, and those described in `more` files, with programs in
    /// `sandbox`. The second part lists the reasons why others do not work.
    pub fn of(model: &Model, more: &[PathBuf], sandbox: &Arc<Sandbox>) -> (Vec<Self>, Vec<String>) {
        let (mut drivers, mut failures) = (Vec::new(), Vec::new());
        if let Some(name) = &model.linked {
            match library::driver(name) {
                Some(client) => drivers.push(Self::new(Box::new(client), None)),
                None => failures.push(format!("no linked-in library is called {name:?}")),
            }
        }
        for file in model.drivers.iter().chain(more) {
            match program(file, sandbox) {
                Ok((client, source)) => drivers.push(Self::new(Box::new(client), Some(source))),
                Err(why) => failures.push(why),
            }
        }
        (drivers, failures)
    }

    /// Creates the driver of a command line, `NAME=COMMAND` with `{in}` and `{out}`.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if the command line cannot be parsed or one of its programs is missing.
    pub fn of_command(command: &str, sandbox: &Arc<Sandbox>) -> Result<Self, String> {
        let mut description = Description::from_command_line(command)?;
        description.output.format = Format::Bytes;
        let client = CommandClient::within(description, sandbox.clone());
        match client.missing() {
            Some(what) => Err(format!("{} is missing: {what}", client.name())),
            None => Ok(Self::new(Box::new(client), Some(Source::default()))),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.client.name()
    }

    /// Returns the version of the library; empty if it does not report one.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Replays sequences on a file. If `fresh` is true, uses a process that has not read anything else.
    ///
    /// # Errors
    ///
    /// Returns an error if the driver cannot be run or its answer is invalid.
    pub fn replay(
        &self,
        graph: &Graph,
        sequences: &[&Sequence],
        file: &[u8],
        fresh: bool,
    ) -> io::Result<Replayed> {
        let mut batch = Batch {
            driver: self,
            graph,
            file,
            fresh,
            size: size(file),
            crashes: 0,
            out: Vec::new(),
        };
        if let Some(why) = batch.unread()? {
            return Ok(Replayed::Unread(why));
        }
        let mut rest = sequences;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(batch.size.min(rest.len()));
            batch.run(part)?;
            rest = after;
        }
        Ok(Replayed::Verdicts(batch.out))
    }
}

/// A driver that is a program. It is built first if necessary.
fn program(file: &Path, sandbox: &Arc<Sandbox>) -> Result<(CommandClient, Source), String> {
    let shown = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|e| format!("{shown}: {e}"))?;
    let full = file.canonicalize().map_err(|e| format!("{shown}: {e}"))?;
    let here = full.parent().unwrap_or(Path::new("/"));
    let description = Description::parse(&text, &shown, here).map_err(|e| e.to_string())?;
    if tools::missing(&description).is_some() {
        let packages = description.install.join(" ");
        tools::install(&description, &mut |_| ()).map_err(|e| {
            format!("{} cannot be built; it needs {packages}: {e}", description.name.as_str())
        })?;
    }
    let source = source(&description);
    let client = CommandClient::within(description, sandbox.clone());
    match client.missing() {
        Some(what) => Err(format!("{} is missing: {what}", client.name())),
        None => Ok((client, source)),
    }
}

/// The single C file that a description compiles, and the command.
fn source(description: &Description) -> Source {
    for argv in &description.tools.build {
        let words = tools::filled(description, argv);
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        let code = |word: &&&str| {
            let path = Path::new(word);
            path.starts_with(&description.here) && path.extension().is_some_and(|e| e == "c")
        };
        let [file] = words.iter().filter(code).collect::<Vec<_>>()[..] else { continue };
        let compile = words.iter().map(|word| match *word {
            word if word == *file => "{in}".to_owned(),
            word if Path::new(word).starts_with(&description.tools_folder) => "{out}".to_owned(),
            word => word.to_owned(),
        });
        return Source { file: Some(file.into()), compile: compile.collect() };
    }
    Source::default()
}

/// The number of sequences in one request for a file.
fn size(file: &[u8]) -> usize {
    (BATCH_BYTES / file.len().max(1)).clamp(SMALL_BATCH, BATCH)
}

/// The sequences of one file that a driver is replaying.
struct Batch<'a> {
    driver: &'a Driver,
    graph: &'a Graph,
    file: &'a [u8],
    fresh: bool,
    /// The number of sequences in the next request.
    size: usize,
    crashes: usize,
    out: Vec<Verdict>,
}

impl Batch<'_> {
    /// Asks the driver to replay sequences.
    fn ask(&self, sequences: &[&Sequence]) -> io::Result<Reply> {
        let calls: Vec<&[Call]> = sequences.iter().map(|s| &*s.calls).collect();
        let request = replay::request(self.graph, &calls, self.file);
        let client = &self.driver.client;
        if self.fresh { client.run_fresh(&request) } else { client.run(&request) }
    }

    /// Returns the reason why the file cannot be read even in the plain order, if it cannot be read. A failure that
    /// does not depend on the order is not a finding here.
    fn unread(&self) -> io::Result<Option<String>> {
        Ok(match self.ask(&[])? {
            Reply::Picture(_) => None,
            Reply::Refused { message } | Reply::Resource { message } => Some(message),
            Reply::Empty { message } => Some(format!("shows an empty picture: {message}")),
            Reply::Crash { message } => Some(format!("crashes in the plain order: {message}")),
            Reply::Hang => Some("hangs in the plain order".to_owned()),
        })
    }

    /// Runs sequences. A request that crashes or exceeds a limit is halved until the sequence is found.
    fn run(&mut self, sequences: &[&Sequence]) -> io::Result<()> {
        let reply = self.ask(sequences)?;
        let failed = match reply {
            Reply::Picture(picture) => {
                let text = String::from_utf8(picture.bytes().unwrap_or_default());
                let text = text.map_err(io::Error::other)?;
                let answers = replay::read_answers(&text, sequences.len())
                    .map_err(|why| io::Error::other(format!("{}: {why}", self.driver.name())))?;
                self.judge(sequences, &answers);
                return Ok(());
            }
            // The file was read in the plain order. These sequences have no verdict; others keep theirs.
            Reply::Refused { .. } | Reply::Empty { .. } | Reply::Resource { .. } => None,
            Reply::Crash { message } => Some((Kind::Crash, message)),
            Reply::Hang => Some((Kind::Hang, String::new())),
        };
        if let [sequence] = sequences {
            self.crashes += 1;
            let call = sequence.calls.len().saturating_sub(1);
            self.out.push(match failed {
                Some((kind, why)) => Verdict::Fault { kind, call, why },
                None => Verdict::NotRun,
            });
            return Ok(());
        }
        if self.crashes >= MOST_CRASHES {
            self.out.extend(sequences.iter().map(|_| Verdict::NotRun));
            return Ok(());
        }
        if matches!(failed, Some((Kind::Hang, _))) {
            // There were perhaps just too many sequences in the request.
            self.size = self.size.min(sequences.len()).div_ceil(2);
        }
        let (one, other) = sequences.split_at(sequences.len() / 2);
        self.run(one)?;
        self.run(other)
    }

    fn judge(&mut self, sequences: &[&Sequence], answers: &Answers) {
        for (sequence, answer) in sequences.iter().zip(&answers.sequences) {
            self.out.push(match replay::fault(sequence, answer) {
                Some(fault) => Verdict::Fault {
                    kind: match fault.step {
                        Step::Refused => Kind::Refused,
                        _ => Kind::Differs,
                    },
                    call: fault.call,
                    why: fault.why,
                },
                None => Verdict::Fine {
                    not_here: answer.steps.iter().filter(|s| **s == Step::NotHere).count(),
                    accepted: replay::accepted(sequence, answer),
                },
            });
        }
    }
}
