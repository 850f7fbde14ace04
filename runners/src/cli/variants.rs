//! `repfuzz variants`: equivalent files, written to a folder.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use inverter::solve::{Choices, Vary};
use rayon::prelude::*;
use serde::Serialize;

use super::{FINE, open, say, trouble};
use crate::subject::{Class, Subject, Variant, VariantError};

/// How many variants are made before they are written: what memory holds at a time.
const BATCH: u64 = 256;

/// Make equivalent files of a seed.
#[derive(Debug, Clone, Args)]
pub struct VariantsArgs {
    /// The seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// How many
    #[arg(short = 'n', long = "variants", default_value_t = 100, value_name = "N")]
    pub count: u64,
    /// Where they go, with variants.jsonl
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// The run's number: all randomness comes from it
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// How many threads to use [default: one a processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Print, for each dimension, the value classes that occurred, and how often
    #[arg(long)]
    pub stats: bool,
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
    match make(args) {
        Ok(()) => FINE,
        Err(why) => trouble(why),
    }
}

fn make(args: &VariantsArgs) -> Result<(), String> {
    let seed = open(&args.seed)?;
    let folder = args.output.display();
    let failed = |e: std::io::Error| format!("{folder}: {e}");
    std::fs::create_dir_all(&args.output).map_err(failed)?;
    let list = std::fs::File::create(args.output.join("variants.jsonl")).map_err(failed)?;
    let mut list = BufWriter::new(list);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|e| e.to_string())?;
    let mut seen: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut impossible = 0;
    for first in (0..args.count).step_by(BATCH as usize) {
        let batch = first..(first + BATCH).min(args.count);
        let make = |index| (index, Subject::variant(&seed, args.run_seed, index, Vary::All));
        let made: Vec<(u64, Result<Variant, VariantError>)> =
            pool.install(|| batch.into_par_iter().map(make).collect());
        for (index, variant) in made {
            let variant = match variant {
                Ok(variant) => variant,
                Err(VariantError::Impossible(why)) => {
                    eprintln!("note: variant {index} is not possible: {why}");
                    impossible += 1;
                    continue;
                }
                Err(e) => return Err(e.to_string()),
            };
            let file = format!("{index:06}.tif");
            std::fs::write(args.output.join(&file), &variant.bytes).map_err(failed)?;
            let Variant { choices, class, .. } = &variant;
            let line = Line { file: &file, index, seed: args.run_seed, class: *class, choices };
            let json = serde_json::to_string(&line).map_err(|e| e.to_string())?;
            writeln!(list, "{json}").map_err(failed)?;
            for (dimension, value) in variant.choices.iter() {
                let class = seed.value_class(dimension, value);
                *seen.entry(dimension.to_owned()).or_default().entry(class).or_default() += 1;
            }
        }
    }
    list.flush().map_err(failed)?;
    let made = args.count - impossible;
    say(format!("{made} equivalents of {} in {folder}", args.seed.display()));
    if args.stats {
        for (dimension, classes) in seen {
            let counts: Vec<String> = classes.iter().map(|(c, n)| format!("{c} {n}")).collect();
            say(format!("  {dimension}: {}", counts.join(", ")));
        }
    }
    Ok(())
}
