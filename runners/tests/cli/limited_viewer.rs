//! A small viewer with limits, as a command: its faults are found behind them.

use serde_json::Value;

use crate::fuzz::results;
use crate::{file, folder, installed, repfuzz};

#[test]
fn the_faults_of_a_viewer_with_limits_are_found_by_default() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let report = folder.path().join("report");
    let viewer = file("runners/tests/cli/viewer/view.py");
    let client = format!("mine=python3 {} {{in}} {{out}}", viewer.display());
    let photo = file("runners/tests/cli/viewer/photo.tif");
    let ran = repfuzz!("fuzz", photo, "--client", client, "--report", &report);
    assert_eq!((ran.code, &*ran.stderr), (1, ""), "{}", ran.stdout);
    let results = results(&report);
    let found = |dimension: &str| {
        let has = |cause: &&Value| {
            let dimensions = cause["dimensions"].as_array().unwrap();
            cause["limit"] != true && dimensions.iter().any(|d| d == dimension)
        };
        results["cause"].iter().any(|cause| has(&cause))
    };
    assert!(found("predictor"), "{}", ran.stdout);
    // Strips that do not follow one another, by one of the ways to have that.
    let apart = ["segment order", "segment places", "segment gaps", "block places", "block order"];
    assert!(apart.into_iter().any(found), "{}", ran.stdout);

    let all = results["result"].len();
    let refused = results["result"].iter().filter(|r| r["outcome"] == "refused").count();
    assert_eq!(all - refused, 201, "the seed was judged, and as many as were asked for");
    // It gives no reason for a refusal: nothing says that the file is beyond what it supports.
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("refused without a reason"), "{text}");
    assert!(!text.contains("mine supports the features"), "{text}");
}
