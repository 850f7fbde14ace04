//! Analyses specs. Prints the obligations of a single spec, or a line for each of several.
//!
//!     cargo run --release -p repfuzz-analyses --example specs -- inverter/tests/programs/*.rs

use std::time::{Duration, Instant};

use analyses::run::Options;
use analyses::spec::{Judged, analyse_spec};
use inverter::Primitives;
use inverter::program::{SpecText, parse_all};

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let mut all = [0; 3];
    let mut whole = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a spec");
        let Ok(stages) = parse_all(&SpecText::on_disk(path, &text), &Primitives::shipped()) else {
            println!("{path}: not read");
            continue;
        };
        for spec in stages {
            let mut options = Options::default();
            options.run.time = Duration::from_secs(20);
            options.clients.retain(|kind| !kind.executes_paths());
            let began = Instant::now();
            let found = analyse_spec(&spec, &options).expect("a spec can be analysed");
            let count = |wanted: fn(&Judged) -> bool| {
                found.obligations.iter().filter(|checked| wanted(&checked.judged)).count()
            };
            let counts = [
                count(|judged| matches!(judged, Judged::Proved { .. })),
                count(|judged| matches!(judged, Judged::Refuted { .. })),
                count(|judged| matches!(judged, Judged::Open)),
            ];
            whole += usize::from(found.proved());
            println!(
                "{path}: {}: {} proved, {} refuted, {} open; {:.1} s; {:?}",
                spec.name,
                counts[0],
                counts[1],
                counts[2],
                began.elapsed().as_secs_f64(),
                found.analysis.ends().collect::<Vec<_>>()
            );
            all.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            for checked in &found.obligations {
                if paths.len() == 1 || !matches!(checked.judged, Judged::Proved { .. }) {
                    println!("    {}: {}: {:?}", checked.place.line, checked.what, checked.judged);
                }
            }
        }
    }
    println!("{all:?} proved, refuted, open; {whole} specs without open ones");
}
