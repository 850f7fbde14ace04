//! `repfuzz interface`: in which orders the functions of a library may be called.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use interfaces::c::{self, ErrorKind, Translated};
use interfaces::client::{self, ClientCall, Unfollowed, Verdict};
use interfaces::exhaustive::{Comparison, alphabet, compare_answers, compare_library};
use interfaces::export::{self, View};
use interfaces::graph::{Call, Graph};
use interfaces::library::{Library, Place, Problem, parse};
use interfaces::suite::{CFunction, Coverage, c_suite, rust_suite, sequences};
use interfaces::synthesis;
use interfaces::watch::Watch;

use super::c_program::Preprocessor;
use super::{FOUND, SUCCESS, fail, say};

/// Compute the orders in which the functions of a library may be called
///
/// The library is C, or a file of guarded updates (.gu). A call is an error if it sets the variable
/// `err`, or does not return because of exit, abort or assert. The graph allows each sequence of calls
/// without an error, and no other.
///
/// The exit code is 0, or 1 if the client can reach an error or the graph differs from the library.
#[derive(Debug, Clone, Args)]
pub struct InterfaceArgs {
    /// Library: a file of C, or of guarded updates (.gu)
    #[arg(value_name = "LIB")]
    pub library: PathBuf,
    /// Functions that clients call; of guarded updates, all by default
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub functions: Vec<String>,
    /// Kind of error in C [default: err if there is such a variable, else exit]
    #[arg(long, value_enum, value_name = "KIND")]
    pub error: Option<ErrorArg>,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = ModeArg::Stable, value_name = "MODE")]
    pub mode: ModeArg,
    /// Print the graph for Graphviz
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
    /// Print the graph as JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the graph
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
    /// Write test suites in C and Rust that cover every edge, and every pair of edges
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// Check a client in C
    #[arg(long, value_name = "FILE.c")]
    pub client: Option<PathBuf>,
    /// Function of the client that begins
    #[arg(long, value_name = "NAME", default_value = "main", requires = "client")]
    pub entry: String,
    /// Compare the graph with the library on every sequence of at most so many calls
    #[arg(long, value_name = "LENGTH", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub exhaustive: Option<u8>,
    /// Print the library as guarded updates instead of its graph
    #[arg(long, conflicts_with_all = ["dot", "json"])]
    pub rules: bool,
    /// Depth of the stack of functions of C that call themselves
    #[arg(long, value_name = "DEPTH", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub stack: u8,
    /// Most seconds for all of it
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub time: u64,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub preprocessor: Preprocessor,
}

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ErrorArg {
    /// The global variable `err` is not zero, or the call does not return
    Err,
    /// The call does not return: exit, abort
    Exit,
    /// The call does not return: assert
    Assert,
}

/// An algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Three-valued abstraction refinement as published; its graph may allow sequences that fail
    Paper,
    /// Refinement until the partition is stable
    Stable,
    /// A node for each state
    Direct,
    /// Learning by L*
    Learning,
    /// Refinement by Boolean variables
    Cegar,
}

impl ModeArg {
    fn mode(self) -> synthesis::Mode {
        match self {
            Self::Paper => synthesis::Mode::Paper,
            Self::Stable => synthesis::Mode::Stable,
            Self::Direct => synthesis::Mode::Direct,
            Self::Learning => synthesis::Mode::Learning,
            Self::Cegar => synthesis::Mode::Cegar,
        }
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &InterfaceArgs) -> u8 {
    let watch = Watch::new(Some(Duration::from_secs(args.time)));
    let file = args.library.display().to_string();
    let args = args.clone();
    match watch.run(move |watch| try_run(&args, watch)) {
        Ok(true) => FOUND,
        Ok(false) => SUCCESS,
        Err(mut problem) => {
            if problem.message.starts_with("the time limit of ") {
                problem.message += "; --time gives more";
            }
            fail(problem.in_file(&file))
        }
    }
}

fn try_run(args: &InterfaceArgs, watch: &Watch) -> Result<bool, Problem> {
    let source = Source::read(args)?;
    if args.rules {
        say(source.library.to_string().trim_end());
        return Ok(false);
    }
    let file = args.library.display().to_string();
    let graph = synthesis::synthesize_within(source.library.clone(), args.mode.mode(), watch)
        .map_err(|p| p.in_file(&file))?;
    if let Some(path) = &args.svg {
        write(path, &export::svg(&graph, View::All))?;
    }
    if let Some(folder) = &args.suite {
        write_suites(folder, &graph, &source)?;
    }
    let verdict = match &args.client {
        Some(path) => {
            watch.begin("the client was followed");
            Some(check_client(args, path, &graph, &source)?)
        }
        None => None,
    };
    let comparison = match args.exhaustive {
        Some(length) => {
            watch.begin(format!("the sequences of at most {length} calls were run"));
            Some(compare(args, &graph, &source, length.into(), watch)?)
        }
        None => None,
    };
    watch.in_time()?;
    print(args, &graph, verdict.as_ref(), comparison.as_ref())?;
    let differs =
        comparison.is_some_and(|c| c.unsafe_sequence.is_some() || c.refused_sequence.is_some());
    match verdict {
        Some(Verdict::NotFollowed(list)) => Err(not_followed(args, &list)),
        Some(Verdict::Fails(_)) => Ok(true),
        Some(Verdict::Legal) | None => Ok(differs),
    }
}

/// Returns the reason why a client without a path to an error is not reported as safe.
fn not_followed(args: &InterfaceArgs, list: &[Unfollowed]) -> Problem {
    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
    let list = list.join("; ");
    let message = format!("it is not known whether the client reaches an error: {list}");
    let client = args.client.as_ref().map(|c| c.display().to_string());
    Problem::new(Place::default(), message).in_file(&client.unwrap_or_default())
}

/// A library, and its functions as C calls them.
struct Source {
    library: Library,
    functions: Vec<CFunction>,
    is_c: bool,
    error: Option<&'static str>,
}

impl Source {
    fn read(args: &InterfaceArgs) -> Result<Self, Problem> {
        let file = args.library.display().to_string();
        let text = fs::read_to_string(&args.library)
            .map_err(|e| Problem::new(Place::default(), format!("cannot be read: {e}")))
            .map_err(|p| p.in_file(&file))?;
        if args.library.extension().is_some_and(|e| e == "c") {
            let translated = translate(args).map_err(|p| p.in_file(&file))?;
            let error = translated.error();
            let Translated { library, functions, .. } = translated;
            return Ok(Self { library, functions, is_c: true, error });
        }
        let mut library = parse(&text).map_err(|p| p.in_file(&file))?;
        if !args.functions.is_empty() {
            library.select(&args.functions).map_err(|p| p.in_file(&file))?;
        }
        let functions =
            library.functions.iter().map(|f| CFunction::plain(&f.name, f.parameters)).collect();
        Ok(Self { library, functions, is_c: false, error: None })
    }
}

fn translate(args: &InterfaceArgs) -> Result<Translated, Problem> {
    if args.functions.is_empty() {
        let message = "C needs --functions: the names of those that clients call";
        return Err(Problem::new(Place::default(), message));
    }
    let options = c::Options {
        functions: args.functions.clone(),
        error: match args.error {
            None => ErrorKind::Either,
            Some(ErrorArg::Err) => ErrorKind::Err,
            Some(ErrorArg::Exit | ErrorArg::Assert) => ErrorKind::Exit,
        },
        stack: args.stack.into(),
        front_end: args.preprocessor.options(),
    };
    c::read(args.library.clone(), &options)
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let failed = |e| Problem::new(Place::default(), format!("cannot be written: {e}"));
    fs::write(path, text).map_err(failed).map_err(|p| p.in_file(&path.display().to_string()))
}

/// Writes the suites of edges and of pairs of edges.
fn write_suites(folder: &Path, graph: &Graph, source: &Source) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(|e| {
        let problem = Problem::new(Place::default(), format!("cannot be made: {e}"));
        problem.in_file(&folder.display().to_string())
    })?;
    for (name, coverage) in [("edges", Coverage::Edges), ("pairs", Coverage::Pairs)] {
        let sequences = sequences(graph, coverage);
        let c = c_suite(graph, &sequences, &source.functions, source.error);
        write(&folder.join(format!("{name}.c")), &c)?;
        write(&folder.join(format!("{name}.rs")), &rust_suite(graph, &sequences))?;
    }
    Ok(())
}

fn check_client(
    args: &InterfaceArgs,
    path: &Path,
    graph: &Graph,
    source: &Source,
) -> Result<Verdict, Problem> {
    let name = path.display().to_string();
    let in_file = |p: Problem| p.in_file(&name);
    fs::metadata(path)
        .map_err(|e| in_file(Problem::new(Place::default(), format!("cannot be read: {e}"))))?;
    let program = canonical::c::read(&[path.to_owned()], &args.preprocessor.options());
    // Attributes are followed, or listed as not followed.
    let refused = program.diagnostics.iter().find(|d| {
        d.effect != canonical::Effect::OverApproximated
            && !canonical::c::is_about_attribute(&d.message)
    });
    if let Some(d) = refused {
        let place = d.place.map_or(Place::default(), |p| Place {
            line: p.line as usize,
            column: p.column as usize,
        });
        return Err(in_file(Problem::new(place, d.message.clone())));
    }
    client::check(graph, &source.functions, &program, &args.entry).map_err(in_file)
}

fn compare(
    args: &InterfaceArgs,
    graph: &Graph,
    source: &Source,
    length: usize,
    watch: &Watch,
) -> Result<Comparison, Problem> {
    let alphabet = alphabet(graph);
    if !source.is_c {
        return compare_library(graph, &source.library, &alphabet, length);
    }
    let error = source.error;
    let answers = c::answers(&args.library, &source.functions, &alphabet, length, error, watch)?;
    compare_answers(graph, &alphabet, length, &answers)
}

fn print(
    args: &InterfaceArgs,
    graph: &Graph,
    verdict: Option<&Verdict>,
    comparison: Option<&Comparison>,
) -> Result<(), Problem> {
    let texts = |s: &Vec<Call>| s.iter().map(|c| graph.call_text(c)).collect::<Vec<_>>();
    if args.json {
        let internal = |e: serde_json::Error| Problem::new(Place::default(), e.to_string());
        let mut json = serde_json::to_value(export::json(graph)).map_err(internal)?;
        if let Some(remark) = args.mode.mode().remark(graph) {
            json["remark"] = remark.into();
        }
        if let Some(verdict) = verdict {
            json["client"] = client_json(verdict);
        }
        if let Some(c) = comparison {
            json["exhaustive"] = serde_json::json!({
                "sequences": c.sequences,
                "unsafe": c.unsafe_sequence.as_ref().map(texts),
                "refused": c.refused_sequence.as_ref().map(texts),
            });
        }
        say(json);
        return Ok(());
    }
    if args.dot {
        say(export::dot(graph, View::All).trim_end());
        return Ok(());
    }
    say(format!("{}: {} nodes without errors", graph.library, graph.regions()));
    if let Some(remark) = args.mode.mode().remark(graph) {
        say(remark);
    }
    say(export::text(graph).trim_end());
    match verdict {
        Some(Verdict::Legal) => say("the client reaches no error"),
        Some(Verdict::Fails(calls)) => {
            say("the client can reach an error:");
            calls.iter().for_each(|c| say(format!("   {} {}", c.place, c.text)));
        }
        Some(Verdict::NotFollowed(_)) | None => {}
    }
    if let Some(c) = comparison {
        say(format!("{} sequences of calls were run", c.sequences));
        for (what, sequence) in [
            ("fails although the graph allows it", &c.unsafe_sequence),
            ("does not fail although the graph refuses it", &c.refused_sequence),
        ] {
            if let Some(sequence) = sequence {
                say(format!("{what}: {}", texts(sequence).join(" ")));
            }
        }
    }
    Ok(())
}

/// The verdict on a client. Whether it can fail is null if unknown.
fn client_json(verdict: &Verdict) -> serde_json::Value {
    let call = |c: &ClientCall| serde_json::json!({"call": c.text, "place": c.place});
    let part = |u: &Unfollowed| {
        serde_json::json!({
            "function": u.name, "given_to": u.given_to, "place": u.place, "reason": u.to_string(),
        })
    };
    let (can_fail, calls, parts) = match verdict {
        Verdict::Legal => (Some(false), &[][..], &[][..]),
        Verdict::Fails(calls) => (Some(true), &calls[..], &[][..]),
        Verdict::NotFollowed(parts) => (None, &[][..], &parts[..]),
    };
    serde_json::json!({
        "can_fail": can_fail,
        "calls": calls.iter().map(call).collect::<Vec<_>>(),
        "not_followed": parts.iter().map(part).collect::<Vec<_>>(),
    })
}
