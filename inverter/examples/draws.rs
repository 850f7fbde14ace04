//! Measures the draws of a canonical value: `cargo run --release -p repfuzz-inverter --example draws SPEC Y.json [N]`
//! inverts the spec, draws N representations (100 by default), each from a separate seed, and normalizes, replays and
//! compares each. It prints the share that was made, the time per draw, and how evenly the representations occur.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use inverter::check::load;
use inverter::{ChoiceSource, Limits, from_json, invert_value, normalize, to_json};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (Some(spec), Some(value)) = (args.first(), args.get(1)) else {
        eprintln!("usage: draws SPEC Y.json [N]");
        return ExitCode::FAILURE;
    };
    let draws = args.get(2).map_or(Ok(100), |n| n.parse::<u64>());
    match draws.map_err(|e| e.to_string()).and_then(|n| measure(spec, value, n)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{spec}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(spec: &str, value: &str, draws: u64) -> Result<(), String> {
    let text = std::fs::read_to_string(spec).map_err(|e| e.to_string())?;
    let began = Instant::now();
    let inverse = load(spec, &text).map_err(|e| e.to_string())?;
    let inverted = began.elapsed();
    let json = std::fs::read_to_string(value).map_err(|e| e.to_string())?;
    let json = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let y = from_json(&inverse.program.output, &json).map_err(|e| e.to_string())?;

    let mut made: BTreeMap<String, u64> = BTreeMap::new();
    let mut failed: BTreeMap<String, u64> = BTreeMap::new();
    let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
    for index in 0..draws {
        let began = Instant::now();
        let mut choices = ChoiceSource::seeded(1, index);
        let drawn = invert_value(&inverse, &y, &mut choices, &Limits::default());
        let time = began.elapsed();
        total += time;
        longest = longest.max(time);
        match drawn {
            Ok(x) => {
                if normalize(&inverse.program, &x).map_err(|e| e.to_string())? != y {
                    return Err(format!("draw {index} has another canonical value"));
                }
                let recorded = choices.into_recorded();
                let mut again = ChoiceSource::replaying(recorded.clone());
                match invert_value(&inverse, &y, &mut again, &Limits::default()) {
                    Ok(replayed) if replayed == x => {}
                    Ok(_) => {
                        return Err(format!("draw {index} is replayed as another: {recorded:?}"));
                    }
                    Err(why) => {
                        return Err(format!("draw {index} is not replayed: {why}: {recorded:?}"));
                    }
                }
                *made.entry(to_json(&inverse.program.input, &x).to_string()).or_default() += 1;
            }
            Err(why) => *failed.entry(why.to_string()).or_default() += 1,
        }
    }
    let all: u64 = made.values().sum();
    let most = made.values().max().copied().unwrap_or(0);
    println!(
        "{spec}: inverted in {inverted:.1?}; {all} of {draws} made, {:.2?} a draw, longest {longest:.2?}; \
         {} different, the most frequent {most} times",
        total / u32::try_from(draws.max(1)).unwrap_or(u32::MAX),
        made.len(),
    );
    for (why, times) in failed.iter().take(5) {
        println!("  {times} times: {}", why.chars().take(300).collect::<String>());
    }
    Ok(())
}
