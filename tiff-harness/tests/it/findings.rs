//! The published findings: each file still means the same as its seed, whatever clients make of it,
//! and each has been audited.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tiff_harness::Seed;

use crate::support::corpus;

/// The records of a file of corpus/findings.
fn records(name: &str) -> Vec<Value> {
    let lines = String::from_utf8(corpus::file(&format!("findings/{name}"))).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The members that identify a cause.
fn key(record: &Value) -> String {
    let members = ["client", "outcome", "difference", "dimensions"];
    members.map(|member| record[member].to_string()).join(" ")
}

#[test]
fn each_file_means_what_its_seed_means() {
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    for finding in records("findings.jsonl") {
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

#[test]
fn each_published_cause_has_been_audited() {
    let audit: BTreeMap<String, Value> =
        records("audit.jsonl").into_iter().map(|entry| (key(&entry), entry)).collect();
    for entry in audit.values() {
        let verdict = entry["verdict"].as_str().unwrap();
        let verdicts = ["bug", "by-design", "limit", "glue", "undecided"];
        assert!(verdicts.contains(&verdict), "{entry}");
    }
    for finding in records("findings.jsonl") {
        let entry = audit.get(&key(&finding)).unwrap_or_else(|| panic!("no audit of {finding}"));
        assert_eq!(entry["verdict"], "bug", "{entry}");
        for member in ["what", "standard", "evidence", "root"] {
            assert!(!entry[member].as_str().unwrap_or_default().is_empty(), "{member}: {entry}");
        }
        let proof = &entry["proof"];
        assert_eq!(proof["file"], finding["file"], "the second writer had another file: {entry}");
        let unexpressed = proof["tried"].as_array().is_some_and(|tried| !tried.is_empty());
        assert!(proof["shows"] == true || unexpressed, "no second proof: {entry}");
    }
}

#[test]
fn the_page_has_the_numbers_of_the_audit() {
    let findings = records("findings.jsonl");
    let audit: BTreeMap<String, Value> =
        records("audit.jsonl").into_iter().map(|entry| (key(&entry), entry)).collect();
    let roots: BTreeSet<&str> =
        findings.iter().map(|finding| audit[&key(finding)]["root"].as_str().unwrap()).collect();
    let clients: BTreeSet<&str> =
        findings.iter().map(|finding| finding["client"].as_str().unwrap()).collect();
    let page = corpus::file("../docs/findings.md");
    let page = String::from_utf8(page).unwrap();
    let expected = format!("{} root causes in {} of ", roots.len(), clients.len());
    assert!(page.contains(&expected), "docs/findings.md must say {expected:?}");
}
