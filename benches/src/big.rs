//! A large picture in another layout, compared with `tiffcp` and with a copy in memory.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::Seed;

use crate::measure::{RUNS, median};
use crate::table::Report;
use crate::variants::{RGB, seed};

/// A change of layout: in words, as choices, and as options of `tiffcp`.
type Change = (&'static str, &'static [(&'static str, i128)], &'static [&'static str]);

const CHANGES: [Change; 3] = [
    ("37 rows a strip", &[("rows_per_strip", 37)], &["-s", "-r", "37"]),
    (
        "tiles of 256 x 256",
        &[("tiled", 1), ("tile_width", 256), ("tile_length", 256)],
        &["-t", "-w", "256", "-l", "256"],
    ),
    ("planes", &[("planar", 2)], &["-p", "separate"]),
];

fn choices(given: &[(&str, i128)]) -> Choices {
    let mut choices = Choices::new();
    given.iter().for_each(|(name, n)| choices.set(name, *n));
    choices
}

/// Reads a file, builds one variant and writes it. Prints milliseconds and the peak of memory in KiB.
pub fn peak(what: &str, file: &str) -> Result<(), String> {
    let given = CHANGES.iter().find(|c| c.0 == what).ok_or("no such change")?.1;
    let began = Instant::now();
    let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    let seed = Seed::open(bytes).map_err(|e| e.to_string())?;
    let source = ChoiceSource::replaying(choices(given));
    let variant = seed.variant(source).map_err(|e| e.to_string())?;
    std::fs::write(format!("{file}.out"), &variant.bytes).map_err(|e| e.to_string())?;
    let took = began.elapsed().as_millis();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0");
    println!("{took} {}", peak.trim().trim_end_matches(" kB"));
    Ok(())
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "A large picture in another layout",
        "4000 x 3000, RGB, 8 bits, uncompressed (36 MB). `tiffcp` and the whole process read the \
         file and write another; the variant alone is built in memory from an open seed.",
    );
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("seed.tif");
    let seed = seed(RGB, 4000, 3000)?;
    std::fs::write(&path, seed.bytes()).map_err(|e| e.to_string())?;
    let pixels = vec![7u8; 36_000_000];
    let mut copy = vec![0u8; pixels.len()];
    let memcpy = median(4, |_| {
        copy.copy_from_slice(std::hint::black_box(&pixels));
        Ok(std::hint::black_box(&copy).len())
    })?;
    report.row("copy of 36 MB in memory", format!("{:.1} ms", memcpy.as_secs_f64() * 1e3), "1");
    for (what, given, options) in CHANGES {
        let source = || ChoiceSource::replaying(choices(given));
        let made = median(1, |_| seed.choices(source()).map_err(|e| e.to_string()))?;
        report.row(
            format!("{what}: the variant alone"),
            format!("{:.0} ms", made.as_secs_f64() * 1e3),
            format!("{:.1} copies", made.as_secs_f64() / memcpy.as_secs_f64()),
        );
        let (mut ours, mut theirs, mut memory) = (Vec::new(), Vec::new(), 0.0);
        // Alternate: other load of the machine, such as writing to disk, is then the same for both.
        for _ in 0..RUNS {
            let (milliseconds, kib) = whole(what, &path)?;
            ours.push(milliseconds);
            memory = kib;
            theirs.extend(tiffcp(options, &path));
        }
        let milliseconds = middle(&mut ours).unwrap_or_default();
        report.row(
            format!("{what}: the whole process, checked"),
            format!("{milliseconds} ms"),
            format!("{:.1} times the picture's bytes of memory", memory * 1024.0 / 36e6),
        );
        match middle(&mut theirs) {
            Some(took) => report.row(
                format!("{what}: tiffcp"),
                format!("{took:.0} ms"),
                format!("the whole process takes {:.2} times as long", milliseconds / took),
            ),
            None => report.row(format!("{what}: tiffcp"), "not here", ""),
        }
    }
    Ok(())
}

/// Runs [`peak`] in a process. Returns milliseconds and the peak of memory in KiB.
fn whole(what: &str, path: &Path) -> Result<(f64, f64), String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let output =
        Command::new(&me).args(["peak", what]).arg(path).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(time)), Some(Ok(peak))) => Ok((time, peak)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Runs `tiffcp`. Returns milliseconds; `None` if it is not installed or fails.
fn tiffcp(options: &[&str], path: &Path) -> Option<f64> {
    let out = path.with_extension("copy.tif");
    let began = Instant::now();
    let status = Command::new("tiffcp").args(options).arg(path).arg(&out).status().ok()?;
    status.success().then(|| began.elapsed().as_secs_f64() * 1e3)
}

/// Returns the median.
fn middle(runs: &mut [f64]) -> Option<f64> {
    runs.sort_by(f64::total_cmp);
    runs.get(runs.len() / 2).copied()
}
