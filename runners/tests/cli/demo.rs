//! `repfuzz demo`, the first command of a stranger.

use std::fs;

use crate::{folder, repfuzz};

#[test]
fn it_needs_nothing_and_names_three_causes() {
    let folder = folder();
    let report = folder.path().join("shown");
    let ran = repfuzz!("demo", "--report", &report);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    for mark in ["\n1. ", "\n2. ", "\n3. "] {
        assert!(ran.stdout.contains(mark), "{}", ran.stdout);
    }
    let longest = ran.stdout.lines().filter(|line| !line.contains('/')).map(str::len).max();
    assert!(longest.unwrap() <= 80, "{}", ran.stdout);
    let index = fs::read_to_string(report.join("index.html")).unwrap();
    assert!(index.contains("rust-image") && index.contains("rust-tiff"));
    for line in ran.stdout.lines().filter(|line| line.trim_start().ends_with(".tif")) {
        assert!(fs::metadata(line.trim_start()).is_ok_and(|file| file.is_file()), "{line}");
    }
}
