//! Counts how often real files have each value of each dimension: `cargo run --example count_values -- FOLDER`.
//!
//! The output is `src/meaning/common.tsv`: a line with the number of files, then DIMENSION, VALUE and COUNT.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use tiff_harness::Seed;
use tiff_harness::meaning::Meaning;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: count_values FOLDER")?;
    let (mut files, mut counts) = (0, BTreeMap::<(String, String), usize>::new());
    for entry in fs::read_dir(folder)? {
        let Ok(seed) = Seed::open(fs::read(entry?.path())?) else { continue };
        files += 1;
        for (dimension, value) in seed.own_choices().iter() {
            // Places and lists are of one file.
            if Meaning::of(dimension).is_some() {
                let class = seed.value_class(dimension, value);
                *counts.entry((dimension.to_owned(), class)).or_default() += 1;
            }
        }
    }
    println!("{files}");
    for ((dimension, class), count) in counts {
        println!("{dimension}\t{class}\t{count}");
    }
    Ok(())
}
