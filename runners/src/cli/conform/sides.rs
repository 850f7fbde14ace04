//! Reads the two sides of a check from files: C programs or automata.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use canonical::{Diagnostic, Effect};
use conformance::Error;
use conformance::automata::{Alphabet, Nwa};
use conformance::lower::{Lowered, lower};
use conformance::misspelled::misspelled;
use conformance::model::{Model, Outcome};
use conformance::program::Program;
use conformance::read::{dot, toml};
use conformance::remark::Remark;
use conformance::second::{Second, Sources, longer_look, second_look};
use conformance::settings::{self, Role, Settings};
use conformance::sites;

use super::args::ConformArgs;
use crate::cli::c_program::message;
use reports::report::{address, graphviz};

/// The maximum size in bytes of an automaton's file.
const BYTES: u64 = 64 << 20;

/// The maximum number of states of an automaton that is drawn. Graphviz takes too long for larger ones.
const DRAWN: usize = 500;

/// Both sides.
pub struct Sides {
    /// The producer.
    pub producer: Model,
    /// The consumer.
    pub consumer: Model,
    /// The producer's program, unless it is an automaton.
    pub program: Option<Program>,
    /// The relevant parts of the sources that were not understood, one line each.
    pub problems: Vec<String>,
    /// Reasons why the programs may behave differently from the automata.
    pub remarks: Vec<Remark>,
    /// The sources that a second look at a counterexample needs; `None` if the producer is an automaton.
    pub again: Option<Again>,
}

/// The sources of a check, for a second look at its counterexample.
pub struct Again {
    producer: canonical::Program,
    consumer: Option<canonical::Program>,
    settings: Settings,
    list: Option<Vec<sites::Listed>>,
    /// The remarks about the settings and the producer.
    pub remarks: Vec<Remark>,
    /// The number of remarks about the consumer.
    about_consumer: usize,
}

impl Again {
    /// Takes a second look. `consumer` is the consumer's automaton, if the consumer is an automaton.
    pub fn look(&self, consumer: &Model, alphabet: &mut Alphabet) -> Result<Second, Error> {
        second_look(self.sources(), consumer, alphabet)
    }

    /// Takes a longer look at a consumer that conforms apart from what is open.
    pub fn longer(&self, producer: &Model, alphabet: &mut Alphabet) -> Result<Longer, Error> {
        longer_look(self.sources(), producer, self.about_consumer, alphabet)
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            producer: &self.producer,
            consumer: self.consumer.as_ref(),
            settings: &self.settings,
            list: self.list.as_deref(),
        }
    }
}

/// The result of a longer look: the remarks about the consumer, and the outcome.
type Longer = Option<(Vec<Remark>, Outcome)>;

/// One side as it is read.
enum Read {
    Automaton(Nwa),
    Program(Box<canonical::Program>, Lowered),
}

/// Reads both sides, and reads or writes the list of sites.
pub fn read(args: &ConformArgs, alphabet: &mut Alphabet) -> Result<Sides, String> {
    let mut settings = match &args.io {
        None => None,
        Some(path) => {
            let text = text(path)?;
            let name = path.display().to_string();
            Some(settings::read(&name, &text).map_err(|e| e.to_string())?)
        }
    };
    let list = match &args.sites {
        Some(path) if path.exists() => {
            let name = path.display().to_string();
            Some(sites::read(&name, &text(path)?).map_err(|e| e.to_string())?)
        }
        _ => None,
    };
    let mut problems = Vec::new();
    let mut read = |files: &[PathBuf], role, settings: Option<&Settings>| {
        side(files, role, settings, list.as_deref(), alphabet, &mut problems)
    };
    let producer = read(&args.producer, Role::Producer, settings.as_ref())?;
    if let (Some(settings), Read::Program(_, lowered)) = (&mut settings, &producer) {
        settings.written = lowered.program.written();
        settings.partly = lowered.program.partly_written();
    }
    let consumer = read(&args.consumer, Role::Consumer, settings.as_ref())?;
    if let (Some(path), None) = (&args.sites, &list) {
        let found = [&producer, &consumer].into_iter().flat_map(|side| match side {
            Read::Program(_, lowered) => lowered.sites.clone(),
            Read::Automaton(_) => Vec::new(),
        });
        let text = sites::write(&found.collect::<Vec<_>>());
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if let Some(settings) = &settings {
        check_types(args, settings, [&producer, &consumer], alphabet)?;
    }
    let remarks = [&producer, &consumer].into_iter().flat_map(|side| match side {
        Read::Program(_, lowered) => lowered.remarks.clone(),
        Read::Automaton(_) => Vec::new(),
    });
    let sources = [(Role::Producer, &producer), (Role::Consumer, &consumer)];
    let sources = sources.into_iter().filter_map(|(role, side)| match side {
        Read::Program(source, _) => Some((role, &**source)),
        Read::Automaton(_) => None,
    });
    let sources: Vec<_> = sources.collect();
    let names = settings.as_ref().map(|own| misspelled(own, &sources)).unwrap_or_default();
    let remarks = names.iter().cloned().chain(remarks).collect();
    let program = match &producer {
        Read::Program(_, lowered) => Some(lowered.program.clone()),
        Read::Automaton(_) => None,
    };
    let mut model = |side| match side {
        Read::Automaton(automaton) => Ok((Model::automaton(automaton), None)),
        Read::Program(source, lowered) => {
            let remarks = lowered.remarks;
            let model = Model::program(lowered.program, alphabet).map_err(|e| e.to_string())?;
            Ok::<_, String>((model, Some((source, remarks))))
        }
    };
    let ((producer, own), (consumer, other)) = (model(producer)?, model(consumer)?);
    let again = settings.zip(own).map(|(settings, (own, remarks))| {
        let about_consumer = other.as_ref().map_or(0, |(_, remarks)| remarks.len());
        let consumer = other.map(|(source, _)| *source);
        let remarks = [names, remarks].concat();
        Again { producer: *own, consumer, settings, list, remarks, about_consumer }
    });
    Ok(Sides { producer, consumer, program, problems, remarks, again })
}

/// Refuses types of --io and events of automata that occur nowhere else, because they may be misspelled.
fn check_types(
    args: &ConformArgs,
    settings: &Settings,
    sides: [&Read; 2],
    alphabet: &Alphabet,
) -> Result<(), String> {
    let mut called = BTreeSet::new();
    let mut written = Vec::new();
    for (side, files) in sides.into_iter().zip([&args.producer, &args.consumer]) {
        match side {
            Read::Program(_, lowered) => {
                let parts = lowered.sites.iter().flat_map(|site| &site.parts);
                called.extend(parts.map(|part| part.kind.clone()));
            }
            Read::Automaton(automaton) => {
                let events = automaton.events().into_iter();
                written.extend(events.map(|on| (&files[0], alphabet.event(on).kind.clone())));
            }
        }
    }
    let mut all = called.clone();
    all.extend(written.iter().map(|(_, kind)| kind.clone()));
    settings.check_types(&all).map_err(|e| e.to_string())?;
    if let [Read::Program(_, producer), Read::Program(_, consumer)] = sides {
        sites::check_types(settings, &producer.sites, &consumer.sites)
            .map_err(|e| e.to_string())?;
    }
    called.extend(settings.types.values().flat_map(|made| &made.parts).map(|p| p.kind.clone()));
    match written.into_iter().find(|(_, kind)| !settings.knows(kind, &called)) {
        None => Ok(()),
        Some((file, kind)) => {
            let name = file.display();
            let line = text(file)?.lines().position(|line| line.contains(&kind)).unwrap_or(0) + 1;
            Err(format!("{name}:{line}: `{kind}` is no type of --io, nor of a call of the program"))
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    use std::io::Read as _;
    let name = path.display();
    let file = std::fs::File::open(path).map_err(|e| format!("{name}: {e}"))?;
    let mut bytes = Vec::new();
    file.take(BYTES + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
    if bytes.len() as u64 > BYTES {
        return Err(format!("{name}: more than {BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| format!("{name}: not text in UTF-8"))
}

/// Reads one side: an automaton, or files of C as one program.
fn side(
    files: &[PathBuf],
    role: Role,
    settings: Option<&Settings>,
    list: Option<&[sites::Listed]>,
    alphabet: &mut Alphabet,
    problems: &mut Vec<String>,
) -> Result<Read, String> {
    if let [file] = files {
        let name = file.display().to_string();
        let read = match file.extension().and_then(|e| e.to_str()) {
            Some("toml") => Some(toml::read(&name, &text(file)?, alphabet)),
            Some("dot" | "gv") => Some(dot::read(&name, &text(file)?, alphabet)),
            _ => None,
        };
        if let Some(automaton) = read {
            return automaton.map(Read::Automaton).map_err(|e| e.to_string());
        }
    }
    let Some(settings) = settings else {
        return Err(format!(
            "the {} is in C: --io names the functions that write and read",
            role.name()
        ));
    };
    for file in files {
        std::fs::File::open(file).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let arguments = settings.arguments.iter().chain(&settings.program(role).arguments);
    let options = canonical::c::Options {
        arguments: arguments.cloned().collect(),
        calls: settings.kept_macros(),
        ..canonical::c::Options::default()
    };
    let program = canonical::c::read(files, &options);
    let lowered = lower(&program, role, settings, list).map_err(|e| {
        // If a function or a file cannot be read, this explains why it is missing.
        let main = settings.program(role).main.as_deref().unwrap_or("main");
        let is_main =
            |d: &&Diagnostic| d.function.is_some_and(|f| program.function(f).name == main);
        let left_out = |d: &&Diagnostic| d.effect == Effect::LeftOut;
        let all = || program.diagnostics.iter();
        let reason = all().find(is_main).or_else(|| all().find(left_out));
        reason.map_or_else(|| e.to_string(), |d| format!("{}; so {e}", message(&program, d)))
    })?;
    // Diagnostics about parts that were left out come first, because they may cause the others.
    let left_out = program.diagnostics.iter().filter(|d| d.effect == Effect::LeftOut);
    if lowered.sites.is_empty() {
        let word = if role == Role::Producer { "writes" } else { "reads" };
        let known = conformance::settings::other_calls(&program, role);
        let known = known.map(|name| format!(": it calls `{name}`, which is none of them"));
        let why = format!(
            "no call of the {} {word} by a function of --io{}",
            role.name(),
            known.unwrap_or_default()
        );
        let reason = left_out.map(|d| message(&program, d)).next();
        return Err(reason.map_or_else(|| why.clone(), |reason| format!("{reason}; so {why}")));
    }
    // Diagnostics about functions that run are remarks.
    let is_told = |d: &&Diagnostic| lowered.remarks.iter().any(|remark| remark.text == d.message);
    let matters = |d: &&Diagnostic| d.effect != Effect::OverApproximated && !is_told(d);
    let others = program.diagnostics.iter().filter(|d| d.effect != Effect::LeftOut);
    let all = left_out.chain(others).filter(matters);
    problems.extend(all.map(|d| message(&program, d)));
    Ok(Read::Program(Box::new(program), lowered))
}

/// Writes the automata as DOT, and as SVG if graphviz is installed.
pub fn draw(folder: &Path, sides: &Sides, alphabet: &Alphabet) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, model) in [("producer", &sides.producer), ("consumer", &sides.consumer)] {
        let text = dot::write(name, &model.automaton, alphabet);
        if model.automaton.len() <= DRAWN
            && let Some(svg) = graphviz(&text)
        {
            std::fs::write(folder.join(name).with_extension("svg"), svg).map_err(failed)?;
        }
        std::fs::write(folder.join(name).with_extension("dot"), text).map_err(failed)?;
    }
    Ok(())
}

/// Returns an automaton as the URL of an image; `None` without graphviz.
pub fn svg(title: &str, automaton: &Nwa, alphabet: &Alphabet) -> Option<String> {
    if automaton.len() > DRAWN {
        return None;
    }
    let svg = graphviz(&dot::write(title, automaton, alphabet))?;
    Some(address(&svg))
}
