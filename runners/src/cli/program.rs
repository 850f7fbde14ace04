//! `repfuzz program`: C files as a canonical program.

use std::path::PathBuf;

use canonical::c::{Options, read};
use canonical::{Callee, Diagnostic, Effect, Graph, Program};
use clap::Args;

use super::c_program::{Preprocessor, message, noted};
use super::{FOUND, SUCCESS, fail, note, say};

/// Show C files as control-flow graphs
///
/// The files are preprocessed by `cc`, and linked as one program. Without an option, each function is
/// listed with the size of its graph. Everything that is not understood is a note with its place.
/// The exit code is 1 if no function was understood, and 2 if nothing was.
#[derive(Debug, Clone, Args)]
pub struct ProgramArgs {
    /// Files of C
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print the graphs in the language of Graphviz
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
    /// Print the whole program as JSON
    #[arg(long)]
    pub json: bool,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub preprocessor: Preprocessor,
    /// Keep these macros as calls of functions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub calls: Vec<String>,
}

impl ProgramArgs {
    fn options(&self) -> Options {
        Options { calls: self.calls.clone(), ..self.preprocessor.options() }
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &ProgramArgs) -> u8 {
    let program = read(&args.files, &args.options());
    let left_out = program.diagnostics.iter().find(|d| d.effect == Effect::LeftOut);
    let nothing = program.functions.is_empty() && program.variables.is_empty();
    if let (Some(first), true) = (left_out, nothing) {
        return fail(message(&program, first));
    }
    for diagnostic in &program.diagnostics {
        note(noted(&program, diagnostic));
    }
    if args.dot {
        say(canonical::dot::program(&program).trim_end());
    } else if args.json {
        match serde_json::to_string(&program) {
            Ok(text) => say(text),
            Err(why) => return fail(format!("cannot write the program as JSON: {why}")),
        }
    } else {
        say(summary(&program));
    }
    let costly = |d: &Diagnostic| matches!(d.effect, Effect::LeftOut | Effect::NoBody);
    if program.defined().next().is_none() && program.diagnostics.iter().any(costly) {
        note("no function was understood: the notes above say why");
        return FOUND;
    }
    SUCCESS
}

/// One line for each function that has a graph.
fn summary(program: &Program) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["function", "place", "nodes", "edges", "calls", "through pointers"]);
    for (_, function, graph) in program.defined() {
        table.add_row([
            function.name.clone(),
            function.place.map(|place| program.at(place)).unwrap_or_default(),
            graph.nodes.len().to_string(),
            graph.edges.len().to_string(),
            graph.calls().count().to_string(),
            pointers(program, graph),
        ]);
    }
    table.to_string()
}

/// Lists the targets of a function's calls through pointers, with `?` if there may be others.
fn pointers(program: &Program, graph: &Graph) -> String {
    let of = |callee: &Callee| match callee {
        Callee::Function(_) => None,
        Callee::Pointer { targets, complete, .. } => {
            let names = targets.iter().map(|id| program.function(*id).name.as_str());
            let unknown = (!complete).then_some("?");
            Some(names.chain(unknown).collect::<Vec<_>>().join("|"))
        }
    };
    let mut all: Vec<String> = graph.calls().filter_map(|(_, call)| of(&call.callee)).collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}
