//! A large picture in another layout, compared with `tiffcp` and with a copy in memory.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use inverter::run::MAX_SIZE;
use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::container::write::{
    Plan, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block, write,
};
use tiff_harness::container::{ByteOrder, FieldType, Format, Tag, Values};
use tiff_harness::{Seed, mapped};

use crate::measure::{RUNS, median};
use crate::plot::{Curve, plot};
use crate::table::Report;
use crate::variants::{RGB, noise, seed};

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

/// The goals: times as long as `tiffcp`, times the picture's bytes of memory, and bytes of memory for the
/// largest picture.
const GOALS: (f64, f64, f64) = (1.0, 1.5, 600e6);

/// The sides of the pictures whose time by pixel is measured.
const SIDES: [u32; 7] = [1_000, 2_000, 4_000, 8_000, 14_000, 21_000, 30_000];

fn choices(given: &[(&str, i128)]) -> Choices {
    let mut choices = Choices::new();
    given.iter().for_each(|(name, n)| choices.set(name, *n));
    choices
}

/// Maps a file, builds one variant, writes it and reads it back. Prints the peak of memory in KiB.
pub fn peak(what: &str, file: &str) -> Result<(), String> {
    let given = CHANGES.iter().find(|c| c.0 == what).ok_or("no such change")?.1;
    let bytes = mapped::read(Path::new(file)).map_err(|e| format!("{file}: {e}"))?;
    let seed = Seed::open_large(bytes, MAX_SIZE).map_err(|e| e.to_string())?;
    let source = ChoiceSource::replaying(choices(given));
    let out = format!("{file}.out");
    seed.variant_to(source, Path::new(&out)).map_err(|e| e.to_string())?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0");
    println!("{}", peak.trim().trim_end_matches(" kB"));
    Ok(())
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "A large picture in another layout",
        "4000 x 3000, RGB, 8 bits, uncompressed (36 MB). `tiffcp` and the whole process read the \
         file and write another, which the process reads back and checks; the variant alone is built from an \
         open seed, as ranges of it and copies, and not written. Memory includes the pages of mapped files.",
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
    let least = median(1, |_| write_and_compare(&path))?;
    report.row(
        "36 MB written from a map, mapped and compared",
        format!("{:.0} ms", least.as_secs_f64() * 1e3),
        "the least that a checked file takes without its process",
    );
    for (what, given, options) in CHANGES {
        let source = || ChoiceSource::replaying(choices(given));
        let made = median(1, |_| seed.choices(source()).map_err(|e| e.to_string()))?;
        report.row(
            format!("{what}: the variant alone"),
            format!("{:.1} ms", made.as_secs_f64() * 1e3),
            format!("{:.1} copies", made.as_secs_f64() / memcpy.as_secs_f64()),
        );
        whole(report, what, options, &path)?;
    }
    drop((seed, pixels, copy));
    sizes(report, folder.path())
}

/// Writes the bytes of a file to another, and compares both.
fn write_and_compare(path: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let (from, copy) = (mapped::read(path).map_err(failed)?, path.with_extension("copy"));
    File::create(&copy).and_then(|mut file| file.write_all(&from)).map_err(failed)?;
    let equal = mapped::read(&copy).map_err(failed)?[..] == from[..];
    std::fs::remove_file(copy).map_err(failed)?;
    if equal { Ok(()) } else { Err("a copy differs".to_owned()) }
}

/// Measures the whole process and `tiffcp` with one change.
fn whole(report: &mut Report, what: &str, options: &[&str], path: &Path) -> Result<(), String> {
    let (mut ours, mut theirs, mut memory) = (Vec::new(), Vec::new(), 0.0f64);
    // Alternate: other load of the machine, such as writing to disk, is then the same for both.
    for _ in 0..RUNS {
        let (milliseconds, kib) = process(what, path)?;
        ours.push(milliseconds);
        memory = memory.max(kib * 1024.0 / 36e6);
        theirs.extend(tiffcp(options, path));
    }
    let milliseconds = middle(&mut ours).unwrap_or_default();
    report.row(
        format!("{what}: the whole process, checked"),
        format!("{milliseconds:.0} ms"),
        format!("{memory:.2} times the picture's bytes of memory (goal {})", GOALS.1),
    );
    match middle(&mut theirs) {
        Some(took) => report.row(
            format!("{what}: tiffcp"),
            format!("{took:.0} ms"),
            format!(
                "the whole process takes {:.2} times as long (goal {:.1})",
                milliseconds / took,
                GOALS.0
            ),
        ),
        None => report.row(format!("{what}: tiffcp"), "not here", ""),
    }
    Ok(())
}

/// Measures the whole process by the number of pixels, up to what the disk can hold.
fn sizes(report: &mut Report, folder: &Path) -> Result<(), String> {
    let (mut measured, mut compared) = (Curve::new(), Curve::new());
    for side in SIDES {
        let path = folder.join("sized.tif");
        let pixels = f64::from(side) * f64::from(side);
        let (what, ..) = CHANGES[1];
        let made = write_seed(&path, side).and_then(|()| {
            let mut runs = Vec::new();
            let mut memory = 0.0f64;
            for _ in 0..3 {
                let (milliseconds, kib) = process(what, &path)?;
                runs.push(milliseconds);
                memory = memory.max(kib * 1024.0);
            }
            Ok((middle(&mut runs).unwrap_or_default(), memory))
        });
        for file in [&path, &folder.join("sized.tif.out")] {
            // It may not be there.
            let _ = std::fs::remove_file(file);
        }
        let (milliseconds, memory) = match made {
            Ok(made) => made,
            Err(why) => {
                report.row(format!("{side} x {side} in tiles"), "not measured", why);
                break;
            }
        };
        let each = milliseconds * 1e6 / pixels;
        measured.push((pixels / 1e6, each));
        let goal = match side {
            30_000 => format!(" (goal {:.0})", GOALS.2 / 1e6),
            _ => String::new(),
        };
        report.row(
            format!("{side} x {side} in tiles, the whole process"),
            format!("{milliseconds:.0} ms, {each:.2} ns a pixel"),
            format!("{:.0} MB of memory{goal}", memory / 1e6),
        );
    }
    let last = measured.last().map_or(1.0, |point| point.1);
    compared.extend(measured.iter().map(|point| (point.0, last)));
    let axes = ["millions of pixels", "nanoseconds a pixel"];
    let svg = plot(axes, ("measured", &measured), ("as at the largest size", &compared))?;
    report.figure("big.svg", "Nanoseconds a pixel by the number of pixels", svg);
    Ok(())
}

/// Writes a square picture in one strip of random bytes, without having it in memory.
fn write_seed(path: &Path, side: u32) -> Result<(), String> {
    let bytes = u64::from(side) * u64::from(side) * 3;
    let long = |n: u64| Values::integers(FieldType::Long, &[n]).ok_or("too large".to_owned());
    let mut entries = vec![
        (Tag::IMAGE_WIDTH, long(side.into())?),
        (Tag::IMAGE_LENGTH, long(side.into())?),
        (Tag::BITS_PER_SAMPLE, Values::shorts(&[8, 8, 8])),
        (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[2])),
        (Tag::SAMPLES_PER_PIXEL, Values::shorts(&[3])),
        (Tag::ROWS_PER_STRIP, long(side.into())?),
        (Tag::STRIP_BYTE_COUNTS, long(bytes)?),
    ];
    let format = Format::Classic;
    let block = format.header_size() + ifd_size(format, entries.len() + 1);
    let strip = block + 6;
    entries.push((Tag::STRIP_OFFSETS, long(strip)?));
    let planned = entries.into_iter().map(|(tag, values)| PlannedEntry {
        tag,
        value_at: needs_block(format, &values).then_some(block),
        values,
    });
    let ifd = PlannedIfd { at: format.header_size(), entries: planned.collect(), next: 0 };
    let mut head = vec![0; strip as usize];
    let plan = Plan::new(ByteOrder::Little, format, Spare::Zeros, ifd);
    write(&plan, &mut head).map_err(|e| e.to_string())?;
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    out.write_all(&head).map_err(failed)?;
    let block: Vec<u8> = std::iter::repeat_with(noise()).take((1 << 20) + 7).collect();
    let mut left = bytes;
    while left > 0 {
        let some = left.min(block.len() as u64);
        out.write_all(&block[..some as usize]).map_err(failed)?;
        left -= some;
    }
    out.flush().map_err(failed)
}

/// Runs [`peak`] in a process. Returns milliseconds and the peak of memory in KiB.
fn process(what: &str, path: &Path) -> Result<(f64, f64), String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let began = Instant::now();
    let output =
        Command::new(&me).args(["peak", what]).arg(path).output().map_err(|e| e.to_string())?;
    let took = began.elapsed().as_secs_f64() * 1e3;
    // tiffcp writes a new file as well.
    let _ = std::fs::remove_file(path.with_extension("tif.out"));
    match String::from_utf8_lossy(&output.stdout).trim().parse() {
        Ok(peak) => Ok((took, peak)),
        Err(_) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// Runs `tiffcp`. Returns milliseconds; `None` if it is not installed or fails.
fn tiffcp(options: &[&str], path: &Path) -> Option<f64> {
    let out = path.with_extension("copy.tif");
    let began = Instant::now();
    let status = Command::new("tiffcp").args(options).arg(path).arg(&out).status().ok()?;
    let took = began.elapsed().as_secs_f64() * 1e3;
    let _ = std::fs::remove_file(out);
    status.success().then_some(took)
}

/// Returns the median.
fn middle(runs: &mut [f64]) -> Option<f64> {
    runs.sort_by(f64::total_cmp);
    runs.get(runs.len() / 2).copied()
}
