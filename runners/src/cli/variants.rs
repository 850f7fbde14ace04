//! `repfuzz variants`: writes equivalent files to a folder.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use covering::Tally;
use inverter::solve::Choices;
use serde::Serialize;

use super::variant_set::{Covering, VariantSet};
use super::{Format, FormatArgs, ProfileName, RestrictionArgs, coverage, fail, say};
use equivalents::subject::{Class, Subject, Variant};

/// Make equivalent files of a seed
///
/// The exit status is 0, 2 if the files could not be made, and 3 if some were left out because of an internal error.
#[derive(Debug, Clone, Args)]
pub struct VariantsArgs {
    /// Seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Number of variants; with `--cover pairwise` or `triples`, the most [default: 100; with
    /// `--cover`, as many as needed]
    #[arg(short = 'n', long = "variants", value_name = "N")]
    pub count: Option<u64>,
    /// Folder for the variants and variants.jsonl
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Run seed, from which all randomness derives
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Selection of variants
    #[arg(long, value_enum, default_value_t)]
    pub cover: Covering,
    /// Range of the values that are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// Number of threads [default: one per processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Print the frequency of each dimension's value classes, and the number of pairs (or triples)
    /// of them that occurred together; with `--cover`, also the combinations that did not, and the
    /// constraints that refuse them
    #[arg(long)]
    pub stats: bool,
    /// Print the content of `--stats` as one line of JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Restriction of the dimensions.
    #[command(flatten)]
    pub restriction: RestrictionArgs,
    /// Format of the seed.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// A line of `variants.jsonl`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    index: u64,
    seed: u64,
    class: Class,
    choices: &'a Choices,
}

/// Runs the command; returns the exit code.
pub fn run(args: &VariantsArgs) -> u8 {
    let format = match args.format.format(&[&args.seed]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    match make(args, &format) {
        Ok(code) => code,
        Err(why) => fail(why),
    }
}

/// A set of variants that is being written.
struct Written<'a> {
    seed: &'a dyn Subject,
    extension: String,
    run_seed: u64,
    folder: &'a Path,
    list: BufWriter<File>,
    tally: Tally,
    made: u64,
}

impl Written<'_> {
    fn add(&mut self, index: u64, variant: &Variant) -> Result<(), String> {
        let file = format!("{index:06}.{}", self.extension);
        self.write(&file, index, variant).map_err(|e| format!("{}: {e}", self.folder.display()))?;
        self.tally.add(&variant.choices, |name, value| self.seed.value_class(name, value));
        self.made += 1;
        Ok(())
    }

    fn write(&mut self, file: &str, index: u64, variant: &Variant) -> io::Result<()> {
        std::fs::write(self.folder.join(file), &variant.bytes)?;
        let Variant { choices, class, .. } = variant;
        let line = Line { file, index, seed: self.run_seed, class: *class, choices };
        serde_json::to_writer(&mut self.list, &line)?;
        self.list.write_all(b"\n")
    }
}

/// Makes the variants; returns the exit code.
fn make(args: &VariantsArgs, format: &Format) -> Result<u8, String> {
    let restriction = args.restriction.restriction();
    let seed = format.open_restricted(&args.seed, args.profile, &restriction)?;
    let folder = args.output.display();
    let failed = |e: io::Error| format!("{folder}: {e}");
    std::fs::create_dir_all(&args.output).map_err(failed)?;
    let list = BufWriter::new(File::create(args.output.join("variants.jsonl")).map_err(failed)?);
    let (run_seed, tally) = (args.run_seed, Tally::of_strength(args.cover.strength()));
    let extension = format.extension(&args.seed);
    let folder_of = &args.output;
    let mut written =
        Written { seed: &*seed, extension, run_seed, folder: folder_of, list, tally, made: 0 };
    let made = VariantSet {
        seed: &*seed,
        run_seed,
        cover: args.cover,
        count: args.count,
        jobs: args.jobs,
    };
    let made = made.each(&mut |index, variant| written.add(index, &variant))?;
    written.list.flush().map_err(failed)?;
    let (code, covering) = (made.code(), made.covering);
    if args.json {
        say(coverage::json(&written.tally, written.made, covering.as_ref()));
        return Ok(code);
    }
    say(format!("{} equivalents of {} in {folder}", written.made, args.seed.display()));
    if args.stats {
        coverage::lines(&written.tally, covering.as_ref()).iter().for_each(say);
    }
    Ok(code)
}
