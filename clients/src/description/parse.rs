//! Parsing and validation of descriptions, from files and from command lines.

use std::collections::BTreeMap;
use std::path::Path;

use super::argv::Piece;
use super::*;
use crate::tools;

/// A description that is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("{file}{}: {message}", line.map(|l| format!(", line {l}")).unwrap_or_default())]
pub struct DescriptionError {
    /// The file.
    pub file: String,
    /// The line, from 1, if it can be determined.
    pub line: Option<usize>,
    /// A one-line message.
    pub message: String,
}

impl Description {
    /// Reads a description; `file` names it in errors, `here` is its folder.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not TOML, has an unknown or missing field, or an invalid value.
    pub fn parse(text: &str, file: &str, here: &Path) -> Result<Self, DescriptionError> {
        let fail = |line, message| DescriptionError { file: file.to_string(), line, message };
        let mut description: Self = toml::from_str(text).map_err(|e| {
            let line = e.span().map(|s| 1 + text[..s.start.min(text.len())].matches('\n').count());
            // The parser's message may have several lines.
            fail(line, e.message().split_whitespace().collect::<Vec<_>>().join(" "))
        })?;
        description.check().map_err(|(key, message)| fail(line_of(text, key), message))?;
        description.here = here.to_path_buf();
        description.tools_folder = tools::folder(description.name.as_str());
        Ok(description)
    }

    /// Parses a client from the command line: `name=CMD {in} {out}`. Without `{out}` the picture is
    /// read from standard output. The picture's format is detected from its first bytes.
    ///
    /// # Errors
    ///
    /// Returns a one-line message.
    pub fn from_command_line(spec: &str) -> Result<Self, String> {
        let (name, command) = spec.split_once('=').ok_or_else(|| {
            format!("{spec:?} is not a client: it should look like 'name=CMD {{in}} {{out}}'")
        })?;
        let name = Name::try_from(name.trim().to_string())?;
        let words = shlex::split(command)
            .ok_or_else(|| format!("client {}: a quote is not closed", name.as_str()))?;
        let in_client = |e: String| format!("client {}: {e}", name.as_str());
        let here = std::env::current_dir().unwrap_or_default();
        // The client runs in a separate folder, but `./view` refers to the current one.
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
            library: None,
            install: Vec::new(),
            formats: Vec::new(),
            extension: tif(),
            // This is assumed about a user's own program until a finding shows otherwise.
            applies: vec!["orientation".to_string()],
            ignores: Vec::new(),
            unsupported: Vec::new(),
            contract: None,
            script: None,
            test: None,
            run: Invocation {
                command: Some(command),
                worker: None,
                edges: false,
                viewer: None,
                then: Vec::new(),
                calls: Vec::new(),
                env: BTreeMap::new(),
                inherit_env: true,
                sockets: false,
                refused: Vec::new(),
                crashed: Vec::new(),
            },
            version: None,
            output: Output {
                format: Format::Auto,
                from: if writes { OutputSource::File } else { OutputSource::Stdout },
                // `{out}.ppm` works too.
                path: if writes { FileName::try_from("out*".to_string()).ok() } else { None },
                extra: BTreeMap::new(),
            },
            // Sanitizer builds reserve terabytes of address space.
            limits: Limits { memory: Memory::Resident, ..Limits::default() },
            tools: Tools::default(),
            viewer: Viewer::default(),
            tools_folder: tools::folder(name.as_str()),
            here,
            name,
        };
        description
            .check()
            .map_err(|(_, e)| format!("client {}: {e}", description.name.as_str()))?;
        Ok(description)
    }

    /// Checks consistency between fields. The error names the offending key.
    fn check(&self) -> Result<(), (&'static str, String)> {
        self.check_run()?;
        self.check_extra()?;
        if self.limits.time_s == 0 || self.limits.disk_mb == 0 || self.limits.messages_mb == 0 {
            return Err(("limits", "time_s, disk_mb and messages_mb must not be 0".to_string()));
        }
        if let Some(both) = self.ignores.iter().find(|i| self.applies.contains(&i.what)) {
            return Err(("ignores", format!("{} is both applied and ignored", both.what)));
        }
        if let Some(bare) = self.unsupported.iter().find(|u| u.reason.trim().is_empty()) {
            return Err(("unsupported", format!("{} needs a reason", bare.what)));
        }
        if self.script.as_ref().is_some_and(|script| !script.text.contains("{file}")) {
            return Err(("script", "the text must contain {file}".to_string()));
        }
        if let Some(Err(why)) = self.test.as_ref().map(TestCode::check) {
            return Err(("test", why));
        }
        if self.contract.is_some() && self.run.viewer.is_some() {
            return Err(("contract", "a viewer is compared with itself".to_string()));
        }
        if self.contract.is_some() && self.output.format == Format::Bytes {
            return Err(("contract", "a client of bytes is compared with itself".to_string()));
        }
        if self.summary.contains('\n') {
            return Err(("summary", "the summary must be one line".to_string()));
        }
        Ok(())
    }

    /// Checks the extra reads that it does.
    fn check_extra(&self) -> Result<(), (&'static str, String)> {
        let fail = |key, what: String| Err((key, what));
        if self.run.programs().any(Argv::has_region) {
            let what = "only the command of [output.extra] `region` has {x}, {y}, {w} or {h}";
            return fail("run", what.to_owned());
        }
        if self.output.extra.is_empty() {
            return Ok(());
        }
        if self.run.kind() == Kind::Viewer || self.output.format == Format::Bytes {
            return fail("extra", "only clients that write pictures do extra reads".to_owned());
        }
        for (read, command) in &self.output.extra {
            let word = read.words().word;
            match command {
                ExtraCommand::Worker(true) if self.run.worker.is_some() => {}
                ExtraCommand::Worker(_) => {
                    return fail("extra", format!("`{word}` is a command, or `true` for a worker"));
                }
                ExtraCommand::Command(argv) => {
                    let has_region = argv.has_region();
                    if !argv.has(&Piece::In) && !argv.has(&Piece::Dir) {
                        return fail(
                            "extra",
                            format!("the command of `{word}` never mentions {{in}}"),
                        );
                    }
                    if has_region != (*read == ExtraRead::Region) {
                        let what = "the command of `region`, and no other, has {x}, {y}, {w}, {h}";
                        return fail("extra", what.to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the dimensions that it ignores.
    pub(crate) fn ignores_of(&self) -> Vec<String> {
        self.ignores.iter().map(|ignored| ignored.what.clone()).collect()
    }

    /// Checks the commands.
    fn check_run(&self) -> Result<(), (&'static str, String)> {
        let run = &self.run;
        let fail = |key, what: &str| Err((key, what.to_string()));
        if run.worker.is_some() && run.viewer.is_some() {
            return fail("viewer", "a client is a worker or a viewer, not both");
        }
        if run.viewer.is_some() && run.command.is_some() {
            return fail("viewer", "a client is a viewer or a command, not both");
        }
        if run.edges && run.worker.is_none() {
            return fail("edges", "only a worker publishes its edges");
        }
        if run.edges && run.command.is_some() {
            return fail("edges", "a worker with edges is confirmed by itself, not by a command");
        }
        if let Some(worker) = &run.worker
            && (worker.has(&Piece::In) || worker.has(&Piece::Out))
        {
            return fail(
                "worker",
                "a worker gets its files by its protocol, so it takes no {in} or {out}",
            );
        }
        if run.viewer.as_ref().is_some_and(|v| !v.has(&Piece::In) && !v.has(&Piece::Dir)) {
            return fail("viewer", "the viewer's command never mentions {in}");
        }
        if let Some(open) = &self.viewer.open
            && (open.answer.is_empty() || !open.say.iter().any(|words| words.has(&Piece::In)))
        {
            return fail("open", "a viewer is told to open {in}, and answers");
        }
        let Some(command) = &run.command else {
            return match (run.kind(), run.then.is_empty()) {
                (Kind::Command, _) => fail("run", "there is no command, worker or viewer"),
                (_, false) => fail("then", "`then` needs a `command` before it"),
                (_, true) => Ok(()),
            };
        };
        if !command.has(&Piece::In) && !command.has(&Piece::Dir) {
            return fail("command", "the command never mentions {in}");
        }
        let named = self.output.path.is_some();
        let writes = run.commands().any(|argv| argv.has(&Piece::Out));
        match self.output.from {
            OutputSource::File if !writes && !named => {
                fail("command", "no command mentions {out}, and [output] has no path")
            }
            OutputSource::Stdout if named => fail("path", "a picture on stdout has no path"),
            _ => Ok(()),
        }
    }

    /// The equivalent command line for a person, with placeholders. For a worker it pipes `decode {in}` into the
    /// worker.
    pub fn command_line(&self) -> String {
        let placeholders = Placeholders {
            input: "{in}".as_ref(),
            output: "{out}".as_ref(),
            dir: "{dir}".as_ref(),
            here: "{here}".as_ref(),
            tools: "{tools}".as_ref(),
            region: None,
        };
        let argv = |argv: &Argv| {
            let words = argv.fill(&placeholders).into_iter().map(|word| {
                let word = word.to_string_lossy().into_owned();
                // Braces need no quotes, but shlex quotes them.
                let plain = |c: char| c.is_ascii_alphanumeric() || "{}/.,:=+-_%@".contains(c);
                if !word.is_empty() && word.chars().all(plain) {
                    word
                } else {
                    shlex::try_quote(&word).map_or(word.clone(), |quoted| quoted.into_owned())
                }
            });
            words.collect::<Vec<_>>().join(" ")
        };
        if self.run.command.is_some() {
            return self.run.commands().map(argv).collect::<Vec<_>>().join(" && ");
        }
        let worker = self.run.worker.as_ref().map(|w| format!("echo decode {{in}} | {}", argv(w)));
        worker.or_else(|| self.run.viewer.as_ref().map(argv)).unwrap_or_default()
    }

    /// The facts that reports show about it.
    pub fn info(&self) -> Info {
        Info {
            name: self.name.as_str().to_string(),
            summary: self.summary.clone(),
            kind: self.run.kind(),
            decoder: self.decoder,
            install: self.install.clone(),
            applies: self.applies.clone(),
            ignores: self.ignores.clone(),
        }
    }
}

/// The line that first mentions a key, from 1.
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
