//! Compares the tests of a run that had nothing to try with the list of those that may be skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The word that begins the line of a skipped test: `SKIPPED PACKAGE TARGET TEST: REASON`.
const WORD: &str = "SKIPPED ";

/// Compares the skipped tests in the output `log` of a run with `list`, and prints both differences. Returns true
/// if no test was skipped that is not listed.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn check(log: &Path, list: &Path) -> Result<bool, String> {
    let seen = seen(&read(log)?);
    let listed = listed(&read(list)?);
    for (test, reason) in seen.iter().filter(|(test, _)| !listed.contains(*test)) {
        println!("skipped, but not in {}: {test}: {reason}", list.display());
    }
    for test in listed.iter().filter(|test| !seen.contains_key(*test)) {
        println!("in {}, but not skipped here: {test}", list.display());
    }
    println!("skipped tests: {}, of which {} may be skipped", seen.len(), listed.len());
    Ok(seen.keys().all(|test| listed.contains(test)))
}

/// Reads a file, which may contain bytes that are not text.
fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the skipped tests of a run with their reasons. Other output may share a line with a report.
fn seen(log: &str) -> BTreeMap<String, String> {
    let reports = log.lines().filter_map(|line| line.split_once(WORD)?.1.split_once(": "));
    reports.map(|(test, reason)| (test.to_owned(), reason.to_owned())).collect()
}

/// Returns the tests of the list: comments begin with `#`.
fn listed(list: &str) -> BTreeSet<String> {
    let tests = list.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    tests.filter(|test| !test.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_skips_fail_and_listed_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let (log, list) = (folder.path().join("log"), folder.path().join("list"));
        std::fs::write(
            &log,
            "test a ... SKIPPED repfuzz cli a::b: no cc\nok\nSKIPPED repfuzz-fleet it c: no nats-server\n",
        )
        .unwrap();
        std::fs::write(&list, "# Tests\nrepfuzz cli a::b # no compiler\n").unwrap();
        assert!(!check(&log, &list).unwrap());
        std::fs::write(&list, "repfuzz cli a::b\nrepfuzz-fleet it c\nrepfuzz cli d\n").unwrap();
        assert!(check(&log, &list).unwrap());
    }

    #[test]
    fn the_reason_is_not_part_of_the_name() {
        let seen = seen("SKIPPED repfuzz cli a::b: no cc: try again\n");
        assert_eq!(seen["repfuzz cli a::b"], "no cc: try again");
    }
}
