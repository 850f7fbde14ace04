//! Variants a second, through the library.

use std::io::{Read, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use inverter::solve::{ChoiceSource, Vary, counts};
use tiff_harness::{ImageFile, Picture, Seed, coding};

use crate::measure::{median, rate};
use crate::table::Report;

/// Returns a picture of random pixels that is stored like `file`.
pub fn seed(file: &[u8], width: u32, height: u32) -> Result<Seed, String> {
    let mut noise = noise();
    let mut byte = || u16::from(noise()) * 257;
    let pixels = width as usize * height as usize;
    let rgba = (0..pixels * 4).map(|k| if k % 4 == 3 { u16::MAX } else { byte() }).collect();
    let like = Seed::open(file.to_vec()).map_err(|e| e.to_string())?;
    let picture = Picture::new(width, height, rgba);
    like.of_picture(&picture).ok_or_else(|| "the picture has no file".to_owned())
}

/// Returns a generator of bytes in which no compression finds much.
pub fn noise() -> impl FnMut() -> u8 {
    let mut state = 1u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }
}

/// A small RGB file in one strip.
pub const RGB: &[u8] = include_bytes!("../../corpus/seeds/tiny.tif");

/// Varies the dimensions whose names begin with one of `names`.
pub fn only(seed: &Seed, names: &[&str]) -> Vary {
    let named = |d: &&String| names.iter().any(|n| d.starts_with(n));
    Vary::only(seed.dimensions().iter().filter(named))
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Variants a second",
        "A 64 x 64 RGB picture, 8 bits, one core. A checked variant is read back and normalized, \
         and compared with the seed.",
    );
    let seed = seed(RGB, 64, 64)?;
    let few = only(&seed, &["orientation", "byte order", "rows_per_strip", "segment"]);
    let mut last = Duration::ZERO;
    for (what, vary, times, goals) in [
        ("strips, orientation, byte order, uncompressed", few, 400, [Some(60_000), Some(30_000)]),
        ("all dimensions", Vary::All, 60, [None, None]),
    ] {
        let source = |index| ChoiceSource::seeded(1, index).with_vary(vary.clone());
        // A first round fills the caches that variants share.
        for index in 0..u64::from(times) {
            seed.variant(source(index)).map_err(|e| e.to_string())?;
        }
        let made = median(times, |k| seed.choices(source(k)).map_err(|e| e.to_string()))?;
        let checked = median(times, |k| seed.variant(source(k)).map_err(|e| e.to_string()))?;
        let ratio = made.as_secs_f64() / checked.as_secs_f64();
        last = checked;
        let [goal_made, goal_checked] =
            goals.map(|goal: Option<u32>| goal.map_or(String::new(), |n| format!("; goal {n}")));
        report.row(
            format!("{what}, made"),
            format!("{:.0} a second", rate(made)),
            format!("1{goal_made}"),
        );
        report.row(
            format!("{what}, checked"),
            format!("{:.0} a second", rate(checked)),
            format!("{ratio:.2} of those made{goal_checked}"),
        );
    }
    zlib(report, &seed, last)?;
    let before = counts();
    for index in 0..2000 {
        let source = ChoiceSource::seeded(2, index);
        seed.choices(source).map_err(|e| e.to_string())?;
    }
    let after = counts();
    let (ensures, asked) = (after.ensures - before.ensures, after.queries - before.queries);
    report.row(
        "ensures decided without Z3, all dimensions, 2,000 variants",
        format!("{} of {ensures}", ensures - asked.min(ensures)),
        format!("{:.2} %", 100.0 * (1.0 - asked as f64 / ensures.max(1) as f64)),
    );
    Ok(())
}

/// Measures a plain compressor on the samples of such files, most of which are compressed. A checked
/// variant takes the time `checked`.
fn zlib(report: &mut Report, seed: &Seed, checked: Duration) -> Result<(), String> {
    const FILES: u64 = 60;
    let mut samples = Vec::new();
    for index in 0..FILES {
        let variant = seed.variant(ChoiceSource::seeded(1, index)).map_err(|e| e.to_string())?;
        let image = ImageFile::read(&variant.bytes).map_err(|e| e.to_string())?;
        let stored = |k| image.stored(&variant.bytes, k).unwrap_or_default();
        samples.push(coding::decode(&image, stored).map_err(|e| e.to_string())?);
    }
    let mean = samples.iter().map(Vec::len).sum::<usize>() as f64 / FILES as f64;
    let took = median(FILES as u32, |k| {
        let samples = &samples[(k % FILES) as usize];
        let mut stored = ZlibEncoder::new(Vec::new(), Compression::default());
        stored.write_all(samples).map_err(|e| e.to_string())?;
        let stored = stored.finish().map_err(|e| e.to_string())?;
        let mut back = Vec::with_capacity(samples.len());
        ZlibDecoder::new(&stored[..]).read_to_end(&mut back).map_err(|e| e.to_string())?;
        Ok(back)
    })?;
    report.row(
        format!(
            "the samples of such files ({:.0} KB), through flate2 (level 6) and back",
            mean / 1e3
        ),
        format!("{:.0} a second", rate(took)),
        format!(
            "checked files are {:.2} times as many (goal 1.5)",
            took.as_secs_f64() / checked.as_secs_f64()
        ),
    );
    Ok(())
}
