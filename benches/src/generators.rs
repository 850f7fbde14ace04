//! Other generators compared with `repfuzz variants`: files a second that mean the same as a seed.
//!
//! `benches/generators` has the input of each. Every file is read back, and counts only if it means the
//! same as the seed.

use std::collections::BTreeSet;
use std::path::Path;

use tiff_harness::Seed;

use crate::peers::{BMP, LIMIT, Made, Peer, SECONDS, TIFF, Task, here};
use crate::table::Report;
use crate::variants::{RGB, seed};

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
    goal: Option<u32>,
) -> f64 {
    let rate = equal as f64 / made.seconds;
    let figure = format!(
        "{rate:.1} a second: {equal} of {} equal, {different} of them different; {:.1} s to start",
        made.files, made.start
    );
    let ratio = of.map_or("1".to_owned(), |of| match rate / of {
        0.0 => format!("{:.0} files a second", made.files as f64 / made.seconds),
        r if r < 1.0 => format!("repfuzz makes {:.1} times as many", 1.0 / r),
        r => format!("makes {r:.1} times as many as repfuzz"),
    });
    let goal = goal.map_or(String::new(), |n| format!(" (goal: repfuzz makes {n} times as many)"));
    report.row(what, figure, format!("{ratio}{goal}"));
    rate
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Against other generators",
        &format!(
            "Files that are valid and mean the same as a seed, a second of processor time, without the time to start. \
             Each makes a given number of files, or as many as it can in {SECONDS} seconds or a little more: commands \
             write them to files, libraries make them in memory. Every file is read back: *equal* files mean the same \
             as the seed, *different* ones are equal files of which no other has the same bytes. The command is \
             compared with commands, the library with libraries. \
             [benches/generators](../benches/generators) has the input of each generator."
        ),
    );
    bmp(report)?;
    tiff(report)?;
    report.note(EXPRESSED);
    Ok(())
}

/// Runs all generators of a task, and adds a row for each.
fn compare(
    report: &mut Report,
    title: &str,
    peers: &[Peer],
    task: &Task,
    same: &dyn Fn(Vec<u8>) -> bool,
) -> Result<(), String> {
    // Of the command and of the library of repfuzz, which come first.
    let mut rates = [None, None];
    for peer in peers {
        let what = format!("{title}: {}", peer.name);
        let to = tempfile::tempdir().map_err(|e| e.to_string())?;
        match (peer.run)(task, to.path()) {
            Ok(Some(made)) => {
                let counts = equal(to.path(), made.files, same)?;
                let of = &mut rates[usize::from(peer.library)];
                let rate = row(report, &what, &made, counts, *of, peer.goal);
                of.get_or_insert(rate);
            }
            Ok(None) => report.row(what, format!("no file in {} seconds", LIMIT.as_secs()), ""),
            Err(why) if peer.name.starts_with("repfuzz") => return Err(why),
            Err(why) => report.row(what, format!("not measured: {why}"), ""),
        }
    }
    Ok(())
}

fn bmp(report: &mut Report) -> Result<(), String> {
    let spec = here("normalizers/specs/bmp/bmp.rs");
    let pipeline = normalizers::read(&spec).map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let small = std::fs::read(here("corpus/picture.ppm")).map_err(|e| e.to_string())?;
    let pictures =
        [("7 x 5", small.clone(), 20_000), ("64 x 64", repeated(&small, 7, 5, 64), 3000)];
    for (size, ppm, most) in pictures {
        let (picture, seed) = (folder.path().join("picture.ppm"), folder.path().join("seed.bmp"));
        std::fs::write(&picture, &ppm).map_err(|e| e.to_string())?;
        let bytes = stored(&ppm);
        std::fs::write(&seed, &bytes).map_err(|e| e.to_string())?;
        let meant = |bytes: Vec<u8>| pipeline.open(bytes).and_then(|x| pipeline.normalize(&x));
        let means = meant(bytes).map_err(|e| e.to_string())?;
        let same = |bytes: Vec<u8>| meant(bytes).is_ok_and(|y| y == means);
        let task = Task { format: "bmp", seed: &seed, picture: &picture, most };
        compare(report, &format!("BMP, {size}"), &BMP, &task, &same)?;
    }
    Ok(())
}

fn tiff(report: &mut Report) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("seed.tif");
    let seed = seed(RGB, 64, 64)?;
    std::fs::write(&file, seed.bytes()).map_err(|e| e.to_string())?;
    let same = |bytes| Seed::open(bytes).is_ok_and(|s| s.picture() == seed.picture());
    let task = Task { format: "tiff", seed: &file, picture: &file, most: 3000 };
    compare(report, "TIFF, 64 x 64", &TIFF, &task, &same)
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
| FANDANGO-RS | as Fandango, and files with no trial | the meaning of a file, numbers as bytes, the file's length and offsets: 0.1 makes no code of constraints, so that all of these are written by hand in Rust, as a pass over each tree; a byte is a rule of 256 alternatives; `{n,m}` does not compile, so that the gap's length is Rust too; run lengths |
| FormatFuzzer | its own template: headers of 40 bytes, 1, 4, 8, 16, 24 and 32 bits a pixel, palettes, run lengths as any bytes | a picture: it is any, of any size |
| repfuzz, TIFF | what is [varied of a TIFF file](tiff.md#what-is-varied), of any seed | |
| tiffcp | strips, tiles, planes, byte order, BigTIFF, order of bits, no compression, LZW, Deflate, PackBits, predictor | orientation, bits of a sample, palettes, alpha, PhotometricInterpretation, types of fields, order and places of the parts of a file, gaps, shared strips, other tags; every file has libtiff's own layout |
| tifffile | strips, tiles, planes, byte order, BigTIFF, no compression, LZW, Deflate, PackBits, Zstandard, LZMA, predictor, the tag Software | as tiffcp; every file has tifffile's own layout |
| havoc of LibAFL and AFL++ | any change of bytes, of any seed | the meaning of a file: one means the same by chance, if the change is where bytes have no meaning |";
