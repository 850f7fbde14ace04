//! A spec of one's own, beside the same spec that ships: the machine beside compiled code.

use std::fs;
use std::path::Path;

use equivalents::Format;

use crate::generators::stored;
use crate::measure::{median, rate};
use crate::peers::here;
use crate::table::Report;
use crate::variants::noise;

/// A spec that is compared, and a file of `side` x `side` pixels.
type Case = (&'static str, fn(usize) -> Vec<u8>);

const CASES: [Case; 3] = [("bmp", bmp), ("tga", tga), ("npy", npy)];

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "A spec of one's own",
        "Files of all dimensions, read back and compared with the seed, through the library on one core: the specs as they \
         ship, compiled with repfuzz, and as texts that are read when the program runs.",
    );
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    for (name, file) in CASES {
        let copy = copied(name, folder.path()).map_err(|e| e.to_string())?;
        for (side, files) in [(7, 1000), (64, 300), (1024, 3)] {
            let seed = file(side);
            let ships = Format::shipped(name).map_err(|e| e.to_string())?;
            let own = Format::from_file(&copy).map_err(|e| e.to_string())?;
            let mut times = Vec::new();
            for format in [ships, own] {
                let mut all = format.equivalents(&seed).map_err(|e| e.to_string())?;
                times.push(median(files, |_| all.next().ok_or_else(|| "no file".to_owned()))?);
            }
            let what = format!("{}, {side} x {side}", name.to_uppercase());
            let figure = |k: usize| format!("{:.1} a second", rate(times[k]));
            report.row(format!("{what}: ships"), figure(0), "1".to_owned());
            let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
            report.row(
                format!("{what}: own"),
                figure(1),
                format!("{ratio:.2} times as long (goal 3)"),
            );
        }
    }
    Ok(())
}

/// Copies a spec to a folder, with another text: so no compiled code is used for it. Returns its path.
fn copied(name: &str, folder: &Path) -> std::io::Result<std::path::PathBuf> {
    let specs = here("normalizers/specs");
    for shared in ["file.rs", "picture.rs"] {
        fs::copy(specs.join(shared), folder.join(shared))?;
    }
    let own = folder.join(name);
    fs::create_dir_all(&own)?;
    for file in fs::read_dir(specs.join(name))? {
        let file = file?;
        fs::copy(file.path(), own.join(file.file_name()))?;
    }
    let spec = own.join(format!("{name}.rs"));
    let text = fs::read_to_string(&spec)?;
    fs::write(&spec, format!("{text}\n// Mine.\n"))?;
    Ok(spec)
}

fn bmp(side: usize) -> Vec<u8> {
    let mut ppm = format!("P6\n{side} {side}\n255\n").into_bytes();
    let mut noise = noise();
    ppm.extend((0..3 * side * side).map(|_| noise()));
    stored(&ppm)
}

fn tga(side: usize) -> Vec<u8> {
    let [low, high] = (side as u16).to_le_bytes();
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high, 24, 0];
    let mut noise = noise();
    file.extend((0..3 * side * side).map(|_| noise()));
    file
}

fn npy(side: usize) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<u2', 'fortran_order': False, 'shape': ({side}, {side}), }}");
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.into_bytes());
    let mut noise = noise();
    file.extend((0..2 * side * side).map(|_| noise()));
    file
}
