//! `repfuzz analyze`: can an assertion of a program fail, or an obligation of a spec?

mod common;
#[cfg(feature = "fleet")]
mod over_nats;
mod spec;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use analyses::protocol::server::Settings;
use analyses::readable::Readable;
use analyses::run::{Analysis, Kind, Known, Options, analyse};
use canonical::{Effect, Place, Program};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use common::{JsonClient, JsonInvariant, Wanted, clients, ends, invariants, note_crashes};

use super::c_program::{Preprocessor, message, noted};
use super::{FOUND, INCOMPLETE, SUCCESS, fail, note, say};

/// Prove or refute the assertions of a program in C, or the obligations of a spec
///
/// Several analyses run at the same time and help one another. Assertions are calls of `assert` and
/// `__VERIFIER_assert`, and calls of `reach_error` and `__VERIFIER_error`, which must not happen. Inputs are the results
/// of `__VERIFIER_nondet_int` and its like. Undefined behaviour ends a run.
///
/// The obligations of a spec are that indices are inside their arrays, that numbers fit 128 bits, and that each element
/// of an output is assigned once.
///
/// The exit code is 0 if there are any, each was reached by an analysis that covers all runs, and all of them are proved; 1
/// if one is refuted by inputs, 3 if neither, and 2 if the program cannot be analysed.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// Files of one program, or a spec or pipeline.toml
    #[arg(value_name = "PROG.c|SPEC.rs")]
    #[cfg_attr(feature = "fleet", arg(required_unless_present = "serve"))]
    #[cfg_attr(not(feature = "fleet"), arg(required = true))]
    pub files: Vec<PathBuf>,
    /// Analyses; `none` with --join if all of them run elsewhere [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…", value_parser = names())]
    pub clients: Vec<String>,
    /// Do not let them communicate
    #[arg(long)]
    pub isolated: bool,
    /// Most seconds for all of them together
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub time: u64,
    /// Function where execution begins [default: main], or the only stage of a spec to analyse [default: all]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Print what each analysis knows at the beginning of each loop
    #[arg(long)]
    pub invariants: bool,
    /// Draw each node with its invariants, and what was asked and answered there
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub preprocessor: Preprocessor,
    /// Analyses in processes of their own.
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub over_nats: over_nats::OverNats,
}

/// Stands for no analysis in this process.
const NONE: &str = "none";

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(kinds().chain([NONE]))
}

/// The names of all analyses.
fn kinds() -> impl Iterator<Item = &'static str> {
    Kind::ALL.iter().map(|kind| kind.name())
}

#[derive(Serialize)]
struct Json {
    verdict: &'static str,
    assertions: Vec<JsonAssertion>,
    clients: Vec<JsonClient>,
    queries: u64,
    steps: u64,
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<JsonInvariant>,
}

#[derive(Serialize)]
struct JsonAssertion {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    #[serde(flatten)]
    known: Known,
}

/// Runs the command; returns the exit code.
pub fn run(args: &AnalyzeArgs) -> u8 {
    #[cfg(feature = "fleet")]
    if let Some(name) = &args.over_nats.serve {
        return over_nats::serve(&args.over_nats, name);
    }
    let options = match options(args) {
        Ok(options) => options,
        Err(why) => return fail(why),
    };
    if args.files.iter().any(|path| spec::is_spec(path)) {
        let [path] = args.files.as_slice() else {
            return fail("a spec is analysed alone: give one file");
        };
        if !args.preprocessor.include.is_empty() || !args.preprocessor.define.is_empty() {
            return fail("-I and -D are for programs in C");
        }
        let wanted = Wanted {
            entry: args.entry.as_deref(),
            invariants: args.invariants,
            svg: args.svg.as_deref(),
            json: args.json,
        };
        return spec::run(&wanted, path, &options);
    }
    match analysis(args, &options) {
        Ok(analysis) => {
            if let Some(path) = &args.svg
                && let Err(why) = std::fs::write(path, analyses::picture::svg(&analysis))
            {
                return fail(format!("{}: {why}", path.display()));
            }
            if args.json {
                match serde_json::to_string(&json(&analysis, args.invariants)) {
                    Ok(text) => say(text),
                    Err(why) => return fail(format!("cannot write the result as JSON: {why}")),
                }
            } else {
                print(&analysis, args.invariants);
            }
            match (analysis.refuted(), analysis.proved()) {
                (true, _) => FOUND,
                (_, true) => SUCCESS,
                _ => INCOMPLETE,
            }
        }
        Err(why) => fail(why),
    }
}

fn options(args: &AnalyzeArgs) -> Result<Options, String> {
    let chosen = |kind: &&Kind| {
        args.clients.is_empty() || args.clients.iter().any(|name| name == kind.name())
    };
    let mut clients: Vec<Kind> = Kind::ALL.iter().filter(chosen).copied().collect();
    if let Some((kind, why)) = clients.iter().find_map(|kind| Some((*kind, kind.unusable()?))) {
        if !args.clients.is_empty() {
            return Err(why);
        }
        note(format_args!("without `{}`: {why}", kind.name()));
        clients.retain(|other| *other != kind);
    }
    let options = Options {
        clients,
        entry: args.entry.clone().unwrap_or_else(|| "main".to_owned()),
        run: Settings {
            communicate: !args.isolated,
            time: Duration::from_secs(args.time),
            ..Settings::default()
        },
        ..Options::default()
    };
    if args.clients.len() > 1 && args.clients.iter().any(|name| name == NONE) {
        return Err(format!("--clients {NONE} stands alone"));
    }
    #[cfg(feature = "fleet")]
    let options =
        args.over_nats.add_to(options, args.files.iter().any(|path| spec::is_spec(path)))?;
    #[cfg(feature = "fleet")]
    let elsewhere = options.nats.as_ref().is_some_and(|session| session.join > 0);
    #[cfg(not(feature = "fleet"))]
    let elsewhere = false;
    if options.clients.is_empty() && !elsewhere {
        return Err(format!(
            "--clients {NONE}: nobody analyses; --nats and --join let others do it"
        ));
    }
    Ok(options)
}

fn analysis(args: &AnalyzeArgs, options: &Options) -> Result<Analysis, String> {
    let program = canonical::c::read(&args.files, &args.preprocessor.options());
    if let Some(left) = program.diagnostics.iter().find(|d| d.effect == Effect::LeftOut)
        && program.defined().next().is_none()
    {
        return Err(message(&program, left));
    }
    let first = program.function_named(&options.entry).map(|id| program.function(id));
    if first.is_none_or(|first| first.body.is_none()) {
        program.diagnostics.iter().for_each(|diagnostic| note(noted(&program, diagnostic)));
    }
    analyse(Arc::new(program), options)
}

fn verdict(analysis: &Analysis) -> &'static str {
    match (analysis.refuted(), analysis.proved()) {
        (true, _) => "refuted",
        (_, true) => "proved",
        _ => "unknown",
    }
}

fn json(analysis: &Analysis, with_invariants: bool) -> Json {
    let program = &analysis.unfolding.program;
    let assertion = |checked: &analyses::run::Checked| JsonAssertion {
        file: checked.place.map(|place| program.files[place.file.index()].display().to_string()),
        line: checked.place.map(|place| place.line),
        column: checked.place.map(|place| place.column),
        known: checked.known.clone(),
    };
    Json {
        verdict: verdict(analysis),
        assertions: analysis.assertions.iter().map(assertion).collect(),
        clients: clients(analysis),
        queries: analysis.outcome.queries,
        steps: analysis.outcome.steps,
        remarks: analysis.unfolding.remarks.clone(),
        invariants: if with_invariants { invariants(analysis) } else { Vec::new() },
    }
}

fn print(analysis: &Analysis, invariants: bool) {
    let program = &analysis.unfolding.program;
    for remark in &analysis.unfolding.remarks {
        note(format!("{remark}: nothing is called proved"));
    }
    note_crashes(analysis);
    for checked in &analysis.assertions {
        let place = place(program, checked.place);
        say(match &checked.known {
            Known::Proved { by } => format!("{place}: proved ({})", by.join(", ")),
            Known::Refuted { by, inputs } => format!("{place}: refuted ({by}){}", read(inputs)),
            Known::Unknown => match unreached(analysis, checked.place) {
                Some(name) => format!("{place}: unknown: no call of `{name}` was reached"),
                None => format!("{place}: unknown"),
            },
        });
    }
    if invariants {
        let readable = Readable { program, segments: &analysis.segments };
        for (at, client, formula) in analysis.loops() {
            say(format!("{}: {client}: {}", place(program, at), readable.formula(formula)));
        }
    }
    let all_unreached =
        analysis.assertions.iter().all(|checked| unreached(analysis, checked.place).is_some());
    let what = match analysis.assertions.len() {
        0 => "unknown: there is no assertion in the program",
        _ if all_unreached => "unknown: no assertion was reached",
        _ => verdict(analysis),
    };
    say(format!("{what} ({})", ends(analysis)));
}

/// Returns the function of an assertion that no analysis reached, if there is such an assertion.
fn unreached(analysis: &Analysis, place: Option<Place>) -> Option<&str> {
    let found = analysis.unfolding.unreached.iter().find(|(other, _)| *other == place);
    found.map(|(_, function)| analysis.unfolding.program.function(*function).name.as_str())
}

fn place(program: &Program, place: Option<Place>) -> String {
    place.map_or_else(|| "?".to_owned(), |place| program.at(place))
}

fn read(inputs: &[i128]) -> String {
    let list: Vec<String> = inputs.iter().map(i128::to_string).collect();
    if list.is_empty() {
        " on every run".to_owned()
    } else {
        format!(" if the program reads {}", list.join(", "))
    }
}
