//! Measures the size of a covering array of a file, and the number of random variants that cover
//! as much: `cargo run --release --example covering -- SEED [STRENGTH [FACTOR]]`. Random variants
//! are made until they cover as much, at most FACTOR times as many.

use std::time::Instant;

use covering::{GapKind, Generator, Settings, Tally};
use inverter::solve::{ChoiceSource, Choices};
use rayon::prelude::*;
use tiff_harness::{Seed, VariantError};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, or| args.get(k).and_then(|n| n.parse().ok()).unwrap_or(or);
    let (strength, factor) = (number(1, 2), number(2, 20));
    let Some(path) = args.first() else {
        eprintln!("usage: covering SEED [STRENGTH [FACTOR]]");
        std::process::exit(2);
    };
    let bytes = std::fs::read(path).expect("the seed");
    let seed = Seed::open(bytes).expect("a TIFF file");
    let began = Instant::now();
    let mut generator =
        Generator::new(Settings { strength, ..Settings::default() }, seed.classify());
    let make = |sources: Vec<ChoiceSource>| {
        let one = |source: ChoiceSource| match seed.choices(source) {
            Ok(choices) => Ok(Ok(choices)),
            Err(VariantError::Impossible(why)) => Ok(Err(why)),
            Err(error) => Err(error.to_string()),
        };
        sources.into_par_iter().map(one).collect::<Result<Vec<Result<Choices, _>>, String>>()
    };
    let mut size = 0u64;
    while generator.next_row(make).expect("choices").is_some() {
        if size.is_multiple_of(500) {
            eprintln!(
                "{size} rows, {} tried, {} covered, {:.1} s",
                generator.tried(),
                generator.tally().covered(),
                began.elapsed().as_secs_f64()
            );
        }
        size += 1;
    }
    let tally = generator.tally();
    let gaps = generator.gaps();
    let count = |how: GapKind| gaps.iter().filter(|gap| gap.how == how).count();
    println!(
        "{} dimensions, {} classes; {} of {} combinations covered ({} possible by their pairs)",
        tally.dimensions().count(),
        tally.classes(),
        tally.covered(),
        tally.combinations(),
        generator.possible(),
    );
    println!(
        "gaps: {} refused, {} excluded, {} not found",
        count(GapKind::Refused),
        count(GapKind::Excluded),
        count(GapKind::NotFound)
    );
    println!(
        "{size} variants in {:.1} s, {} tried; largest product {:?}; at least {}",
        began.elapsed().as_secs_f64(),
        generator.tried(),
        tally.largest_product(),
        generator.lower_bound()
    );
    if std::env::var_os("GAPS").is_some() {
        gaps.iter().for_each(|gap| println!("{gap:?}"));
    }
    let wanted = tally.covered();
    let classify = seed.classify();
    let mut random = Tally::of_strength(strength);
    let mut made = 0;
    while random.covered() < wanted && made < size * factor as u64 {
        let sources = (made..made + 64).map(|k| ChoiceSource::seeded(1, k)).collect();
        for choices in make(sources).expect("choices").into_iter().flatten() {
            random.add(&choices, &*classify);
        }
        made += 64;
        if made.is_multiple_of(4096) {
            eprintln!("{made} random, {} of {wanted}", random.covered());
        }
    }
    println!("random: {} of {wanted} by {made} variants", random.covered());
}
