//! Writes BMP files that all mean one picture, by FANDANGO-RS: `benches-fandango-rs FOLDER SECONDS MOST`. The picture is the
//! PPM file in the variable PICTURE. It prints a line: processor seconds until it was ready, files, processor seconds for
//! these, which are written afterwards.
//!
//! `bmp.fan` has the choices and the bytes without a meaning, and is sampled by FANDANGO-RS. [`fix`] fills in whatever follows
//! from other parts of the file, in one pass, so that no file needs an evolution.

extern crate alloc;

mod fix;
#[allow(missing_docs)]
mod grammar;
mod picture;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::fix::Fixer;
use crate::picture::Picture;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("benches-fandango-rs: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seconds, most] = &arguments[..] else {
        return Err("usage: benches-fandango-rs FOLDER SECONDS MOST, with the PPM file in PICTURE"
            .to_owned());
    };
    let seconds = seconds.parse().map_err(|e| format!("SECONDS: {e}"))?;
    let most: usize = most.parse().map_err(|e| format!("MOST: {e}"))?;
    let file = std::env::var("PICTURE").map_err(|e| format!("PICTURE: {e}"))?;
    let picture = Picture::read(&std::fs::read(&file).map_err(|e| format!("{file}: {e}"))?)?;
    let mut fixer = Fixer::new(picture, SmallRng::from_os_rng());
    let ready = ProcessTime::now();
    let (start, began, limit) = (ready.as_duration(), Instant::now(), Duration::from_secs(seconds));
    let mut files = Vec::new();
    while files.len() < most && began.elapsed() < limit {
        files.push(fixer.file());
    }
    let seconds = ready.elapsed().as_secs_f64();
    for (k, file) in files.iter().enumerate() {
        let path = Path::new(folder).join(format!("{k:07}"));
        std::fs::write(&path, file).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("{:.3} {} {seconds:.3}", start.as_secs_f64(), files.len());
    Ok(())
}
