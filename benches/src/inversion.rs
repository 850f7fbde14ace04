//! Inversions of all specs in this repository, and checks of those that ship, which are the longest.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use inverter::invert::invert;
use inverter::program::{SpecText, parse_all};

use crate::peers::here;
use crate::table::Report;

/// The folder of the specs that ship.
const FORMATS: &str = "normalizers/specs";
/// The folders of the suites' specs.
const SUITES: [&str; 6] = [
    "inverter/tests/programs",
    "inverter/tests/structures",
    "inverter/tests/file_layouts",
    "inverter/tests/uses",
    "inverter/tests/never_proved",
    "inverter/tests/views",
];
/// The number of inversions of each program. The shortest time counts, because the others waited for the machine.
const RUNS: usize = 3;
/// The longest ones are named.
const NAMED: usize = 3;
/// The goals, in seconds.
const LONGEST_INVERSION: f64 = 0.2;
const LONGEST_CHECK: f64 = 10.0;

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Inversion and check",
        "Each program of the specs that ship and of the suites is inverted; the shortest of three runs counts. Each spec \
         that ships is checked by `repfuzz check`, one whole process.",
    );
    let (mut inversions, mut checks) = (Vec::new(), Vec::new());
    for file in specs(FORMATS)? {
        let own = inversions_of(&file)?;
        // Specs that others use have no inverse.
        if !own.is_empty() {
            inversions.extend(own);
            checks.push((name(&file), check(&file)?));
        }
    }
    for suite in SUITES {
        for file in specs(suite)? {
            inversions.extend(inversions_of(&file)?);
        }
    }
    row(report, "inversions", inversions, LONGEST_INVERSION);
    row(report, "checks", checks, LONGEST_CHECK);
    Ok(())
}

fn specs(folder: &str) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    collect(&here(folder), &mut files).map_err(|e| format!("{folder}: {e}"))?;
    Ok(files)
}

/// Adds the specs in a folder, in alphabetical order.
fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    entries.sort_unstable();
    for path in entries {
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    Ok(())
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Inverts each program of a file, and returns their names with the times; empty if a program is refused.
fn inversions_of(file: &Path) -> Result<Vec<(String, Duration)>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let path = file.to_string_lossy();
    let spec = SpecText::on_disk(&path, &text);
    let Ok(programs) = parse_all(&spec, &normalizers::primitives()) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for program in &programs {
        let mut shortest = Duration::MAX;
        for _ in 0..RUNS {
            let began = Instant::now();
            if std::hint::black_box(invert(program)).is_err() {
                return Ok(Vec::new());
            }
            shortest = shortest.min(began.elapsed());
        }
        out.push((format!("{} ({})", name(file), program.name), shortest));
    }
    Ok(out)
}

/// Runs `repfuzz check`, whatever its verdict.
fn check(file: &Path) -> Result<Duration, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let began = Instant::now();
    let output = Command::new(me.with_file_name("repfuzz")).arg("check").arg(file).output();
    output.map_err(|e| format!("repfuzz: {e}"))?;
    Ok(began.elapsed())
}

/// Adds the longest of some times, beside the goal in seconds.
fn row(report: &mut Report, what: &str, mut times: Vec<(String, Duration)>, goal: f64) {
    times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let longer = times.iter().filter(|(_, time)| time.as_secs_f64() > goal).count();
    let named = times.iter().take(NAMED);
    let named = named.map(|(name, time)| format!("{name} {:.3} s", time.as_secs_f64()));
    report.row(
        format!("the longest of {} {what}", times.len()),
        named.collect::<Vec<_>>().join(", "),
        format!("goal {goal} s; {longer} take longer"),
    );
}
