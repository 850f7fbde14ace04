//! Measures the times of `paper` and `stable` for libraries with up to 20 bits of state:
//! `cargo bench -p repfuzz-interfaces`.

use std::time::{Duration, Instant};

use interfaces::library::parse;
use interfaces::synthesis::{Mode, synthesize};

const DATA_STREAM: &str = include_str!("../tests/libraries/data_stream.gu");
const BIT_ARRAY: &str = include_str!("../tests/libraries/bit_array.gu");

/// The number of runs. The fastest one counts.
const RUNS: usize = 5;

fn main() {
    println!("{:<28} {:>5} {:>12} {:>12}", "library", "bits", "paper", "stable");
    for (h, d) in [(2, 10), (2, 19), (10, 19), (19, 19)] {
        let text = DATA_STREAM
            .replace("const H = 2;", &format!("const H = {h};"))
            .replace("const D = 10;", &format!("const D = {d};"));
        row(&format!("data stream h={h} d={d}"), d + 1, &text);
    }
    for k in [8, 22] {
        let text = BIT_ARRAY.replace("const K = 8;", &format!("const K = {k};"));
        // A pointer that may be behind the last byte, and a flag.
        row(&format!("bit array k={k}"), k - 3 + 2, &text);
    }
}

fn row(name: &str, bits: usize, text: &str) {
    let [paper, stable] = [Mode::Paper, Mode::Stable].map(|mode| fastest(text, mode));
    println!("{name:<28} {bits:>5} {paper:>12.2?} {stable:>12.2?}");
}

/// The time of the fastest run; zero if the library has no graph.
fn fastest(text: &str, mode: Mode) -> Duration {
    let Ok(library) = parse(text) else { return Duration::ZERO };
    let run = |_| {
        let start = Instant::now();
        let graph = synthesize(library.clone(), mode, None);
        graph.map_or(Duration::MAX, |_| start.elapsed())
    };
    (0..RUNS).map(run).min().unwrap_or_default()
}
