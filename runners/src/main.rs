//! The `repfuzz` command.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use equivalents::subject::Subject;
#[cfg(feature = "z3")]
use runners::cli::check;
use runners::cli::client_selection::{Sandboxing, Seeds, Wanted, select_clients};
use runners::cli::{
    self, analyze, apply, clients, completions, conform, dimensions, equal, export, fuzz,
    interface, invert, language, man, merge, new, nightly, normalize, program, reduce, replay,
    report, sample, variants,
};

/// Variants are constantly allocated and freed. The system's allocator would return large blocks to the kernel each
/// time, and spend most of the time on page faults.
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
    Formats(cli::formats::FormatsArgs),
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
    let matches = command().get_matches();
    // clap's exit code for wrong arguments is also 2.
    let parsed = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    cli::cache::open();
    let code = match parsed.command {
        Command::Fuzz(args) => run_fuzz(args, &matches),
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
        Command::Formats(args) => cli::formats::run(&args),
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
        Command::Completions(args) => completions::run(&args, command()),
        Command::Man(args) => man::run(&args, command()),
        Command::Clients(args) => {
            return clients::run(args).unwrap_or_else(|e| cli::fail(e).into());
        }
    };
    code.into()
}

/// The subcommands, grouped by purpose.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Fuzz", &["fuzz", "demo", "clients", "accept", "report", "merge"]),
    (
        "Files",
        &["variants", "dimensions", "export", "replay", "reduce", "normalize", "equal", "formats"],
    ),
    ("Every night", &["nightly", "serve", "work", "top"]),
    ("Specs of formats", &["new", "check", "invert", "sample", "apply", "language"]),
    ("Programs in C", &["conform", "interface", "analyze", "program"]),
    ("This program", &["completions", "man"]),
];

/// The width of the list of subcommands, and of a name in it, in columns.
const COLUMNS: (usize, usize) = (80, 13);

/// Returns the command line with its subcommands in groups.
fn command() -> clap::Command {
    let all = Cli::command();
    let mut list = String::new();
    for (title, names) in GROUPS {
        list.push_str(&format!("\n{title}:\n"));
        // A program that is built without a feature does not have its subcommands.
        for one in names.iter().filter_map(|name| all.find_subcommand(name)) {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            for (k, line) in cli::wrapped(&about, COLUMNS.0 - COLUMNS.1 - 2).iter().enumerate() {
                let name = if k == 0 { one.get_name() } else { "" };
                list.push_str(&format!("  {name:0$}{line}\n", COLUMNS.1));
            }
        }
    }
    all.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}\n\n\
         `repfuzz help COMMAND` explains a command."
    ))
}

/// Selects the clients (the named ones, or all that work here) and fuzzes.
fn run_fuzz(mut args: fuzz::FuzzArgs, matches: &clap::ArgMatches) -> u8 {
    if let Some(("fuzz", matches)) = matches.subcommand()
        && let Err(why) = cli::project::complete(&mut args, matches)
    {
        return cli::fail(why);
    }
    if args.seeds.is_empty() {
        let file = cli::project::PROJECT;
        return cli::fail(format_args!(
            "no seed: name a file that the clients read, or `seeds` in {file}; see `repfuzz fuzz --help`"
        ));
    }
    let args = &args;
    let format = match args.format.format(&args.seeds) {
        Ok(format) => format,
        Err(code) => return code,
    };
    if let Some(model) = &args.calls {
        return cli::fuzz_calls::fuzz(args, model, &format);
    }
    let extension = format.extension(args.seeds.first().map_or(Path::new(""), |p| p));
    let wanted = Wanted {
        names: &args.clients,
        extra: &args.extra,
        describe: &args.describe,
        python: args.python.as_deref(),
    };
    let clients = select_clients(
        wanted,
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
    fuzz::run(args, &clients, format.name(), open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subcommand_is_in_one_group() {
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        if !cfg!(feature = "fleet") {
            grouped.retain(|name| !["serve", "work", "top"].contains(name));
        }
        grouped.sort_unstable();
        let all = Cli::command();
        let shown = all.get_subcommands().filter(|one| !one.is_hide_set());
        let mut names: Vec<&str> = shown.map(clap::Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(grouped, names);
    }
}
