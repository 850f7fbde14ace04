//! Other generators compared with `repfuzz variants`: files a second that mean the same as a seed.
//!
//! `benches/generators` has the input of each. Every file is read back, and counts only if it means the
//! same as the seed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tiff_harness::Seed;

use crate::table::Report;
use crate::variants::{RGB, seed};

/// The seconds for which a generator writes files, once it is ready.
const SECONDS: u32 = 10;
/// The time limit of a generator, which ends after a whole batch of files.
const LIMIT: Duration = Duration::from_secs(50);

/// The result of one generator.
struct Made {
    /// The processor time until it was ready, in seconds.
    start: f64,
    files: usize,
    /// The processor time of these files.
    seconds: f64,
}

/// Returns a path of the repository.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Returns the processor time of all child processes that have ended, in seconds. Other load of the
/// machine does not count.
fn used() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may have anything in it; `cutime` and `cstime`, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Returns the Python that has Fandango and ISLa, if `scripts/bench-generators.sh` could install them.
fn python() -> Option<PathBuf> {
    let venv = here("target/generators-venv");
    venv.join("installed.txt").is_file().then(|| venv.join("bin/python"))
}

/// Returns the versions of the other generators.
pub fn versions() -> String {
    let installed = std::fs::read_to_string(here("target/generators-venv/installed.txt"));
    match installed {
        Ok(text) => {
            text.split_whitespace().map(|l| l.replace("==", " ")).collect::<Vec<_>>().join(", ")
        }
        Err(_) => "no Fandango, no ISLa".to_owned(),
    }
}

/// Runs `repfuzz variants` as a process of one thread, first for one file, which gives its start time.
fn repfuzz(
    file: &Path,
    spec: Option<&Path>,
    count: usize,
) -> Result<(Made, tempfile::TempDir), String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let run = |count: usize, to: &Path| {
        let mut command = Command::new(me.with_file_name("repfuzz"));
        command.arg("variants").arg(file).args(["-j", "1", "-n", &count.to_string(), "-o"]).arg(to);
        if let Some(spec) = spec {
            command.arg("--spec").arg(spec);
        }
        let began = used();
        let output = command.output().map_err(|e| format!("repfuzz: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(used() - began)
    };
    let start = run(1, &folder.path().join("start"))?;
    let to = folder.path().join("made");
    let all = run(count + 1, &to)?;
    std::fs::remove_file(to.join("variants.jsonl")).map_err(|e| e.to_string())?;
    Ok((Made { start, files: count, seconds: all - start }, folder))
}

/// Runs Fandango or ISLa for the picture of a PPM file; `None` if it wrote no file in time.
fn generate(
    python: &Path,
    name: &str,
    picture: &Path,
    folder: &Path,
) -> Result<Option<Made>, String> {
    let mut child = Command::new(python)
        .arg(here("benches/generators/generate.py"))
        .arg(name)
        .arg(folder)
        .arg(SECONDS.to_string())
        .env("PICTURE", picture)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{}: {e}", python.display()))?;
    let began = Instant::now();
    while began.elapsed() < LIMIT && child.try_wait().map_err(|e| e.to_string())?.is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // It may have ended.
    let _ = child.kill();
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(line) = text.lines().last() else {
        return match output.status.code() {
            Some(code) => Err(format!("{name}: exit code {code}")),
            None => Ok(None),
        };
    };
    let numbers: Vec<f64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
    match numbers[..] {
        [start, files, seconds] => Ok(Some(Made { start, files: files as usize, seconds })),
        _ => Err(format!("{name}: {line}")),
    }
}

/// Runs `tiffcp` in a shell loop.
fn tiffcp(file: &Path, folder: &Path, files: usize) -> Result<Made, String> {
    let began = used();
    let script = here("benches/generators/tiffcp.sh");
    let output = Command::new(script).arg(file).arg(folder).arg(files.to_string()).output();
    let output = output.map_err(|e| format!("tiffcp.sh: {e}"))?;
    let seconds = used() - began;
    match output.status.success() {
        true => Ok(Made { start: 0.0, files, seconds }),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Counts the files among the first ones of a folder that mean the same as the seed, and the different
/// ones among these.
fn equal(
    folder: &Path,
    files: usize,
    same: &dyn Fn(Vec<u8>) -> bool,
) -> Result<(usize, usize), String> {
    let paths = std::fs::read_dir(folder).map_err(|e| e.to_string())?;
    let mut paths: Vec<_> = paths.filter_map(|p| Some(p.ok()?.path())).collect();
    paths.sort();
    paths.truncate(files);
    let (mut equal, mut different) = (0, BTreeSet::new());
    for path in paths {
        let bytes = std::fs::read(&path).map_err(|e| e.to_string())?;
        if same(bytes.clone()) {
            equal += 1;
            different.insert(bytes);
        }
    }
    Ok((equal, different.len()))
}

/// Adds the row of one generator. Returns the number of equal files a second.
fn row(
    report: &mut Report,
    what: &str,
    made: &Made,
    (equal, different): (usize, usize),
    of: Option<f64>,
) -> f64 {
    let rate = equal as f64 / made.seconds;
    let figure = format!(
        "{rate:.1} a second: {equal} of {} equal, {different} of them different; {:.1} s to start",
        made.files, made.start
    );
    let ratio = of.map_or("1".to_owned(), |of| match rate / of {
        r if r < 1.0 => format!("repfuzz makes {:.1} times as many", 1.0 / r),
        r => format!("makes {r:.1} times as many as repfuzz"),
    });
    report.row(what, figure, ratio);
    rate
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Against other generators",
        &format!(
            "Files that are valid and mean the same as a seed, a second of processor time, one run of {SECONDS} \
             seconds or more, written to files, without the time to start. Every file is read back: *equal* files \
             mean the same as the seed, *different* ones are equal files of which no other has the same bytes. \
             [benches/generators](../benches/generators) has the input of each generator."
        ),
    );
    bmp(report)?;
    tiff(report)?;
    report.note(EXPRESSED);
    Ok(())
}

fn bmp(report: &mut Report) -> Result<(), String> {
    let spec = here("normalizers/specs/bmp/bmp.rs");
    let pipeline = normalizers::read(&spec).map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let small = std::fs::read(here("corpus/picture.ppm")).map_err(|e| e.to_string())?;
    let pictures =
        [("7 x 5", small.clone(), 10_000), ("64 x 64", repeated(&small, 7, 5, 64), 3000)];
    for (size, picture, count) in pictures {
        let (ppm, file) = (folder.path().join("picture.ppm"), folder.path().join("seed.bmp"));
        std::fs::write(&ppm, &picture).map_err(|e| e.to_string())?;
        let bytes = stored(&picture);
        std::fs::write(&file, &bytes).map_err(|e| e.to_string())?;
        let meant = |bytes: Vec<u8>| pipeline.open(bytes).and_then(|x| pipeline.normalize(&x));
        let means = meant(bytes).map_err(|e| e.to_string())?;
        let same = |bytes: Vec<u8>| meant(bytes).is_ok_and(|y| y == means);
        let (made, made_in) = repfuzz(&file, Some(&spec), count)?;
        let counts = equal(&made_in.path().join("made"), made.files, &same)?;
        let rate = row(report, &format!("BMP, {size}: repfuzz variants"), &made, counts, None);
        for (name, of) in [("fandango", "Fandango"), ("isla", "ISLa")] {
            let what = format!("BMP, {size}: {of}");
            let Some(python) = python() else {
                report.row(what, "not measured: it could not be installed", "");
                continue;
            };
            let to = tempfile::tempdir().map_err(|e| e.to_string())?;
            match generate(&python, name, &ppm, to.path())? {
                Some(made) => {
                    let counts = equal(to.path(), made.files, &same)?;
                    row(report, &what, &made, counts, Some(rate));
                }
                None => report.row(what, format!("no file in {} seconds", LIMIT.as_secs()), ""),
            }
        }
    }
    Ok(())
}

fn tiff(report: &mut Report) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("seed.tif");
    let seed = seed(RGB, 64, 64)?;
    std::fs::write(&file, seed.bytes()).map_err(|e| e.to_string())?;
    let same = |bytes| Seed::open(bytes).is_ok_and(|s| s.picture() == seed.picture());
    let (made, made_in) = repfuzz(&file, None, 3000)?;
    let counts = equal(&made_in.path().join("made"), made.files, &same)?;
    let rate = row(report, "TIFF, 64 x 64: repfuzz variants", &made, counts, None);
    let to = tempfile::tempdir().map_err(|e| e.to_string())?;
    let what = "TIFF, 64 x 64: tiffcp in a shell loop";
    match tiffcp(&file, to.path(), 1000) {
        Ok(made) => {
            let counts = equal(to.path(), made.files, &same)?;
            row(report, what, &made, counts, Some(rate));
        }
        Err(why) => report.row(what, format!("not measured: {}", why.trim()), ""),
    }
    Ok(())
}

/// Returns the samples of a PPM file with a header of three lines.
fn samples(ppm: &[u8]) -> &[u8] {
    ppm.splitn(4, |byte| *byte == b'\n').nth(3).unwrap_or_default()
}

/// Returns a picture of `side` x `side` pixels, tiled with copies of another.
fn repeated(ppm: &[u8], width: usize, height: usize, side: usize) -> Vec<u8> {
    let mut out = format!("P6\n{side} {side}\n255\n").into_bytes();
    for k in 0..side * side {
        let at = 3 * (k / side % height * width + k % side % width);
        out.extend_from_slice(&samples(ppm)[at..at + 3]);
    }
    out
}

/// Returns the picture as a usual BMP file: a header of 40 bytes, 24 bits a pixel, rows from the bottom.
pub fn stored(ppm: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(&ppm[..ppm.len() - samples(ppm).len()]).into_owned();
    let numbers: Vec<u32> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let (width, height) = (numbers[0], numbers[1]);
    let row = 3 * width as usize;
    let mut pixels = Vec::new();
    for line in samples(ppm).chunks_exact(row).rev() {
        line.chunks_exact(3).for_each(|rgb| pixels.extend([rgb[2], rgb[1], rgb[0]]));
        pixels.resize(pixels.len().next_multiple_of(4), 0);
    }
    let mut out = b"BM".to_vec();
    let header =
        [54 + pixels.len() as u32, 0, 54, 40, width, height, 1 | 24 << 16, 0, 0, 0, 0, 0, 0];
    header.iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend(pixels);
    out
}

const EXPRESSED: &str = "\
The freedoms of an equivalent file that each generator could express:

| generator | expressed | not expressed |
|---|---|---|
| repfuzz, BMP | what [its spec](formats.md) lists, of any seed; the inverse is synthesized | |
| Fandango | the seven headers, direction of rows, 4, 8, 16, 24 and 32 bits a pixel, nine sets of bit fields, order and length of the palette, entries used twice, gap, padding, all bytes without a meaning | the meaning of a file: the inverse (rows, masks, indices) is written by hand in Python, as generators and as right sides of constraints; run lengths would be one more encoder in Python |
| ISLa | the seven headers, direction of rows, 4, 8, 16, 24 and 32 bits a pixel, nine sets of bit fields, four orders of the palette, gap, padding, bytes without a meaning | numbers as bytes: the file's length and the offset of the pixels are Python; pixels that follow the palette: each order is a rule of the grammar; the meaning of a file: the grammar has the pixels of the one picture, with a rule for each way to store them; free bits beside used ones; run lengths |
| repfuzz, TIFF | what is [varied of a TIFF file](tiff.md#what-is-varied), of any seed | |
| tiffcp | strips, tiles, planes, byte order, BigTIFF, order of bits, no compression, LZW, Deflate, PackBits, predictor | orientation, bits of a sample, palettes, alpha, PhotometricInterpretation, types of fields, order and places of the parts of a file, gaps, shared strips, other tags; every file has libtiff's own layout |

[FormatFuzzer](https://github.com/uds-se/FormatFuzzer) was not measured. Its README says that its generators produce \
\"thousands of valid test inputs per second\", for BMP among others; its binary templates define \
valid files, not their meaning, so that its files have all kinds of pictures, not one.";
