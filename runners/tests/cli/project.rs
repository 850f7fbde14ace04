//! `repfuzz.toml`: the options of the ordinary runs of a project.

use std::fs;
use std::path::Path;

use crate::fuzz::results;
use crate::{Ran, folder, ran, seed};

/// Runs `repfuzz fuzz` in a folder.
fn fuzz(folder: &Path, words: &[&str]) -> Ran {
    ran(crate::command().current_dir(folder).arg("fuzz").args(words))
}

#[test]
fn the_options_of_a_project_hold_where_the_command_line_says_nothing() {
    let folder = folder();
    let folder = folder.path();
    assert!(fuzz(folder, &[]).error().starts_with("no seed: name a file"));
    fs::create_dir(folder.join("seeds")).unwrap();
    for name in ["rgb.tif", "tiny.tif"] {
        fs::copy(seed(name), folder.join("seeds").join(name)).unwrap();
    }
    let options = "seeds = ['seeds/r*.tif']\nclients = ['rust-tiff']\nvariants = 12\n\
                   vary = ['orientation']\nreport = 'out'\n";
    let file = folder.join("repfuzz.toml");
    fs::write(&file, options).unwrap();
    let first = fuzz(folder, &[]);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    assert!(first.stderr.contains("the options of repfuzz.toml hold"), "{}", first.stderr);
    let command = |name: &str| results(&folder.join(name))["run"][0]["command"].to_string();
    let ran = command("out");
    assert!(ran.contains("rgb.tif --clients rust-tiff -n 12 --seed 1 --vary orientation"), "{ran}");

    let words = ["seeds/tiny.tif", "-n", "3", "--report", "again", "--clients", "rust-image"];
    let again = fuzz(folder, &words);
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
    let ran = command("again");
    assert!(
        ran.contains("tiny.tif --clients rust-image -n 3 --seed 1 --vary orientation"),
        "{ran}"
    );

    for (wrong, why) in [
        ("variants = 0", "nonzero"),
        ("variant = 1", "unknown field `variant`"),
        ("seeds = ['none*.tif']", "no file matches none*.tif"),
    ] {
        fs::write(&file, wrong).unwrap();
        let refused = fuzz(folder, &[]);
        let line = refused.error();
        assert!(line.starts_with("repfuzz.toml: ") && line.contains(why), "{line}");
    }
}
