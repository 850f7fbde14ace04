//! `repfuzz variants`: equivalent files, written to a folder.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use inverter::solve::cover::{Cover, Settings, Tally};
use inverter::solve::{ChoiceSource, Choices, Vary};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::coverage::{self, Covered};
use super::{FINE, Format, FormatArgs, ProfileName, say, trouble};
use crate::subject::{Class, Sourced, Variant, VariantError};

/// How many variants are made before they are written: what memory holds at a time.
const BATCH: u64 = 256;

/// Make equivalent files of a seed.
#[derive(Debug, Clone, Args)]
pub struct VariantsArgs {
    /// The seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// How many; with `--cover pairwise` and `triples`, at most [default: 100; as many as it
    /// takes for these]
    #[arg(short = 'n', long = "variants", value_name = "N")]
    pub count: Option<u64>,
    /// Where they go, with variants.jsonl
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// The run's number: all randomness comes from it
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Which are made
    #[arg(long, value_enum, default_value_t = Covering::Random)]
    pub cover: Covering,
    /// Which values are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// How many threads to use [default: one a processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Print, for each dimension, the value classes that occurred, and how often; how many
    /// pairs (or triples) of them occurred together; and with `--cover`, which did not, and
    /// the constraints that refuse them
    #[arg(long)]
    pub stats: bool,
    /// Print what `--stats` tells as one line of JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Which format it is of
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Which variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Covering {
    /// Every choice at random
    Random,
    /// Few in which every two value classes of two dimensions meet, as far as they can
    Pairwise,
    /// The same for every three of three dimensions: many more
    Triples,
}

impl Covering {
    /// How many classes are to meet.
    fn strength(self) -> usize {
        match self {
            Covering::Random | Covering::Pairwise => 2,
            Covering::Triples => 3,
        }
    }
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

/// Runs the command; gives the exit code.
pub fn run(args: &VariantsArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    match make(args, &format) {
        Ok(()) => FINE,
        Err(why) => trouble(why),
    }
}

/// What has been written.
struct Written<'a> {
    seed: &'a dyn Sourced,
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
        self.tally.count(&variant.choices, |name, value| self.seed.value_class(name, value));
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

fn make(args: &VariantsArgs, format: &Format) -> Result<(), String> {
    let seed = format.open(&args.seed, args.profile)?;
    let folder = args.output.display();
    let failed = |e: io::Error| format!("{folder}: {e}");
    std::fs::create_dir_all(&args.output).map_err(failed)?;
    let list = BufWriter::new(File::create(args.output.join("variants.jsonl")).map_err(failed)?);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|e| e.to_string())?;
    let (run_seed, tally) = (args.run_seed, Tally::of_strength(args.cover.strength()));
    let extension = args.format.extension(&args.seed);
    let folder_of = &args.output;
    let mut written =
        Written { seed: &*seed, extension, run_seed, folder: folder_of, list, tally, made: 0 };
    let covering = match args.cover {
        Covering::Random => {
            random(&mut written, args.count.unwrap_or(100), &pool)?;
            None
        }
        Covering::Pairwise | Covering::Triples => Some(covering(&mut written, args.count, &pool)?),
    };
    written.list.flush().map_err(failed)?;
    if args.json {
        say(coverage::json(&written.tally, written.made, covering.as_ref()));
        return Ok(());
    }
    say(format!("{} equivalents of {} in {folder}", written.made, args.seed.display()));
    if args.stats {
        coverage::lines(&written.tally, covering.as_ref()).iter().for_each(say);
    }
    Ok(())
}

/// Variants 0 to `count`, every choice at random.
fn random(written: &mut Written, count: u64, pool: &ThreadPool) -> Result<(), String> {
    let (seed, run_seed) = (written.seed, written.run_seed);
    for first in (0..count).step_by(BATCH as usize) {
        let batch = first..(first + BATCH).min(count);
        let make = |index| (index, seed.variant(run_seed, index, Vary::All));
        let made: Vec<(u64, Result<Variant, VariantError>)> =
            pool.install(|| batch.into_par_iter().map(make).collect());
        for (index, variant) in made {
            match variant {
                Ok(variant) => written.add(index, &variant)?,
                Err(VariantError::Impossible(why)) => {
                    eprintln!("note: variant {index} is not possible: {why}");
                }
                Err(e) => return Err(e.to_string()),
            }
        }
    }
    Ok(())
}

/// Variants that cover all combinations that can be covered, at most `count`. Gives what is
/// known of the others.
fn covering(
    written: &mut Written,
    count: Option<u64>,
    pool: &ThreadPool,
) -> Result<Covered, String> {
    let seed = written.seed;
    let most = count.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
    let strength = written.tally.strength();
    let settings = Settings { seed: written.run_seed, strength, most, ..Settings::default() };
    let mut cover = Cover::new(settings, seed.classify());
    // What is tried is not read back; what is kept is.
    let one = |source: ChoiceSource| match seed.tried(source) {
        Ok(choices) => Ok(Ok(choices)),
        Err(VariantError::Impossible(why)) => Ok(Err(why)),
        Err(defect) => Err(defect.to_string()),
    };
    let make = |sources: Vec<ChoiceSource>| {
        pool.install(|| sources.into_par_iter().map(one).collect::<Result<Vec<_>, String>>())
    };
    let mut kept = Vec::new();
    loop {
        let next = cover.next_kept(make)?;
        let last = next.is_none();
        kept.extend(next.map(|kept| kept.source));
        if last || kept.len() as u64 == BATCH {
            write_all(written, std::mem::take(&mut kept), pool)?;
        }
        if last {
            return Ok(Covered::of(&cover));
        }
    }
}

/// Makes and checks the variants of `sources`, and writes them.
fn write_all(
    written: &mut Written,
    sources: Vec<ChoiceSource>,
    pool: &ThreadPool,
) -> Result<(), String> {
    let seed = written.seed;
    let made: Vec<Result<Variant, VariantError>> =
        pool.install(|| sources.into_par_iter().map(|source| seed.made(source)).collect());
    for variant in made {
        written.add(written.made, &variant.map_err(|e| e.to_string())?)?;
    }
    Ok(())
}
