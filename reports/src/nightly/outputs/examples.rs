//! Writes the example files of findings that are new or worse.

use std::io;
use std::path::Path;

use super::{Alarm, Verdict};
use crate::files::{make, put, remove};

/// Writes the smallest file of each new or worse finding into `dir`, with its choices, and with its seed file if that
/// is not the seed of the run. Replaces the files of an earlier night.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_examples(dir: &Path, verdict: &Verdict) -> io::Result<()> {
    for alarm in Alarm::ALL {
        let folder = dir.join(alarm.folder());
        remove(&folder)?;
        let items = alarm.items(verdict);
        if !items.is_empty() {
            make(&folder)?;
        }
        for (place, item) in items.iter().enumerate() {
            let file = dir.join(alarm.example(place, item));
            let example = &item.bucket.example;
            put(&file, &example.file)?;
            if let Some(seed) = &example.seed {
                put(&dir.join(alarm.seed(place, item)), seed)?;
            }
            let choices = serde_json::to_string_pretty(&example.choices).unwrap_or_default() + "\n";
            put(&file.with_extension("json"), choices)?;
        }
    }
    Ok(())
}
