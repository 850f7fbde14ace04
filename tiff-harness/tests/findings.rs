//! Each file of `corpus/findings` still means the same as its seed, whatever clients make of it.

use std::collections::BTreeSet;

use serde_json::Value;
use tiff_harness::Seed;

#[path = "support/corpus.rs"]
mod corpus;

#[test]
fn each_file_means_what_its_seed_means() {
    let lines = String::from_utf8(corpus::file("findings/findings.jsonl")).unwrap();
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    for line in lines.lines() {
        let finding: Value = serde_json::from_str(line).unwrap();
        let name = |key: &str| format!("findings/{}", finding[key].as_str().unwrap());
        pairs.insert((name("file"), name("seed")));
    }
    assert!(!pairs.is_empty());
    for (file, seed) in pairs {
        let open =
            |name: &str| Seed::open(corpus::file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(open(&file).picture(), open(&seed).picture(), "{file} {seed}");
    }
}
