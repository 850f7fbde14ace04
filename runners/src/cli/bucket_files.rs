//! Writes the buckets of a store as JSON lines, with their example files.

use std::io;
use std::path::Path;

use serde_json::json;

use reports::files::{make, put};
use reports::report::{extension, stem};
use reports::store::Bucket;

/// The folder of the example files, inside the report's folder.
const FOLDER: &str = "buckets";

/// Writes `buckets.jsonl` into `dir`, one line per bucket, and the smallest file of each bucket.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_buckets(dir: &Path, buckets: &[Bucket]) -> io::Result<()> {
    let folder = dir.join(FOLDER);
    if !buckets.is_empty() {
        make(&folder)?;
    }
    let mut lines = String::new();
    for (place, bucket) in buckets.iter().enumerate() {
        let Bucket { key, example, .. } = bucket;
        let stem = stem(place, &key.client, key.outcome);
        let name = format!("{FOLDER}/{stem}.{}", extension(&example.seed_file));
        put(&dir.join(&name), &example.file)?;
        let small = example.seed.as_ref();
        let seed = small.map(|_| format!("{FOLDER}/{stem}.seed.{}", extension(&example.seed_file)));
        if let (Some(name), Some(seed)) = (&seed, small) {
            put(&dir.join(name), seed)?;
        }
        let line = json!({
            "client": key.client,
            "outcome": key.outcome,
            "difference": key.difference,
            "kind": key.kind,
            "dimensions": key.dimensions,
            "title": example.title,
            "class": bucket.class,
            "count": bucket.count,
            "runs": bucket.runs,
            "first": bucket.first,
            "last": bucket.last,
            "implied_by": bucket.implied_by.map(|place| &buckets[place].key.dimensions),
            "file": name,
            "bytes": example.file.len(),
            "seed": seed,
            "seed_file": example.seed_file,
            "seed_sha256": example.seed_sha256,
            "choices": example.choices,
            "message": example.message,
        });
        lines.push_str(&format!("{line}\n"));
    }
    put(&dir.join("buckets.jsonl"), lines)
}
