//! A client's description: a TOML file, checked when it is read.
//!
//! ```toml
//! name = "tiff2rgba"
//! summary = "libtiff's RGBA interface, as 8-bit RGBA"
//! decoder = "libtiff"                  # or "own"
//! install = ["libtiff-tools"]          # Debian packages
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
//! In `command`, `{in}` is the file to read, `{out}` the file to write, `{dir}` the scratch
//! folder that holds both and is the current folder too, `{here}` the folder of the
//! description (for scripts beside it).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::output::Format;

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
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
    /// The folder of the description file: `{here}`.
    #[serde(skip)]
    pub here: PathBuf,
}

/// How a client is run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The program and its arguments. No shell is involved.
    pub command: Argv,
    /// More programs, run one after another once the first has ended well: what turns
    /// into a picture what the client has made.
    #[serde(default)]
    pub then: Vec<Argv>,
    /// Environment variables, beside `PATH`, `HOME`, `TMPDIR` and the C.UTF-8 locale.
    #[serde(default)]
    pub env: BTreeMap<String, Arg>,
    /// Also pass on the whole environment of repfuzz.
    #[serde(default)]
    pub inherit_env: bool,
    /// Messages that say the file was refused though the exit status is 0.
    #[serde(default)]
    pub refused: Vec<Pattern>,
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

/// What a client may use.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds for one file, all programs together.
    pub time_s: u32,
    /// Megabytes of memory; 0: no limit.
    pub memory_mb: u64,
    /// How memory is counted.
    pub memory: Memory,
    /// Megabytes in the scratch folder.
    pub disk_mb: u64,
    /// Megabytes of messages.
    pub messages_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time_s: 20,
            memory_mb: 2048,
            memory: Memory::AddressSpace,
            disk_mb: 512,
            messages_mb: 16,
        }
    }
}

impl Limits {
    /// The time limit.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.time_s.into())
    }
}

/// How memory is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// The address space, limited by the kernel: an allocation fails.
    #[default]
    AddressSpace,
    /// What is really in memory, watched from outside: the client is stopped. For runtimes
    /// that reserve far more than they use (Java, Go, sanitizers).
    Resident,
}

/// A client's name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(String);

impl Name {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+_.".contains(c);
        if text.is_empty() || !text.chars().all(fits) || text.starts_with(['-', '.']) {
            return Err(format!(
                "a client's name is made of a-z, 0-9, `-`, `+`, `_` and `.`, not {text:?}"
            ));
        }
        Ok(Self(text))
    }
}

/// A file name that stays inside the scratch folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FileName(String);

impl FileName {
    /// The name; it may have one `*`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a file of this name is meant.
    pub fn matches(&self, name: &str) -> bool {
        match self.0.split_once('*') {
            None => name == self.0,
            Some((start, end)) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
        }
    }
}

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() || text.contains('/') || text == ".." || text == "." {
            return Err(format!("{text:?} is not the name of a file in the scratch folder"));
        }
        if text.matches('*').count() > 1 {
            return Err(format!("{text:?} has more than one `*`"));
        }
        Ok(Self(text))
    }
}

/// One word of a command, with its placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Arg(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    In,
    Out,
    Dir,
    Here,
}

/// What the placeholders stand for.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// `{in}`
    pub input: &'a Path,
    /// `{out}`
    pub output: &'a Path,
    /// `{dir}`
    pub dir: &'a Path,
    /// `{here}`
    pub here: &'a Path,
}

impl Arg {
    /// The word with its placeholders filled in.
    pub fn fill(&self, places: &Places<'_>) -> std::ffi::OsString {
        let mut word = std::ffi::OsString::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => word.push(text),
                Piece::In => word.push(places.input),
                Piece::Out => word.push(places.output),
                Piece::Dir => word.push(places.dir),
                Piece::Here => word.push(places.here),
            }
        }
        word
    }

    fn has(&self, piece: &Piece) -> bool {
        self.0.contains(piece)
    }

    /// The word, if it has no placeholder.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

impl TryFrom<String> for Arg {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.contains('\0') {
            return Err("an argument cannot hold a NUL character".to_string());
        }
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            plain.push_str(before);
            // Braces around anything but a lower-case word are the client's own: `{print $1}`.
            let word = from[1..].split('}').next().unwrap_or_default();
            let closed = from[1..].len() > word.len();
            let placeholder = match word {
                "in" => Some(Piece::In),
                "out" => Some(Piece::Out),
                "dir" => Some(Piece::Dir),
                "here" => Some(Piece::Here),
                w if closed && !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase()) => {
                    return Err(format!(
                        "unknown placeholder {{{w}}}: there are {{in}}, {{out}}, {{dir}} and {{here}}"
                    ));
                }
                _ => None,
            };
            match placeholder {
                Some(piece) if closed => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(piece);
                    rest = &from[word.len() + 2..];
                }
                _ => {
                    plain.push('{');
                    rest = &from[1..];
                }
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }
}

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Arg>")]
pub struct Argv(Vec<Arg>);

impl Argv {
    /// The words, placeholders filled in; the first is the program.
    pub fn fill(&self, places: &Places<'_>) -> Vec<std::ffi::OsString> {
        self.0.iter().map(|arg| arg.fill(places)).collect()
    }

    /// The program, if it is named without a placeholder.
    pub fn program(&self) -> Option<&str> {
        self.0.first().and_then(Arg::plain)
    }

    fn has(&self, piece: &Piece) -> bool {
        self.0.iter().any(|arg| arg.has(piece))
    }
}

impl TryFrom<Vec<Arg>> for Argv {
    type Error = String;

    fn try_from(args: Vec<Arg>) -> Result<Self, String> {
        match args.first() {
            None => Err("a command needs at least the program".to_string()),
            Some(first) if first.plain() == Some("") => {
                Err("the program's name is empty".to_string())
            }
            Some(_) => Ok(Self(args)),
        }
    }
}

/// A regular expression, checked when it is read.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// Whether the text has a match.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The first group of the first match, or all of the match.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let found = self.0.captures(text)?;
        found.get(1).or_else(|| found.get(0)).map(|m| m.as_str())
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        regex::RegexBuilder::new(&text).multi_line(true).build().map(Self).map_err(|e| {
            // The library draws a caret below the pattern; its last line is the reason.
            let reason = e.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim().to_string();
            format!("not a regular expression: {}", reason.trim_start_matches("error: "))
        })
    }
}

/// A description that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("{file}{}: {message}", line.map(|l| format!(", line {l}")).unwrap_or_default())]
pub struct DescriptionError {
    /// The file.
    pub file: String,
    /// The line, from 1, where one can be named.
    pub line: Option<usize>,
    /// What is wrong, in one line.
    pub message: String,
}

impl Description {
    /// Reads a description; `file` names it in errors, `here` is its folder.
    ///
    /// # Errors
    ///
    /// If it is not TOML, has an unknown or missing field, or a value that cannot be.
    pub fn parse(text: &str, file: &str, here: &Path) -> Result<Self, DescriptionError> {
        let fail = |line, message| DescriptionError { file: file.to_string(), line, message };
        let mut description: Self = toml::from_str(text).map_err(|e| {
            let line = e.span().map(|s| 1 + text[..s.start.min(text.len())].matches('\n').count());
            // One line, whatever the parser wrote.
            fail(line, e.message().split_whitespace().collect::<Vec<_>>().join(" "))
        })?;
        description.check().map_err(|(key, message)| fail(line_of(text, key), message))?;
        description.here = here.to_path_buf();
        Ok(description)
    }

    /// A client from the command line: `name=CMD {in} {out}`. Without `{out}` the picture is
    /// what the command prints. The picture's format is told from its first bytes.
    ///
    /// # Errors
    ///
    /// In one line, what is wrong with it.
    pub fn from_command_line(spec: &str) -> Result<Self, String> {
        let (name, command) = spec.split_once('=').ok_or_else(|| {
            format!("{spec:?} is not a client: it should look like 'name=CMD {{in}} {{out}}'")
        })?;
        let name = Name::try_from(name.trim().to_string())?;
        let words = shlex::split(command)
            .ok_or_else(|| format!("client {}: a quote is not closed", name.as_str()))?;
        let in_client = |e: String| format!("client {}: {e}", name.as_str());
        let here = std::env::current_dir().unwrap_or_default();
        // The client runs in a folder of its own: `./view` is meant from here.
        let mut words = words;
        if let Some(program) = words.first_mut()
            && program.contains('/')
            && !program.contains('{')
        {
            *program = here.join(&*program).to_string_lossy().into_owned();
        }
        let args: Vec<Arg> =
            words.into_iter().map(Arg::try_from).collect::<Result<_, _>>().map_err(in_client)?;
        let command = Argv::try_from(args).map_err(in_client)?;
        let writes = command.has(&Piece::Out) || command.has(&Piece::Dir);
        let description = Self {
            summary: "from the command line".to_string(),
            decoder: Decoder::Unknown,
            install: Vec::new(),
            // Taken at its word until told otherwise: a user tests what they want applied.
            applies: vec!["orientation".to_string()],
            ignores: Vec::new(),
            run: Run {
                command,
                then: Vec::new(),
                env: BTreeMap::new(),
                inherit_env: true,
                refused: Vec::new(),
            },
            version: None,
            output: Output {
                format: Format::Auto,
                from: if writes { From::File } else { From::Stdout },
                // `{out}.ppm` is fine too.
                path: writes.then(|| FileName("out*".to_string())),
            },
            // A sanitizer's build reserves terabytes of address space.
            limits: Limits { memory: Memory::Resident, ..Limits::default() },
            here,
            name,
        };
        description.check().map_err(|(_, e)| format!("client {}: {e}", description.name.0))?;
        Ok(description)
    }

    /// What must hold between fields: the key to blame, and what is wrong.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let argvs = || std::iter::once(&self.run.command).chain(&self.run.then);
        if !self.run.command.has(&Piece::In) && !self.run.command.has(&Piece::Dir) {
            return Err(("command", "the command never mentions {in}".to_string()));
        }
        let named = self.output.path.is_some();
        let writes = argvs().any(|argv| argv.has(&Piece::Out));
        match self.output.from {
            From::File if !writes && !named => {
                return Err((
                    "command",
                    "no command mentions {out}, and [output] names no path".to_string(),
                ));
            }
            From::Stdout if named => {
                return Err(("path", "a picture on stdout has no path".to_string()));
            }
            _ => {}
        }
        if self.limits.time_s == 0 || self.limits.disk_mb == 0 || self.limits.messages_mb == 0 {
            return Err(("limits", "time_s, disk_mb and messages_mb must not be 0".to_string()));
        }
        if let Some(both) = self.ignores.iter().find(|i| self.applies.contains(&i.what)) {
            return Err(("ignores", format!("{} is both applied and ignored", both.what)));
        }
        if self.summary.trim().is_empty() || self.summary.contains('\n') {
            return Err(("summary", "the summary must be one line".to_string()));
        }
        Ok(())
    }

    /// What a person would type, placeholders as they are.
    pub fn command_line(&self) -> String {
        let places = Places {
            input: "{in}".as_ref(),
            output: "{out}".as_ref(),
            dir: "{dir}".as_ref(),
            here: "{here}".as_ref(),
        };
        let argv = |argv: &Argv| {
            let words = argv.fill(&places).into_iter().map(|word| {
                let word = word.to_string_lossy().into_owned();
                // Braces need no quotes, though shlex thinks so.
                let plain = |c: char| c.is_ascii_alphanumeric() || "{}/.,:=+-_%@".contains(c);
                if !word.is_empty() && word.chars().all(plain) {
                    word
                } else {
                    shlex::try_quote(&word).map_or(word.clone(), |quoted| quoted.into_owned())
                }
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let commands = std::iter::once(&self.run.command).chain(&self.run.then);
        commands.map(argv).collect::<Vec<_>>().join(" && ")
    }

    /// What people are told about it.
    pub fn info(&self) -> Info {
        Info {
            name: self.name.0.clone(),
            summary: self.summary.clone(),
            decoder: self.decoder,
            install: self.install.clone(),
            applies: self.applies.clone(),
            ignores: self.ignores.clone(),
        }
    }
}

/// The line of the first mention of a key, from 1.
fn line_of(text: &str, key: &str) -> Option<usize> {
    text.lines()
        .position(|line| {
            let line = line.trim_start().trim_start_matches('[');
            line.strip_prefix(key).is_some_and(|rest| {
                rest.trim_start().starts_with(['=', ']']) || rest.starts_with('.')
            })
        })
        .map(|at| at + 1)
}
