//! `report` and `merge`: they read stores and run nothing.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::{folder, installed, ran, repfuzz, seed, skipped};

/// The page of a report without times and command lines.
fn page(folder: &Path) -> String {
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    page.split("<h2>This run</h2>").next().unwrap().to_owned()
}

const CLIENTS: &str = "--clients=rust-image,rust-tiff";

#[test]
fn the_report_comes_again_from_the_store() {
    let folder = folder();
    let folder = folder.path();
    let first = folder.join("first");
    let ran = repfuzz!("fuzz", seed("gray.tif"), CLIENTS, "-n12", "--report", &first);
    assert_eq!(ran.stderr, "");
    let again = folder.join("again");
    let store = first.join("repfuzz.sqlite");
    let told = repfuzz!("report", &store, "-o", &again);
    assert_eq!((told.code, told.stderr.as_str()), (ran.code, ""));
    let buckets = fs::read_to_string(again.join("buckets.jsonl")).unwrap();
    assert_eq!(
        buckets.lines().count(),
        fs::read_dir(first.join("files")).map_or(0, |files| {
            let name = |f: std::io::Result<fs::DirEntry>| f.unwrap().file_name();
            files.map(name).filter(|n| n.to_string_lossy().ends_with(".json")).count()
        })
    );
    for line in buckets.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let file = again.join(line["file"].as_str().unwrap());
        assert_eq!(fs::metadata(&file).unwrap().len(), line["bytes"].as_u64().unwrap());
        // It is the file in the run's report, and no larger one.
        let shown = fs::read_dir(first.join("files")).unwrap();
        let shown = shown
            .map(|f| fs::read(f.unwrap().path()).unwrap())
            .find(|f| *f == fs::read(&file).unwrap());
        assert!(shown.is_some(), "{line}");
        let small = line["seed"].as_str().map_or(seed("gray.tif"), |name| again.join(name));
        repfuzz!("equal", small, file).fine();
    }
    let same = |text: &str| text.split_whitespace().collect::<String>().replace("again/", "first/");
    assert_eq!(same(&told.stdout), same(&ran.stdout));
    assert_eq!(page(&first), page(&again));
    for file in fs::read_dir(first.join("files")).into_iter().flatten() {
        let name = file.unwrap().file_name();
        let read = |report: &Path| fs::read(report.join("files").join(&name)).unwrap();
        assert_eq!(read(&first), read(&again));
    }
}

#[test]
fn parts_joined_are_the_whole() {
    let folder = folder();
    let folder = folder.path();
    let seeds = [seed("gray.tif"), seed("tiny.tif")];
    let whole = folder.join("whole");
    let ran = repfuzz!("fuzz", &seeds[0], &seeds[1], CLIENTS, "-n8", "--report", &whole);
    assert_eq!(ran.stderr, "");
    let parts = ["1/3", "2/3", "3/3"].map(|part| {
        let report = folder.join(part.replace('/', "-"));
        repfuzz!(
            "fuzz", &seeds[0], &seeds[1], CLIENTS, "-n8", "--shard", part, "--report", &report
        );
        report.join("repfuzz.sqlite")
    });
    let merged = folder.join("merged.sqlite");
    let ran = repfuzz!("merge", &parts[0], &parts[1], "-o", &merged);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("part 3/3 is missing or unfinished; merge"), "{}", ran.stderr);
    let ran = repfuzz!("merge", &parts[0], &parts[1], "-o", &merged, "--allow-missing");
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("part 3/3 is missing"), "{}", ran.stderr);
    // In any order, and twice.
    let joined = folder.join("joined");
    for _ in 0..2 {
        assert_eq!(repfuzz!("merge", &parts[2], &parts[0], "-o", &merged).fine(), "");
        let told = repfuzz!("report", &merged, "-o", &joined);
        assert_eq!(told.stderr, "");
        // Seeds are in the order of their names: gray.tif before tiny.tif.
        for seed in ["01-gray", "02-tiny"] {
            assert_eq!(page(&whole.join(seed)), page(&joined.join(seed)));
        }
    }
}

#[test]
fn files_that_are_no_stores_are_reported_in_one_line() {
    let folder = folder();
    let folder = folder.path();
    let none = folder.join("none.sqlite");
    let out = folder.join("out");
    assert!(repfuzz!("report", &none, "-o", &out).error().contains("none.sqlite: No such file"));
    assert!(repfuzz!("merge", &none, "-o", &out).error().contains("none.sqlite: No such file"));
    let text = folder.join("text");
    fs::write(&text, "a text of some length, which is no database").unwrap();
    assert!(repfuzz!("report", &text, "-o", &out).error().contains("not a repfuzz store"));
    assert!(!out.exists());
}

#[test]
fn a_store_on_a_read_only_volume_is_read() {
    let works = || {
        let probe = Command::new("bwrap").args(["--dev-bind", "/", "/", "true"]).output();
        probe.is_ok_and(|output| output.status.success())
    };
    if !installed("bwrap") || !works() {
        return skipped("no namespaces");
    }
    let folder = folder();
    let place = folder.path().join("place");
    repfuzz!("fuzz", seed("tiny.tif"), CLIENTS, "-n4", "--report", &place);
    let store = place.join("repfuzz.sqlite");
    let mut command = Command::new("bwrap");
    command.args(["--dev-bind", "/", "/", "--ro-bind"]).arg(&place).arg(&place);
    command.arg(assert_cmd::cargo::cargo_bin!("repfuzz")).arg("report").arg(&store).arg("-o");
    let ran = ran(command.arg(folder.path().join("out")));
    assert_eq!(ran.stderr, "");
    assert!(folder.path().join("out/buckets.jsonl").is_file(), "{}", ran.stdout);
}
