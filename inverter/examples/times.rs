//! Measures how long specs take: `cargo run --release -p repfuzz-inverter --example times SPEC..` reads, proves and
//! inverts each, and checks it as `repfuzz check` does without options. It prints one line for each, and the longest of
//! both times at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use checks::{completeness, implied, small_values, soundness, spread, unreachable};
use inverter::check::{assigned_once, load};
use inverter::run::explore::Bounds;

fn main() -> ExitCode {
    let mut longest = [(Duration::ZERO, String::new()), (Duration::ZERO, String::new())];
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        match times(&path) {
            Ok(both) => {
                println!("{path}: inverted in {:.3?}, checked in {:.3?}", both[0], both[1]);
                for (longest, time) in longest.iter_mut().zip(both) {
                    if time > longest.0 {
                        *longest = (time, path.clone());
                    }
                }
            }
            Err(why) => {
                eprintln!("{path}: {why}");
                code = ExitCode::FAILURE;
            }
        }
    }
    let [inverted, checked] = longest;
    println!("longest: inverted in {:.3?} ({})", inverted.0, inverted.1);
    println!("longest: checked in {:.3?} ({})", checked.0, checked.1);
    code
}

/// The times of the inversion and of the check.
fn times(path: &str) -> Result<[Duration; 2], String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let began = Instant::now();
    let inverse = load(path, &text).map_err(|e| e.to_string())?;
    let inverted = began.elapsed();
    let began = Instant::now();
    assigned_once(&inverse.program).map_err(|e| e.to_string())?;
    let _ = soundness(&inverse, 3, Duration::from_secs(10));
    let values = small_values(&inverse, 6, 1);
    for y in &values {
        let _ = completeness(&inverse, y, 6, Bounds { runs: 4000, steps: 400_000 });
    }
    let _ = spread(&inverse, &values, 100);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let _ = (implied(&inverse, until), unreachable(&inverse.program, until));
    Ok([inverted, began.elapsed()])
}
