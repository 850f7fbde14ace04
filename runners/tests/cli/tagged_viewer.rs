//! A viewer that fails wherever a tag is, also where it has its default value: the plainest file has all tags.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fuzz::results;
use crate::{Ran, file, folder, installed, repfuzz};

/// Fuzzes the photo, which has none of these tags, with a viewer that refuses them.
fn refusing(tags: &str, vary: &str, report: &Path) -> Ran {
    let description = format!(
        "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"python3\", \"{}\", \"{tags}\", \"{}\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n",
        file("runners/tests/cli/viewer/tag.py").display(),
        assert_cmd::cargo::cargo_bin!("repfuzz").display(),
    );
    let path = report.with_extension("toml");
    fs::write(&path, description).unwrap();
    let photo = file("runners/tests/cli/viewer/photo.tif");
    repfuzz!(
        "fuzz",
        photo,
        "--describe",
        path,
        "--clients=mine",
        "-n12",
        "--vary",
        vary,
        "--report",
        report
    )
}

/// The dimensions of each cause.
fn dimensions(causes: &[Value]) -> Vec<String> {
    let joined = |cause: &Value| {
        let names = cause["dimensions"].as_array().unwrap().iter().map(|d| d.as_str().unwrap());
        names.collect::<Vec<_>>().join("+")
    };
    causes.iter().map(joined).collect()
}

/// The tags of a file's first page.
fn has_tag(path: &Path, tag: u16) -> bool {
    let bytes = fs::read(path).unwrap();
    let entry: Vec<u8> = tag.to_le_bytes().into();
    assert_eq!(&bytes[..4], b"II*\0");
    let number = |at: usize, size: usize| {
        bytes[at..at + size].iter().rev().fold(0, |sum, byte| 256 * sum + *byte as usize)
    };
    let first = number(4, 4);
    (0..number(first, 2)).any(|k| bytes[first + 2 + 12 * k..][..2] == entry)
}

#[test]
fn the_cause_is_the_tag() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let report = folder.path().join("report");
    let ran = refusing("274", "default of Orientation,orientation,byte order", &report);
    assert_eq!((ran.code, &*ran.stderr), (1, ""), "{}", ran.stdout);
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "mine refused default of Orientation = explicit; also with";
    assert!(text.contains(line), "{}", ran.stdout);
    assert!(text.contains("differently: 1 cause, from"), "{}", ran.stdout);
    let results = results(&report);
    let causes = &results["cause"];
    assert_eq!(dimensions(causes), ["default of Orientation", "orientation"]);
    // The copy of the seed is read rightly, and the file is another one.
    for cause in causes {
        let of = |name: &str| report.join(cause[name].as_str().unwrap());
        assert!(!has_tag(&of("seed"), 274) && has_tag(&of("file"), 274), "{cause}");
        let choices = of("file").with_extension("json");
        let again = report.join("again.tif");
        let made = repfuzz!("replay", of("seed"), "--choices", choices, "-o", &again);
        assert_eq!(made.code, 0, "{}", made.stderr);
        assert_eq!(fs::read(again).unwrap(), fs::read(of("file")).unwrap());
    }
    let page = fs::read_to_string(report.join("index.html")).unwrap();
    let harmless = page.split("without any difference").nth(1).unwrap_or_default();
    let harmless = harmless.split("</details>").next().unwrap_or_default();
    assert!(!harmless.contains("rientation"), "{harmless}");
    let page = fs::read_to_string(report.join("causes/01-mine-refused.html")).unwrap();
    assert!(page.contains("seed: absent"), "{page}");
}

#[test]
fn each_of_several_tags_is_a_cause() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let report = folder.path().join("report");
    let ran = refusing("274,296", "default of *,byte order", &report);
    let mut found = dimensions(&results(&report)["cause"]);
    found.sort();
    assert_eq!(found, ["default of Orientation", "default of ResolutionUnit"], "{}", ran.stdout);
}

#[test]
fn a_tag_that_a_compression_implies_is_a_part_of_the_cause() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let report = folder.path().join("report");
    let ran = refusing("317", "default of Predictor,compression,predictor", &report);
    let found = dimensions(&results(&report)["cause"]);
    assert_eq!(found, ["compression+default of Predictor"], "{}", ran.stdout);
}
