//! Writes the example files of new findings.

use std::fs;
use std::io;
use std::path::Path;

use super::verdict::{Item, Verdict};
use crate::files::{about, make, put};
use crate::report::{extension, stem};

/// The folder of new findings, inside the night's.
const FOLDER: &str = "new";

/// The path of the example of the new finding at `place`, relative to the night's folder.
pub fn example_name(place: usize, item: &Item) -> String {
    let key = &item.bucket.key;
    let extension = extension(&item.bucket.example.seed_file);
    format!("{FOLDER}/{}.{extension}", stem(place, &key.client, key.outcome))
}

/// The path of the seed file that it refers to, if that is not the run's own.
fn seed_name(place: usize, item: &Item) -> String {
    let key = &item.bucket.key;
    let extension = extension(&item.bucket.example.seed_file);
    format!("{FOLDER}/{}.seed.{extension}", stem(place, &key.client, key.outcome))
}

/// Writes the smallest file of each new finding into `dir`, with its choices and, if it is not the
/// run's own, the seed file. Replaces the files of an earlier night.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_examples(dir: &Path, verdict: &Verdict) -> io::Result<()> {
    let folder = dir.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(about(&folder, &error));
        }
        _ => {}
    }
    if !verdict.new.is_empty() {
        make(&folder)?;
    }
    for (place, item) in verdict.new.iter().enumerate() {
        let file = dir.join(example_name(place, item));
        let example = &item.bucket.example;
        put(&file, &example.file)?;
        if let Some(seed) = &example.seed {
            put(&dir.join(seed_name(place, item)), seed)?;
        }
        let choices = serde_json::to_string_pretty(&example.choices).unwrap_or_default() + "\n";
        put(&file.with_extension("json"), choices)?;
    }
    Ok(())
}
