//! Prints the processor time of calls on a TIFF file, in microseconds, as `equivalents/python/benches/calls.py` does from Python:
//! `cargo run --release --example calls -- FILE`.

use std::hint::black_box;
use std::{env, fs, process, thread};

use equivalents::Format;

/// The number of files of one measurement of `variants`, and of its repetitions.
const FILES: usize = 40;
const ROUNDS: usize = 5;

/// Returns the processor time of this process so far, in microseconds: other programs do not change it.
fn processor_time() -> f64 {
    // The kernel brings the number up to date when the thread yields.
    thread::yield_now();
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e3
}

/// Returns the least time of a call among rounds, in microseconds.
fn least(calls: usize, mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = processor_time();
        round();
        (processor_time() - start) / calls as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn measure(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let file = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let other =
        Format::Tiff.equivalents(&file)?.of_run(2).next().ok_or("no file means the same")?;
    let variants = least(FILES, || {
        if let Ok(files) = Format::Tiff.equivalents(&file) {
            files.of_run(1).take(FILES).for_each(|made| drop(black_box(made)));
        }
    });
    let normalize = least(FILES, || {
        for _ in 0..FILES {
            let _ = black_box(Format::Tiff.equivalents(&file).map(|read| read.canonical()));
        }
    });
    let equal = least(FILES, || {
        for _ in 0..FILES {
            let read = Format::Tiff.equivalents(&file);
            let _ =
                black_box(read.and_then(|read| Format::Tiff.is_equivalent(&other.bytes, &read)));
        }
    });
    println!("variants {variants:.1}\nnormalize {normalize:.1}\nequal {equal:.1}");
    Ok(())
}

fn main() {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: calls FILE");
        process::exit(2);
    };
    if let Err(why) = measure(&path) {
        eprintln!("error: {why}");
        process::exit(2);
    }
}
