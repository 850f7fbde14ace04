//! The `repfuzz` command.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use equivalents::subject::Subject;
#[cfg(feature = "z3")]
use runners::cli::check;
use runners::cli::client_selection::{Sandboxing, Seeds, select_clients};
use runners::cli::{
    self, analyze, apply, clients, completions, conform, dimensions, equal, export, fuzz,
    interface, invert, language, man, merge, new, nightly, normalize, program, reduce, replay,
    report, sample, variants,
};

/// Variants are allocated and freed all the time. The system's allocator returns large blocks to
/// the kernel each time, and would spend most of the time on page faults.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Find bugs in decoders that depend on the encoding of a file
///
/// From one valid file, repfuzz makes many equivalent files, runs decoders on all of them, and
/// reports every difference, reduced to its cause.
#[derive(Debug, Parser)]
#[command(name = "repfuzz", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Fuzz(fuzz::FuzzArgs),
    Demo(cli::demo::DemoArgs),
    Nightly(nightly::NightlyArgs),
    #[cfg(feature = "fleet")]
    Serve(cli::serve::ServeArgs),
    #[cfg(feature = "fleet")]
    Work(cli::work::WorkArgs),
    #[cfg(feature = "fleet")]
    Top(cli::top::TopArgs),
    #[cfg(not(feature = "fleet"))]
    #[command(name = "serve", aliases = ["work", "top"], hide = true, disable_help_flag = true)]
    NoFleet {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        rest: Vec<std::ffi::OsString>,
    },
    Accept(cli::accept::AcceptArgs),
    Report(report::ReportArgs),
    Merge(merge::MergeArgs),
    Dimensions(dimensions::DimensionsArgs),
    Variants(variants::VariantsArgs),
    Export(export::ExportArgs),
    Replay(replay::ReplayArgs),
    Reduce(reduce::ReduceArgs),
    Normalize(normalize::NormalizeArgs),
    Equal(equal::EqualArgs),
    Interface(interface::InterfaceArgs),
    Invert(invert::InvertArgs),
    #[cfg(feature = "z3")]
    Check(check::CheckArgs),
    Conform(conform::ConformArgs),
    Language(language::LanguageArgs),
    Sample(sample::SampleArgs),
    Analyze(analyze::AnalyzeArgs),
    Apply(apply::ApplyArgs),
    Clients(clients::ClientsArgs),
    Program(program::ProgramArgs),
    New(new::NewArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

fn main() -> ExitCode {
    // The exit code for wrong arguments, set by clap, is 2 as well.
    let command = Cli::parse().command;
    cli::cache::open();
    let code = match command {
        Command::Fuzz(args) => run_fuzz(&args),
        Command::Demo(args) => cli::demo::run(&args),
        Command::Nightly(args) => nightly::run(&args),
        #[cfg(feature = "fleet")]
        Command::Serve(args) => cli::serve::run(&args),
        #[cfg(feature = "fleet")]
        Command::Work(args) => cli::work::run(&args),
        #[cfg(feature = "fleet")]
        Command::Top(args) => cli::top::run(&args),
        #[cfg(not(feature = "fleet"))]
        Command::NoFleet { rest: _ } => cli::fail(
            "this program was built without the feature `fleet`, which `serve`, `work` and `top` need: \
             `cargo install --locked --path runners --features fleet`",
        ),
        Command::Accept(args) => cli::accept::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Dimensions(args) => dimensions::run(&args),
        Command::Variants(args) => variants::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Normalize(args) => normalize::run(&args),
        Command::Equal(args) => equal::run(&args),
        Command::Interface(args) => interface::run(&args),
        Command::Invert(args) => invert::run(&args),
        #[cfg(feature = "z3")]
        Command::Check(args) => check::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Language(args) => language::run(&args),
        Command::Sample(args) => sample::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Apply(args) => apply::run(&args),
        Command::Program(args) => program::run(&args),
        Command::New(args) => new::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
        Command::Clients(args) => {
            return clients::run(args).unwrap_or_else(|e| cli::fail(e).into());
        }
    };
    code.into()
}

/// Selects the clients and fuzzes: those that are named, else all that work here.
fn run_fuzz(args: &fuzz::FuzzArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    if let Some(model) = &args.calls {
        return cli::fuzz_calls::fuzz(args, model, &format);
    }
    let extension = args.format.extension(args.seeds.first().map_or(Path::new(""), |p| p));
    let clients = select_clients(
        &args.clients,
        &args.extra,
        &args.describe,
        Sandboxing::new(args.no_sandbox),
        Seeds { files: &args.seeds, format: &format, extension: &extension },
    );
    let clients = match clients {
        Ok(clients) => clients,
        Err(why) => return cli::fail(why),
    };
    let open = |path: &Path| {
        let restriction = args.restriction.restriction();
        let seed: Box<dyn Subject> = format.open_restricted(path, args.profile, &restriction)?;
        Ok(seed)
    };
    fuzz::run(args, &clients, open)
}
