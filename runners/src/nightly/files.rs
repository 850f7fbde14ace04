//! The files of what is new.

use std::fs;
use std::io;
use std::path::Path;

use super::verdict::{Item, Verdict};
use crate::files::{about, make, put};
use crate::report::{extension, stem};

/// The folder of what is new, below the night's.
const FOLDER: &str = "new";

/// The name of the file of the new finding at `place`, below the night's folder.
pub fn example_name(place: usize, item: &Item) -> String {
    let key = &item.bucket.key;
    let extension = extension(&item.bucket.example.seed_file);
    format!("{FOLDER}/{}.{extension}", stem(place, &key.client, key.outcome))
}

/// The name of the seed file that it belongs to, if that is not the run's own.
fn seed_name(place: usize, item: &Item) -> String {
    let key = &item.bucket.key;
    let extension = extension(&item.bucket.example.seed_file);
    format!("{FOLDER}/{}.seed.{extension}", stem(place, &key.client, key.outcome))
}

/// Writes the least file of each new finding into `dir`, each with its choices and with the
/// seed file that they belong to, if that is not the run's own, in place of
/// those of an earlier night.
///
/// # Errors
///
/// What cannot be written, and why.
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
